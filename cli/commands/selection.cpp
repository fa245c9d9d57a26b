#include "selection.hpp"

#include <charconv>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

/// A number of 0 to 2^31 - 1.
std::optional<int> number_from(std::string_view text) {
  int value = 0;
  auto const* const end = text.data() + text.size();
  auto const [stopped, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stopped != end || value < 0) return std::nullopt;
  return value;
}

struct number_range {
  int first = 0;
  std::optional<int> last;  ///< none: "7-"
};

/// "7", "7-9" or "7-".
std::optional<number_range> range_from(std::string_view text) {
  auto const dash = text.find('-');
  auto const first = number_from(text.substr(0, dash));
  if (!first) return std::nullopt;
  if (dash == std::string_view::npos) return number_range{*first, *first};
  auto const rest = text.substr(dash + 1);
  if (rest.empty()) return number_range{*first, std::nullopt};
  auto const last = number_from(rest);
  if (!last || *last < *first) return std::nullopt;
  return number_range{*first, *last};
}

}  // namespace

std::vector<int> ranks_from(std::string const& option, std::string const& text) {
  std::set<int> ranks;
  std::string_view rest = text;
  while (true) {
    auto const comma = rest.find(',');
    auto const range = range_from(rest.substr(0, comma));
    if (!range || !range->last)
      throw usage_error(fmt::format("{}: '{}' is not a list of ranks; write, for example, 0,3,8-15",
                                    option, text));
    for (int rank = range->first; ranks.size() <= most_processors_shown; ++rank) {
      ranks.insert(rank);
      if (rank == *range->last) break;
    }
    if (ranks.size() > most_processors_shown)
      throw usage_error(fmt::format("{}: at most {} processors are shown at a time", option,
                                    most_processors_shown));
    if (comma == std::string_view::npos) return {ranks.begin(), ranks.end()};
    rest.remove_prefix(comma + 1);
  }
}

step_range steps_from(std::string const& option, std::string const& text) {
  auto const range = range_from(text);
  if (!range || range->first == 0)
    throw usage_error(fmt::format(
        "{}: '{}' is not a range of steps; write, for example, 1-40 or 100-", option, text));
  auto const first = static_cast<std::uint64_t>(range->first);
  if (!range->last) return {first, first + most_steps_shown - 1};
  step_range const steps{first, static_cast<std::uint64_t>(*range->last)};
  if (steps.count() > most_steps_shown)
    throw usage_error(
        fmt::format("{}: at most {} steps are shown at a time", option, most_steps_shown));
  return steps;
}

}  // namespace lockstep::cli
