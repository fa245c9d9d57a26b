#pragma once

#include <lockstep/algorithms/registry.hpp>

namespace lockstep {

/// Errors: invalid_argument for another network than a crossbar.
void require_crossbar(request const& asked);

}  // namespace lockstep
