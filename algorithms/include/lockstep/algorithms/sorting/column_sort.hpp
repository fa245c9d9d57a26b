#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/sorting/detail/column_steps.hpp>
#include <lockstep/algorithms/sorting/detail/padded_columns.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Options of column sort; the same on all processors.
struct column_sort_options {
  /// q, elements of a column; ceil(n/p) where it is less. More fills columns up.
  std::size_t rows = 0;
  bool stable = false;       ///< whether equal elements stay in order
  bool below_bound = false;  ///< whether to sort in columns so short that the result may be wrong
};

/// The length of columns from which on column sort is right for every input: 2(p - 1)^2.
/// Errors: invalid_argument for p < 1.
/// **Source** JaJa and Ryu 1994, Theorem 5.1; Leighton 1985.
[[nodiscard]] std::size_t column_sort_rows(
    int processors, std::source_location where = std::source_location::current());

namespace detail {

/// The rows of its columns. Errors: invalid_argument where they are too few.
[[nodiscard]] std::size_t rows_of_column_sort(std::size_t elements, int processors,
                                              column_sort_options const& options);

}  // namespace detail

/// Sorts n elements by sorting columns of q = ceil(n/p) elements, one in each processor, four
/// times, with the array turned from columns to rows, back, moved on by half a column and back in
/// between.
/// Called by all processors of a crossbar; phases "step 2", "step 4", "step 6" and "step 8".
///
/// `elements`: those of this processor, n/p of them, or, where p does not divide n or
/// `options.rows` is more than n/p, at most q. Copied as they are, and default constructible.
/// `n`: elements of all processors. `less`: a strict weak ordering of the elements, the same
/// everywhere, which `<` is not where NaN is among them.
/// Shows: "keys".
/// Result: elements iq to (i+1)q - 1 of the sorted sequence, so n/p where p divides n; where it
/// does not, the last processors have fewer. Columns are filled up with what no result shows.
/// Stable only with `options.stable`, or where columns are filled up: there each element has its
/// place with it, and both together count as one element, as the paper counts. Else equal elements
/// end in any order, since an array turned forgets it.
/// Errors: invalid_argument for another number of elements, and for q < 2(p - 1)^2, with which
/// some inputs may end unsorted, unless options.below_bound; those of the machine.
///
/// **Cost** on a crossbar, one-port, packets of m words: 2(p - 1) + 2 rounds, 4 start-ups,
/// 2(p - 1)m ceil(q/(pm)) + 2m ceil(floor(q/2)/m) words, fewer where p does not divide q; strict.
/// Local work: comparisons, which `less` may count (`lockstep run` has it count each call as an operation).
/// Besides those of a sort of q elements they are at most 2q ceil(log2 p) + q on each processor, and twice
/// as many calls where elements have their places with them. A `less` that has `sort(std::span<T>)`, and
/// columns that are full and need not be stable, are sorted by that each time, as by digits.
///
/// **Source** JaJa and Ryu 1994, section 5.1, Theorem 5.1, with step 2 as the inverse of Lemma 3.3;
/// where p does not divide q, lockstep.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{3}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> mine;
///   for (int i = 0; i < 9; ++i) mine.push_back(i * 7 % 9 * 3 + 2 - me.rank());
///   return lockstep::column_sort(me, mine, 27);
/// });
/// run.results()[1];      // {9, 10, 11, 12, 13, 14, 15, 16, 17}
/// run.counts().startups;  // 4
/// run.counts().words;     // 20
/// ```
template <detail::element_of_columns T, class Less = std::less<>>
[[nodiscard]] std::vector<T> column_sort(
    processor& me, std::vector<T> elements, std::size_t n, Less const& less = {},
    column_sort_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const rows = detail::rows_of_column_sort(n, me.size(), options);
  return detail::sort_in_columns("column_sort", me, std::move(elements), {n, rows, options.stable},
                                 less, [](processor& us, auto column, auto const& order) {
                                   return detail::sort_full_columns(us, std::move(column), order);
                                 });
}

/// Claims what `column_sort` costs for n elements in columns of q = max(ceil(n/p), `rows`).
/// Errors: invalid_argument for p < 1 or packets of 0 words.
[[nodiscard]] std::vector<claim> column_sort_claims(bdm_machine const& on, std::size_t n,
                                                    std::size_t rows = 0);

}  // namespace lockstep
