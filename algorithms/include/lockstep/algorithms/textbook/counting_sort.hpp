#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/transpose.hpp>
#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/sorting/detail/digit_ranks.hpp>
#include <lockstep/algorithms/sorting/radix.hpp>
#include <lockstep/algorithms/textbook/h_relation.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// Where an element of some rank belongs.
struct sorted_place {
  std::uint64_t processor = 0;
  std::uint64_t position = 0;
};

/// Finds floor(rank / (n/p)) and rank mod (n/p); where p does not divide n, each of the first n mod
/// p processors has one more.
/// Errors: invalid_argument for p < 1 or p >= 2^31, or n = 0.
[[nodiscard]] sorted_place place_in_even_blocks(std::uint64_t rank,
                                                std::uint64_t n,
                                                std::uint64_t p);

/// The lines of Algorithm 2 that had to be mended, so that the printed ones can be put back.
struct counting_sort_rules {
  /// Line 1: whether R is filled up to a multiple of p. As printed p divides R.
  bool fills_up_range = true;
  /// Line 4.1.1: whether a processor's scan counts its own keys too, as printed.
  bool scan_is_inclusive = false;
  /// Line 11: where the element of rank Addr goes, of n on p processors. As printed floor(Addr/p)
  /// and Addr mod p.
  std::function<sorted_place(std::uint64_t rank, std::uint64_t n,
                             std::uint64_t p)>
      place_of = place_in_even_blocks;
};

/// An element that goes to a place. The place counts no word, as in the paper.
template <payload_element T>
struct placed_element {
  using counts_as = T;

  T element;
  sorted_place place;

  [[nodiscard]] std::uint64_t destination() const { return place.processor; }
};

}  // namespace lockstep::textbook

namespace lockstep {

namespace detail {

/// The digit of a processor's k-th element. Errors: invalid_argument unless it is below the range.
template <std::integral Digit>
[[nodiscard]] std::size_t checked_digit(processor const& me, std::size_t k,
                                        Digit digit, std::uint64_t range) {
  if (std::cmp_less(digit, 0) || std::cmp_greater_equal(digit, range))
    throw_no_digit(me.rank(), k, range);
  return static_cast<std::size_t>(digit);
}

}  // namespace detail

}  // namespace lockstep

namespace lockstep::textbook {

/// Sorts elements by a digit in 0 .. range-1, stably. Called by all processors of a crossbar;
/// phases "counts", "ranks", "route 1" and "route 2".
///
/// `keys`: the elements of this processor, any number, default constructible. `digit_of(key)`: a
/// member or a function. `rules`: lines of the algorithm that can be replaced.
/// Result: this processor's block of the sorted elements: n/p of them, one more on each of the
/// first n mod p processors.
/// Errors: invalid_argument for a digit that is not below the range, or a range of 0; those of the
/// machine.
///
/// **Cost** the counts of `lockstep::counting_sort` with blocks of their real size.
///
/// **Source** Bader, Helman and JaJa 1996, Appendix C, Algorithm 2, whose line numbers these are,
/// with an exclusive scan and blocks of n/p elements.
template <payload_element T, class Digit>
  requires std::default_initializable<T>
[[nodiscard]] std::vector<T> counting_sort(
    processor& me, std::vector<T> const& keys, Digit const& digit_of,
    std::uint64_t range, counting_sort_rules const& rules = {},
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  using counters = std::vector<std::uint64_t>;
  parts::require_range(range);
  auto const p = static_cast<std::size_t>(me.size());
  auto const q = (range + (rules.fills_up_range ? p - 1 : 0)) / p;
  auto const digit = [&](T const& key) { return std::invoke(digit_of, key); };

  // 1, 2: index[d] is the number of own keys with the digit d.
  counters index(std::max(q * p, range));
  for (std::size_t k = 0; k < keys.size(); ++k)
    ++index[parts::checked_digit(me, k, digit(keys[k]), range)];
  me.work(keys.size());
  parts::show_values(me, "keys", keys);

  // 3: processor i gets all counts of the i-th q digits.
  me.phase("counts");
  auto const scan_tran =
      parts::transpose_blocks_as("counts: blocks", me, index);

  // 4: how many keys with such a digit the lower ranks have, and all.
  counters my_scan(p * q);
  counters total(q);
  for (std::size_t j = 0; j < q; ++j)
    for (std::size_t k = 0; k < p; ++k) {
      auto const before = total[j];
      total[j] += scan_tran[k * q + j];
      my_scan[k * q + j] = rules.scan_is_inclusive ? total[j] : before;
    }

  // 5 to 7: both go back to those that counted.
  counters interleaved;
  for (std::size_t j = 0; j < p; ++j)
    for (std::size_t k = 0; k < q; ++k)
      interleaved.insert(interleaved.end(), {my_scan[j * q + k], total[k]});
  me.phase("ranks");
  me.work(p * q);
  auto const scans =
      parts::transpose_blocks_as("ranks: blocks", me, interleaved);
  parts::show_used_up(me, "counts: blocks");

  // 8, 9: index[d] is the rank of the first own key with the digit d.
  std::uint64_t offset = 0;
  for (std::size_t k = 0; k < index.size(); ++k) {
    index[k] = scans[2 * k] + offset;
    offset += scans[2 * k + 1];
  }
  me.work(2 * p * q);

  // 10, 11: each key goes to the place of its rank.
  std::vector<placed_element<T>> placed;
  placed.reserve(keys.size());
  for (auto const& key : keys) {
    auto const rank = index[static_cast<std::size_t>(digit(key))]++;
    placed.push_back({key, rules.place_of(rank, offset, p)});
  }
  auto const arrived =
      textbook::h_relation(me, placed, &placed_element<T>::destination, "keys");
  std::vector<T> sorted(arrived.size());
  for (auto const& [element, place] : arrived)
    sorted.at(place.position) = element;
  me.work(sorted.size());
  parts::show_used_up(me, "ranks: blocks");
  parts::show_values(me, "keys", sorted);
  return sorted;
}

}  // namespace lockstep::textbook
