#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/parameter.hpp>
#include <lockstep/lower_bounds.hpp>

#include "harness/harness.hpp"
#include "routing/pairwise_bounds.hpp"
#include "sorting/sort_element.hpp"

namespace lockstep {

inline constexpr flag_parameter fused_merges{
    "fused", "in each merge sets follow their tokens, rather than tokens find the way back"};

/// An element of generated lists: which of them it is tells equal ones apart.
using list_element = sort_element;

/// Requires ports for k words at once.
/// Errors: invalid_argument.
inline void require_ports_for(arguments const& given, std::uint64_t k) {
  if (k <= 1 || given.request().options.ports == ports::all) return;
  throw invalid_argument(fmt::format(
      "{} elements of a processor at once need all its ports; take --ports all, or --k 1", k));
}

/// Generates sorted lists of `count` elements each, numbered from the first list's first on.
[[nodiscard]] inline std::vector<std::vector<list_element>> generated_lists(arguments const& given,
                                                                            std::size_t lists,
                                                                            std::size_t count) {
  auto numbers = generated_numbers(given, lists * count);
  std::vector<std::vector<list_element>> made;
  for (std::size_t at = 0; at < lists; ++at) {
    auto const list = std::span(numbers).subspan(at * count, count);
    std::ranges::sort(list);
    made.push_back(elements_of<std::int64_t>(list, at * count));
  }
  return made;
}

/// The i-th set of k.
[[nodiscard]] inline std::vector<list_element> set_of(std::span<list_element const> list,
                                                      std::size_t i, std::size_t k) {
  auto const from = std::min(i * k, list.size());
  auto const set = list.subspan(from, std::min(k, list.size() - from));
  return {set.begin(), set.end()};
}

/// Computes the bounds of every program that takes elements from `source_of(number)` to these blocks.
template <class Source>
[[nodiscard]] std::vector<lower_bound> bounds_of_merge(arguments const& given,
                                                       run_record const& record,
                                                       sort_blocks const& blocks,
                                                       Source const& source_of) {
  auto const p = blocks.size();
  if (p > static_cast<std::size_t>(max_processors_for_pairwise_bounds)) return {};
  std::vector<std::uint64_t> between(p * p);
  for (std::size_t to = 0; to < p; ++to)
    for (auto const& one : blocks[to]) ++between[source_of(one.number) * p + to];
  return lower_bounds(record, relation_between(given.network(), between));
}

}  // namespace lockstep
