#pragma once

#include <string>

#include "tool.hpp"

namespace lockstep::cli {

/// The manual page lockstep(1), for `man`: every command, every option, every algorithm.
[[nodiscard]] std::string manual_page(tool const& of);

}  // namespace lockstep::cli
