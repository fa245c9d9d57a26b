#pragma once

#include <cstddef>
#include <functional>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/sorting/merge.hpp>
#include <lockstep/algorithms/textbook/detail/merged_set.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// Merge: of two sorted lists X and Y, in sets of k elements, processor i of the 2p of a hypercube (or a
/// subcube) has the i-th set of X, and processor 2p - 1 - i the i-th of Y, for i < p. Stable: of equal
/// elements those of X come first. Called by all processors.
///
/// Each set has a token, the least element of an X set, the largest of a Y set. Tokens are merged and
/// tell the sets their places; a processor then needs the set that comes there, the nearest X set before
/// it and the nearest Y set after it.
///
/// `set`: this processor's, at most k elements, ascending by `less`, a strict weak order. A list has full
/// sets up to its last, which may be shorter, and none after it.
/// Result: this processor's part of the merged list, k elements; the last ones have fewer.
/// Errors: invalid_argument on another topology and on one processor, for more than k elements, and for
/// lists that are found not to be sorted; those of the machine.
///
/// **Cost** the counts of `lockstep::merge` on as many processors, with prefixes by `fft`, not fused: on
/// all ports, strict, 4k + 6d - 4 steps for 2p = 2^d.
///
/// **Source** Mayr and Plaxton 1989, section 4, mended as there.
template <mergeable T, class Less = std::less<>>
[[nodiscard]] std::vector<T> merge(
    processor& me, std::vector<T> const& set, std::size_t k, Less less = {},
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::require_halves(me);
  parts::require_sorted_set("merge", set, k, me.rank(), less);
  bool const is_x = me.rank() < me.size() / 2;
  parts::show_values(me, is_x ? "X" : "Y", set);
  if (k == 0) return {};
  int const number = is_x ? me.rank() : me.size() - 1 - me.rank();
  auto const merged = detail::merged_set(
      me, parts::set_of_list(set, k, is_x ? 0 : 1, number), is_x, 0,
      parts::listed_before<Less>{less}, is_x ? "X" : "Y");
  return parts::values_of_set(std::span<parts::listed<T> const>(merged));
}

}  // namespace lockstep::textbook
