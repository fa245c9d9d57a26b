#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/sorting/detail/merge_steps.hpp>
#include <lockstep/algorithms/sorting/merge_options.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// An element of a list that can be filled up.
template <class T>
concept mergeable = payload_element<T> && std::default_initializable<T>;

namespace detail {

/// Requires what every processor has to give. `of`: the name of the algorithm, for messages.
/// Errors: invalid_argument for more than k elements.
void require_set(char const* of, std::size_t elements, std::size_t k, int rank);

/// Errors: invalid_argument for a hypercube of one processor.
void require_halves(processor const& me);

/// Errors: those of `require_set`; invalid_argument for elements that are not in order.
template <class T, class Less>
void require_sorted_set(char const* of, std::vector<T> const& set, std::size_t k, int rank,
                        Less const& less) {
  require_set(of, set.size(), k, rank);
  if (!std::ranges::is_sorted(set, less)) throw_not_sorted();
}

/// This processor's set of a list, with padding.
template <payload_element T>
[[nodiscard]] std::vector<listed<T>> set_of_list(std::vector<T> const& set, std::size_t k,
                                                 std::uint32_t list, int number) {
  return padded_set(std::span<T const>(set), k, list, static_cast<std::uint64_t>(number) * k);
}

}  // namespace detail

/// Merge: of two sorted lists X and Y, in sets of k elements, processor i of a hypercube (or a
/// subcube) has the i-th set of each. Stable: of equal elements those of X come first. Called by all
/// processors, with the same options.
///
/// `x`, `y`: this processor's sets, ascending by `less`, a strict weak order. A list has full sets
/// up to its last, which may be shorter, and none after it.
/// Shows: "X" and "Y", tokens in "slots" or a "set", and the values "merged".
/// Result: this processor's part of the merged list, 2k elements; the last ones have fewer.
/// Errors: invalid_argument on another topology, for another scheme than fft or halving, more than k
/// elements, and lists that are found not to be sorted, or not in full sets, all of which come out of
/// the run as processor_failed; those of the machine.
///
/// **Cost** all ports, strict, p = 2^d; every message is one element or rank.
///
/// | prefixes             | steps                  |
/// |----------------------|------------------------|
/// | fft, on all ports    | 4k + 8d - 4            |
/// | halving, on one port | 2k + 6d - 2 + 4H(k, d) |
///
/// H(k, d) = k/2 + k/4 + ... + k/2^d, each rounded up. Fused, where sets follow their tokens:
/// 4k + 4d - 4. For d = 0 or k = 0 none. Local work: O(k + d) comparisons, those of the check that sets are
/// sorted included, which take no step, and which `less` may count (`lockstep run` has it count each call as
/// an operation).
///
/// **Source** Varman and Doshi; Mayr and Plaxton 1989, section 4, mended: tokens move between two
/// slots, Y's ranks go back reversed, and elements are ordered by value, list and place.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{2}, {.ports = lockstep::ports::all}};
/// auto run = cube.run([](lockstep::processor& me) {
///   std::vector<int> const even{4 * me.rank(), 4 * me.rank() + 2};
///   std::vector<int> const odd{4 * me.rank() + 1, 4 * me.rank() + 3};
///   return lockstep::merge(me, even, odd, {.k = 2});
/// });
/// run.results()[3];    // 12, 13, 14, 15
/// run.counts().steps;  // 20
/// ```
template <mergeable T, class Less = std::less<>>
[[nodiscard]] std::vector<T> merge(processor& me, std::vector<T> const& x, std::vector<T> const& y,
                                   merge_options const& how, Less less = {},
                                   std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  static_cast<void>(detail::dimensions_to_merge(me));
  detail::require_scheme_of_merge("merge", how.prefix);
  detail::require_sorted_set("merge", x, how.k, me.rank(), less);
  detail::require_sorted_set("merge", y, how.k, me.rank(), less);
  detail::show_values(me, "X", x);
  detail::show_values(me, "Y", y);
  if (how.k == 0) return {};
  auto const merged = detail::merge_on_half(
      me, detail::set_of_list(x, how.k, 0, me.rank()), detail::set_of_list(y, how.k, 1, me.rank()),
      0, how, detail::listed_before<Less>{less}, detail::names_of_sets{"X", "Y"});
  return detail::values_of_set(std::span<detail::listed<T> const>(merged));
}

/// Merge on twice as many processors: of 2p, processor i has the i-th set of X, and processor
/// 2p - 1 - i the i-th of Y, for i < p.
///
/// `set`: this processor's, ascending by `less`; lists as above.
/// Result: this processor's part of the merged list, k elements; the last ones have fewer.
/// Errors: those of the other form; invalid_argument on one processor.
///
/// **Cost** all ports, strict, 2p = 2^d: 4k + 6d - 4 steps, with prefixes on one port
/// 2k + 4d - 2 + 4H(k, d); fused 3k + 3d - 3.
///
/// **Source** Mayr and Plaxton 1989, section 4; fused: lockstep.
template <mergeable T, class Less = std::less<>>
[[nodiscard]] std::vector<T> merge(processor& me, std::vector<T> const& set,
                                   merge_options const& how, Less less = {},
                                   std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_halves(me);
  detail::require_scheme_of_merge("merge", how.prefix);
  detail::require_sorted_set("merge", set, how.k, me.rank(), less);
  detail::show_values(me, me.rank() < me.size() / 2 ? "X" : "Y", set);
  if (how.k == 0) return {};
  bool const is_x = me.rank() < me.size() / 2;
  int const number = is_x ? me.rank() : me.size() - 1 - me.rank();
  auto const merged = detail::merge_on_whole<detail::listed<T>>(
      me, {detail::set_of_list(set, how.k, is_x ? 0 : 1, number), is_x}, 0, how,
      detail::listed_before<Less>{less}, 0, detail::names_of_sets{"X", "Y"});
  return detail::values_of_set(std::span<detail::listed<T> const>(merged));
}

}  // namespace lockstep
