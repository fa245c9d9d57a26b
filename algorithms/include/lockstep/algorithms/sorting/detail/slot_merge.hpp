#pragma once

#include <array>
#include <cstddef>
#include <ranges>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/pipelined_crossing.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

// The short steps of Merge, Mayr and Plaxton 1989, section 4. Tokens, or sets that follow their
// tokens, go through a bitonic merge, and what belongs to them finds the way back. All are called by
// all processors of a hypercube or a subcube, and strict; words that are compared are distinct.

namespace lockstep::detail {

[[nodiscard]] inline int dimensions_to_merge(processor const& me) {
  return required_hypercube(me.topology(), "merge").dimension();
}

[[nodiscard]] inline bool has_bit(int rank, int dimension) { return (rank >> dimension & 1) != 0; }

/// Step 1: processor i gets the k words of processor p - 1 - i.
/// Cost: k + d - 1 steps on all ports; d for k = 1 on one port, too.
template <payload_element T>
void reverse_processors(processor& me, std::vector<T>& words,
                        std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  cross_dimensions<T>(
      me, dimensions_to_merge(me), words.size(), crossing::downwards,
      [&](std::size_t j, int /*dimension*/) { return words[j]; },
      [&](std::size_t j, int /*dimension*/, T const& arrived) {
        words[j] = arrived;
        show_values(me, "reversed", words);
      });
}

/// Two sets of as many words on each processor. The first word of each decides where it goes.
template <class T>
using two_sets = std::array<std::vector<T>, 2>;

/// Which comparisons of a bitonic merge made two sets change places: one for each dimension, and,
/// with two slots, one of a processor's own sets.
using swap_record = std::vector<bool>;

/// Step 2 on p processors: the 2p sets of slots 0, ascending from processor 0 on, and then of slots
/// 1, descending from processor 0 on, are merged. The set of rank j ends in slot j mod 2 of
/// processor j / 2: over dimension b a processor whose bit b is 0 sends slot 1, others slot 0.
/// Cost: k + d - 1 steps on all ports; d for k = 1 on one port, too.
template <payload_element T, class Before>
[[nodiscard]] swap_record merge_slots(
    processor& me, two_sets<T>& sets, Before const& before,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  int const d = dimensions_to_merge(me);
  swap_record swaps(static_cast<std::size_t>(d) + 1);
  auto const put_in_order = [&](std::size_t j, int level) {
    auto const at = static_cast<std::size_t>(level);
    if (j == 0) swaps[at] = before(sets[1][0], sets[0][0]);
    if (swaps[at]) std::swap(sets[0][j], sets[1][j]);
  };
  for (std::size_t j = 0; j < sets[0].size(); ++j) put_in_order(j, d);
  show_values(me, "slots", sets | std::views::join);
  auto const moving = [&](int b) {
    return has_bit(me.rank(), b) ? std::size_t{0} : std::size_t{1};
  };
  cross_dimensions<T>(
      me, d, sets[0].size(), crossing::downwards,
      [&](std::size_t j, int b) { return sets[moving(b)][j]; },
      [&](std::size_t j, int b, T const& arrived) {
        sets[moving(b)][j] = arrived;
        put_in_order(j, b);
        show_values(me, "slots", sets | std::views::join);
      });
  return swaps;
}

/// Step 3 on p processors: values of the slots go back to where the sets came from.
/// Cost: d steps, on one port.
template <payload_element T>
[[nodiscard]] std::array<T, 2> unmerge_slots(
    processor& me, std::array<T, 2> values, swap_record const& swaps,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  int const d = dimensions_to_merge(me);
  for (int b = 0; b < d; ++b) {
    if (swaps[static_cast<std::size_t>(b)]) std::swap(values[0], values[1]);
    auto& moving = values[has_bit(me.rank(), b) ? 0 : 1];
    moving = me.exchange(me.rank() ^ (1 << b), moving);
    show_values(me, "slots", values);
  }
  if (swaps[static_cast<std::size_t>(d)]) std::swap(values[0], values[1]);
  return values;
}

/// Step 2 on 2p processors: their sets, ascending up to some processor and descending from there
/// on, are merged. `flip`: 0, or p - 1, where processor p - 1 plays processor 0, and so on.
/// Cost: k + d - 1 steps on all ports; d for k = 1 on one port, too.
template <payload_element T, class Before>
[[nodiscard]] swap_record merge_sets(processor& me, std::vector<T>& set, Before const& before,
                                     int flip = 0) {
  int const d = dimensions_to_merge(me);
  swap_record swaps(static_cast<std::size_t>(d));
  cross_dimensions<T>(
      me, d, set.size(), crossing::downwards,
      [&](std::size_t j, int /*dimension*/) { return set[j]; },
      [&](std::size_t j, int b, T const& arrived) {
        auto const at = static_cast<std::size_t>(b);
        bool const keeps_larger = has_bit(me.rank() ^ flip, b);
        if (j == 0) swaps[at] = keeps_larger ? before(set[0], arrived) : before(arrived, set[0]);
        if (swaps[at]) set[j] = arrived;
        show_values(me, "set", set);
      });
  return swaps;
}

/// Step 3 on 2p processors: a value goes back to where the set came from.
/// Cost: d steps, on one port.
template <payload_element T>
[[nodiscard]] T unmerge_set(processor& me, T value, swap_record const& swaps) {
  for (std::size_t b = 0; b < swaps.size(); ++b) {
    auto const other = me.exchange(me.rank() ^ (1 << b), value);
    if (swaps[b]) value = other;
    show_value(me, "set", value);
  }
  return value;
}

}  // namespace lockstep::detail
