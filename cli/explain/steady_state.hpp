#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "commands/selection.hpp"

namespace lockstep::cli {

/// Steps in which the same cells come over and over.
struct steady_state {
  step_range steps{};
  std::string round{};  ///< the cells that do

  friend bool operator==(steady_state const&, steady_state const&) = default;
};

/// The longest stretch without `pause`, where `first` is the first cell's step; no steps if there is
/// none. Of several the first.
[[nodiscard]] step_range longest_unbroken(std::string_view cells, char pause, std::uint64_t first);

/// The longest part in which the same cells come three times or more, if it is more than half of the
/// cells; of several the one with the shortest round.
[[nodiscard]] std::optional<steady_state> steady_part(std::string_view cells, std::uint64_t first);

}  // namespace lockstep::cli
