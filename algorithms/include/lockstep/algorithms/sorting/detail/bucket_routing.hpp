#pragma once

#include <algorithm>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/routing/detail/shown_bins.hpp>
#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/sorting/bucket_sorted.hpp>
#include <lockstep/algorithms/sorting/detail/tagged.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Brings each element to its bucket by way of random processors, and sorts the buckets. Shows "keys",
/// wherever they are.
/// Errors, cost: those of `randomized_routing`.
template <payload_element T, class Less>
[[nodiscard]] bucket_sorted<T> sorted_at_random(
    processor& me, std::span<addressed<T> const> elements, Less const& less,
    random_draws const& how, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto routed = routed_at_random(me, elements, &addressed<T>::home, how,
                                 showing_values<addressed<T>>(me, "keys"));
  std::ranges::sort(routed.elements, tagged_order<Less>{less}, &addressed<T>::content);
  bucket_sorted<T> sorted{{}, routed.elements.size(), routed.attempts, routed.redrawn};
  sorted.elements.reserve(routed.elements.size());
  for (auto const& one : routed.elements) sorted.elements.push_back(one.content.element);
  return sorted;
}

}  // namespace lockstep::detail
