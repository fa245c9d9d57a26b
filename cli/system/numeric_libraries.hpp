#pragma once

#include <lockstep/experiments/numeric_libraries.hpp>

namespace lockstep::cli {

/// Lists the libraries that this program was linked with for local transforms and products.
[[nodiscard]] numeric_libraries linked_libraries();

}  // namespace lockstep::cli
