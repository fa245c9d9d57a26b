#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/sorting/detail/multiway_steps.hpp>
#include <lockstep/algorithms/sorting/merge.hpp>
#include <lockstep/algorithms/sorting/multiway_shape.hpp>
#include <lockstep/library_call.hpp>

namespace lockstep {

namespace detail {

/// Errors: invalid_argument for another topology than a hypercube of 2l + m dimensions.
void require_multiway_cube(topology const& network, multiway_shape const& shape);

/// Errors: invalid_argument for elements on a processor that is not in row 0.
void require_row_0(std::size_t elements, int rank);

}  // namespace detail

/// MultiWayMerge: 2^l sorted lists are merged into one on 2^(2l + m) processors, an array of 2^l
/// rows of 2^(l + m) columns in rank order. Stable: of equal elements those of lower lists come
/// first. Called by all processors of a hypercube or a subcube, with the same shape.
///
/// `set`: the j-th set of list i, ascending by `less`, a strict weak order, on processor i 2^m + j of
/// row 0; on other rows no elements. A list has full sets up to its last, which may be shorter, and
/// none after it.
/// Shows: "set", the lists that it is compared with, "ranks", and the values "merged".
/// Result: on processor c of row 0 the elements of rank c * k to c * k + k - 1 of the merged list,
/// the last one with fewer; on other rows none.
/// Errors: invalid_argument on another topology, for more than k elements or some where there
/// should be none, and for lists that are found not to be sorted, or not in full sets, all of which
/// come out of the run as processor_failed; those of the machine.
///
/// **Cost** all ports, strict: 10k + 5l + 10m - 10 steps for l, m >= 1, fused 10k + 5l + 6m - 10;
/// 5k + 5l - 5 for m = 0; 0 for l = 0, that is, one list, or k = 0. Every message is one
/// element or rank.
///
/// **Source** Nassimi and Sahni; Mayr and Plaxton 1989, section 4, mended: ranks go back by a
/// concentration of up to two in a processor, and elements are ordered by value, list and place.
/// Fused: lockstep.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{4}, {.ports = lockstep::ports::all}};
/// auto run = cube.run([](lockstep::processor& me) {
///   std::vector<int> mine;  // even numbers in one list, odd ones in the other
///   if (me.rank() < 8) mine = {me.rank() % 4 * 2 + me.rank() / 4};
///   return lockstep::multiway_merge(me, mine, {.k = 1, .l = 1, .m = 2});
/// });
/// run.results()[5];    // 5
/// run.counts().steps;  // 25
/// ```
template <mergeable T, class Less = std::less<>>
[[nodiscard]] std::vector<T> multiway_merge(
    processor& me, std::vector<T> const& set, multiway_shape const& shape, Less less = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_multiway_cube(me.topology(), shape);
  detail::require_sorted_set("multi-way merge", set, shape.k, me.rank(), less);
  int const columns = 1 << (shape.l + shape.m);
  bool const is_in_row_0 = me.rank() < columns;
  if (!is_in_row_0) detail::require_row_0(set.size(), me.rank());
  detail::show_values(me, "set", set);
  if (shape.l == 0 || shape.k == 0) return set;
  std::vector<detail::listed<T>> mine;
  if (is_in_row_0)
    mine = detail::set_of_list(set, shape.k, static_cast<std::uint32_t>(me.rank() >> shape.m),
                               me.rank() & ((1 << shape.m) - 1));
  auto const merged =
      detail::multiway_merge_sets(me, std::move(mine), shape, detail::listed_before<Less>{less});
  return detail::values_of_set(std::span<detail::listed<T> const>(merged));
}

/// The steps of `multiway_merge`, as a formula in k, l and m.
[[nodiscard]] std::string multiway_merge_steps(multiway_shape const& shape);

/// Makes the claims, the paper's and ours, about its cost.
/// Errors: invalid_argument for l, m or l + m not in 0 .. 30.
[[nodiscard]] std::vector<claim> multiway_merge_claims(multiway_shape const& shape);

}  // namespace lockstep
