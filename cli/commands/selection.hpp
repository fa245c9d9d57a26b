#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace lockstep::cli {

/// Largest number of steps that are shown at a time.
inline constexpr std::uint64_t most_steps_shown = 2000;
/// Largest number of processors that are shown at a time.
inline constexpr std::size_t most_processors_shown = 64;

/// Steps that follow each other, from the first to the last; none where the last comes before.
struct step_range {
  std::uint64_t first = 1;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] std::uint64_t count() const noexcept { return last < first ? 0 : last - first + 1; }
  friend bool operator==(step_range const&, step_range const&) = default;
};

/// Ranks such as "0,3,8-15", in rank order, each once.
/// Errors: usage_error, which names the option, for anything else, and for too many to show.
[[nodiscard]] std::vector<int> ranks_from(std::string const& option, std::string const& text);

/// Steps such as "7", "1-40" or "100-", whose end is as far as can be shown.
/// Errors: usage_error, which names the option, for anything else, and for too many to show.
[[nodiscard]] step_range steps_from(std::string const& option, std::string const& text);

}  // namespace lockstep::cli
