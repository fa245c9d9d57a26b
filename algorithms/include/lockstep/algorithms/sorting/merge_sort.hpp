#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/algorithms/routing/detail/successive_dimensions.hpp>
#include <lockstep/algorithms/sorting/merge.hpp>
#include <lockstep/library_call.hpp>

namespace lockstep {

namespace detail {

/// A level of MergeSort, as one processor sees it: two lists of the subcubes over the dimensions
/// below `dimension` are merged over these and that one.
struct merge_sort_level {
  int dimension = 0;
  bool descends = false;  ///< the processors of the merged list are numbered from the last on

  /// Every other subcube descends, so that the upper half of the next level's subcube holds its
  /// list from the last processor on. The last level ascends.
  merge_sort_level(int dimension_of_level, int dimensions, int rank)
      : dimension(dimension_of_level),
        descends(dimension + 1 < dimensions && has_bit(rank, dimension + 1)) {}

  [[nodiscard]] int sets_of_a_list() const { return 1 << dimension; }
  [[nodiscard]] int flip() const { return descends ? 2 * sets_of_a_list() - 1 : 0; }
  /// X is the list of the lower half, by number; lists are numbered by rank.
  [[nodiscard]] std::uint32_t x_list() const { return descends ? 1 : 0; }

  /// Numbers the elements of a processor's set in its list.
  template <class T>
  [[nodiscard]] token_set<T> set_of(std::vector<T> elements, int rank_in_part) const {
    int const number = rank_in_part ^ flip();
    bool const is_x = number < sets_of_a_list();
    int const set = is_x ? number : 2 * sets_of_a_list() - 1 - number;
    auto const k = elements.size();
    for (std::size_t t = 0; t < k; ++t) {
      elements[t].list = has_bit(rank_in_part, dimension) ? 1 : 0;
      elements[t].index = static_cast<std::uint64_t>(set) * k + t;
    }
    return {std::move(elements), is_x};
  }
};

}  // namespace detail

/// MergeSort: values of 2^d processors are sorted, of each by itself at first, and then by merging
/// lists of 1, 2, 4, ... processors. Stable: equal values stay in the order of ranks, and of each
/// processor's own. Called by all processors of a hypercube or a subcube, with the same options.
///
/// `values`: at most k; `less`: a strict weak order.
/// Shows: "keys".
/// Result: the values of rank * k to rank * k + k - 1 of the sorted sequence; the last processors
/// have fewer, or none.
/// Errors: invalid_argument on another topology, for another scheme than fft or halving, or more than
/// k values; all of these come out of the run as processor_failed; those of the machine.
///
/// **Cost** all ports, strict: 4kd + 3d^2 - d steps; fused 3kd + 3d(d - 1)/2. Every message is one
/// value or rank. Local work: comparisons, of a sort of k values and of d merges, which `less` may count
/// (`lockstep run` has it count each call as an operation).
///
/// **Source** Varman and Doshi; Mayr and Plaxton 1989, section 4; the order of descending subcubes,
/// which they leave open, and fused: lockstep.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{3}, {.ports = lockstep::ports::all}};
/// auto run = cube.run([](lockstep::processor& me) {
///   return lockstep::merge_sort(me, std::vector{-me.rank(), me.rank()}, {.k = 2});
/// });
/// run.results()[0];    // -7, -6
/// run.counts().steps;  // 48
/// ```
template <mergeable T, class Less = std::less<>>
[[nodiscard]] std::vector<T> merge_sort(
    processor& me, std::vector<T> values, merge_options const& how, Less less = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  int const d = detail::required_hypercube(me.topology(), "merge sort").dimension();
  detail::require_scheme_of_merge("merge sort", how.prefix);
  detail::require_set("merge sort", values.size(), how.k, me.rank());
  std::ranges::stable_sort(values, less);
  auto set = detail::set_of_list(values, how.k, 0, 0);
  detail::show_values(me, "keys", set);
  for (int i = 0; i < d && how.k > 0; ++i) {
    me.phase("lists of " + std::to_string(1 << i));
    auto part = me.subset(detail::successive_dimensions(0, i + 1));
    detail::merge_sort_level const level(i, d, me.rank());
    set = detail::merge_on_whole(part, level.set_of(std::move(set), part.rank()), level.x_list(),
                                 how, detail::listed_before<Less>{less}, level.flip(),
                                 detail::names_of_sets{"keys", "keys"});
    detail::show_values(me, "keys", set);
  }
  return detail::values_of_set(std::span<detail::listed<T> const>(set));
}

/// Makes the claims, the paper's and ours, about sorting k values of each of 2^d processors.
/// Errors: invalid_argument for another scheme than fft or halving, and d not in 0 .. 30.
[[nodiscard]] std::vector<claim> merge_sort_claims(int d, merge_options const& how);

}  // namespace lockstep
