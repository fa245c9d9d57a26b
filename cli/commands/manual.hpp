#pragma once

#include <span>
#include <string>

#include <lockstep/experiments/registry.hpp>

namespace lockstep::cli {

/// The manual page lockstep(1), for `man`: every command, every option, every algorithm.
[[nodiscard]] std::string manual_page(std::span<experiment const> known);

}  // namespace lockstep::cli
