#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/routing/detail/padded_blocks.hpp>
#include <lockstep/algorithms/routing/detail/shown_bins.hpp>
#include <lockstep/algorithms/sorting/detail/digit_ranks.hpp>
#include <lockstep/algorithms/sorting/detail/placed.hpp>
#include <lockstep/algorithms/sorting/detail/sorted_blocks.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Bins on their way.
template <payload_element T, std::unsigned_integral Place>
using placed_bins = bins<place_for<placed<T, Place>>>;

/// The memory that a pass has emptied, and the next fills again: fresh memory costs more than the
/// work on it.
template <payload_element T, std::unsigned_integral Place>
struct emptied_bins {
  placed_bins<T, Place> out;
  placed_bins<T, Place> through;
};

/// Step 8: elements of one digit take successive places, in the order in which they are here.
template <std::unsigned_integral Place, payload_element T, class Digit>
[[nodiscard]] placed_bins<T, Place> deal_out_by_rank(
    processor const& me, std::span<T const> elements, Digit const& digit_of,
    digit_ranks const& ranks, sorted_blocks<Place> const& blocks, placed_bins<T, Place> emptied) {
  auto next = blocks.places_of(ranks.first);
  dealer<placed<T, Place>> to_bins(me, elements.size(), std::move(emptied));
  for (auto const& element : elements) {
    auto const place = blocks.take(next[static_cast<std::size_t>(std::invoke(digit_of, element))]);
    to_bins.deal(blocks.processor_of(place), {element, place});
  }
  return std::move(to_bins).finish();
}

/// Step 11: every element at its place.
template <payload_element T, std::unsigned_integral Place>
void put_in_place(placed_bins<T, Place> const& arrived, sorted_blocks<Place> const& blocks,
                  std::vector<T>& sorted) {
  for (auto const& bin : arrived)
    for (auto const& at : bin) sorted[blocks.position_of(at.element.place)] = at.element.element;
}

/// Routes the elements to the places that their ranks tell. Each that is put in a bin or at its place is an
/// operation.
template <std::unsigned_integral Place, payload_element T, class Digit>
void route_by_rank(processor& me, std::vector<T>& elements, Digit const& digit_of,
                   digit_ranks const& ranks, block_rule rule, emptied_bins<T, Place>& emptied,
                   std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  sorted_blocks<Place> const blocks(ranks.elements, me.size());
  h_limits const limits{blocks.largest_size(), blocks.largest_size()};
  auto const slots = blocks_of(rule, limits, me.size());
  auto dealt = deal_out_by_rank<Place, T>(me, elements, digit_of, ranks, blocks,
                                          std::exchange(emptied.out, {}));
  me.work(elements.size());
  require_bins_fit(me, dealt, 2, rule, slots.out);
  me.phase("route 1");
  auto const show = showing_values<placed<T, Place>>(me, "keys");
  emptied.out = exchange_bins(me, std::move(dealt), rule, slots.out, show);
  auto through = bins_by_destination(
      me, emptied.out, [&](auto const& one) { return blocks.processor_of(one.place); },
      std::exchange(emptied.through, {}));
  me.work(elements_of(through));
  require_bins_fit(me, through, 4, rule, slots.through);
  me.phase("route 2");
  emptied.through = exchange_bins(me, std::move(through), rule, slots.through, show);
  elements.resize(blocks.size_of(static_cast<std::size_t>(me.rank())));
  put_in_place(emptied.through, blocks, elements);
  me.work(elements.size());
}

/// Errors: invalid_argument, always: blocks of worst-case size, and a processor with more than
/// ceil(n/p) elements.
[[noreturn]] void throw_uneven(int rank, std::size_t here, std::uint64_t elements, int processors);

/// Counting sorts of the same elements, one after the other.
template <payload_element T>
class counting_passes {
 public:
  /// `digits`: as many sorts.
  counting_passes(processor& me, std::vector<T> elements, block_rule rule, int digits = 1)
      : m_me(me), m_elements(std::move(elements)), m_rule(rule), m_digits(digits) {
    static_cast<void>(name_of(rule));  // refuses any other number
    show_values(me, "keys", m_elements);
  }

  /// Sorts by a digit in 0 .. range-1. Increments, additions and moves of elements are operations.
  template <class Digit>
  void sort_by(Digit const& digit_of, std::uint64_t range,
               std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    int const digit = m_digits > 1 ? ++m_digit : 0;
    auto const histogram = histogram_of<T>(m_me, std::span<T const>(m_elements), digit_of, range);
    m_me.work(m_elements.size());
    auto const ranks = ranks_from(m_me, histogram, digit);
    auto const p = static_cast<std::uint64_t>(m_me.size());
    if (m_rule != block_rule::real && m_elements.size() > (ranks.elements + p - 1) / p)
      throw_uneven(m_me.rank(), m_elements.size(), ranks.elements, m_me.size());
    if (sorted_blocks<std::uint32_t>::can_tell(ranks.elements, m_me.size()))
      route_by_rank(m_me, m_elements, digit_of, ranks, m_rule, m_emptied);
    else
      route_by_rank(m_me, m_elements, digit_of, ranks, m_rule, m_emptied_of_many);
    show_used_up(m_me, name_in_view(m_me, "ranks", digit));
    show_values(m_me, "keys", m_elements);
  }

  [[nodiscard]] std::vector<T> finish() && { return std::move(m_elements); }

 private:
  processor& m_me;
  std::vector<T> m_elements;
  block_rule m_rule;
  int m_digits;
  int m_digit = 0;
  emptied_bins<T, std::uint32_t> m_emptied;
  emptied_bins<T, std::uint64_t> m_emptied_of_many;
};

}  // namespace lockstep::detail
