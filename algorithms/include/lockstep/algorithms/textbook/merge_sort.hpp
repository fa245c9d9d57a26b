#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/algorithms/routing/detail/successive_dimensions.hpp>
#include <lockstep/algorithms/sorting/merge_sort.hpp>
#include <lockstep/algorithms/textbook/detail/merged_set.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// MergeSort: sorts k values of each processor of a hypercube (or a subcube), of each by itself at first,
/// and then by merging lists of 1, 2, 4, ... processors. Stable. Called by all processors.
///
/// `values`: at most k; `less`: a strict weak order.
/// Result: the values of rank * k to rank * k + k - 1 of the sorted sequence; the last processors have
/// fewer, or none.
/// Errors: invalid_argument on another topology, or for more than k values; those of the machine.
///
/// **Cost** the counts of `lockstep::merge_sort`, not fused: on all ports, strict, 4kd + 3d^2 - d steps.
///
/// **Source** Mayr and Plaxton 1989, section 4; the order of descending subcubes, which it leaves open:
/// lockstep.
template <mergeable T, class Less = std::less<>>
[[nodiscard]] std::vector<T> merge_sort(
    processor& me, std::vector<T> values, std::size_t k, Less less = {},
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  int const d =
      parts::required_hypercube(me.topology(), "merge sort").dimension();
  parts::require_set("merge sort", values.size(), k, me.rank());
  std::ranges::stable_sort(values, less);
  auto set = parts::set_of_list(values, k, 0, 0);
  parts::show_values(me, "keys", set);
  for (int i = 0; i < d && k > 0; ++i) {
    me.phase("lists of " + std::to_string(1 << i));
    auto part = me.subset(parts::successive_dimensions(0, i + 1));
    parts::merge_sort_level const level(i, d, me.rank());
    auto const [mine, is_x] = level.set_of(std::move(set), part.rank());
    set = detail::merged_set(part, mine, is_x, level.flip(),
                             parts::listed_before<Less>{less}, "keys");
    parts::show_values(me, "keys", set);
  }
  return parts::values_of_set(std::span<parts::listed<T> const>(set));
}

}  // namespace lockstep::textbook
