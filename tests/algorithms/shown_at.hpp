#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/shown.hpp>

#include "core/call_log.hpp"

namespace reference {

/// What processors hold after a step: by rank and name what they showed last.
using shown_by_name = std::map<std::string, lockstep::shown_value>;
[[nodiscard]] inline std::map<int, shown_by_name> held_after(call_log const& log,
                                                             std::uint64_t step) {
  std::map<int, shown_by_name> held;
  for (auto const& shown : log.shows)
    if (shown.step <= step) held[shown.rank][shown.name] = shown.value;
  return held;
}

/// What was shown by that name, processor by processor, each in its order.
[[nodiscard]] inline std::map<int, std::vector<lockstep::shown_value>> shown_as(
    call_log const& log, std::string const& name) {
  std::map<int, std::vector<lockstep::shown_value>> values;
  for (auto const& shown : log.shows)
    if (shown.name == name) values[shown.rank].push_back(shown.value);
  return values;
}

using labels = std::vector<lockstep::block_label>;
using intervals = std::vector<lockstep::rank_interval>;

/// A number, or the numbers, that were shown.
[[nodiscard]] inline std::vector<double> numbers_in(lockstep::shown_value const& value) {
  std::vector<double> numbers;
  auto const add = [&](auto number) { numbers.push_back(static_cast<double>(number)); };
  if (auto const* const one = std::get_if<lockstep::shown_number>(&value))
    std::visit(add, *one);
  else
    std::visit(
        [&](auto const& all) {
          for (auto const each : all) add(each);
        },
        std::get<lockstep::shown_numbers>(value));
  return numbers;
}

/// The sum of the ranks of an interval.
[[nodiscard]] inline double sum_of_ranks(lockstep::rank_interval const& of) {
  return (of.first + of.last) * (of.last - of.first + 1) / 2.0;
}

}  // namespace reference
