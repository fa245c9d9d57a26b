#pragma once

#include <cstddef>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// Successive processors, by their places in the order of a prefix: from `first` to before `end`.
struct place_range {
  int first = 0;
  int end = 0;

  [[nodiscard]] static place_range of(rank_interval const& interval) {
    return {interval.first, interval.last + 1};
  }
  /// The subcube of 2^dimensions places that a place is in.
  [[nodiscard]] static place_range subcube(int place, int dimensions) {
    int const first = place >> dimensions << dimensions;
    return {first, first + (1 << dimensions)};
  }
  /// From the first of these places to that one, itself included or not.
  [[nodiscard]] place_range up_to(int place, bool inclusive) const {
    return {first, inclusive ? place + 1 : place};
  }
};

/// Lists the ranks of a prefix's places, nothing for none: one interval or none.
/// `Directed`: `directed`, which knows the order.
template <class Directed>
[[nodiscard]] std::vector<rank_interval> ranks_at(processor const& me, Directed const& plus,
                                                  place_range const& places) {
  if (places.first >= places.end) return {};
  int const first = plus.role(places.first, me.size());
  int const last = plus.role(places.end - 1, me.size());
  if (plus.is_forward()) return {{first, last}};
  return {{last, first}};
}

template <class Directed, class T>
[[gnu::cold, gnu::noinline]] void keep_sum(processor& me, Directed const& plus,
                                           std::string_view name, place_range const& places,
                                           T const& sum, std::source_location where) {
  me.show(name, ranks_at(me, plus, places), where);
  show_value(me, "value of " + std::string(name), sum, where);
}

template <class Directed, class PlacesOf>
[[gnu::cold, gnu::noinline]] void keep_sums(processor& me, Directed const& plus,
                                            std::string_view name, std::size_t k,
                                            PlacesOf const& places_of, std::source_location where) {
  std::vector<rank_interval> all;
  for (std::size_t j = 0; j < k; ++j)
    for (auto const& ranks : ranks_at(me, plus, places_of(j))) all.push_back(ranks);
  me.show(name, all, where);
}

/// Shows the ranks whose values a sum combines, and the sum itself as "value of" it.
template <class Directed, class T>
[[gnu::always_inline]] inline void show_sum(
    processor& me, Directed const& plus, std::string_view name, place_range const& places,
    T const& sum, std::source_location where = std::source_location::current()) {
  if (me.is_shown()) [[unlikely]]
    keep_sum(me, plus, name, places, sum, where);
}

/// Shows those of several sums that there are, one for each j < k: `places_of(j)`.
template <class Directed, class PlacesOf>
[[gnu::always_inline]] inline void show_sums(
    processor& me, Directed const& plus, std::string_view name, std::size_t k,
    PlacesOf const& places_of, std::source_location where = std::source_location::current()) {
  if (me.is_shown()) [[unlikely]]
    keep_sums(me, plus, name, k, places_of, where);
}

}  // namespace lockstep::detail
