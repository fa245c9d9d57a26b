#pragma once

#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// The root gets the sum of p matrices of one shape, one of each processor, element by element, for
/// any associative operator. A matrix is the array of its elements, which is always cut into p
/// pieces: `reduce_scatter`, then `gather`. Called by all processors of a crossbar; phases
/// "reduce-scatter" and "gather".
///
/// Operands are combined in rank order if k >= p; else the operator has to be commutative, too.
///
/// `mine`: n^2 elements, by rows or by columns, in all processors alike. `options.k`: tau/m + 1
/// is the paper's.
/// Result: at the root the sum; elsewhere nothing.
/// Errors: invalid_argument for k < 2; invalid_rank for a root that is not a rank; size_mismatch if
/// matrices are not of one size; those of the machine.
///
/// **Cost** on a crossbar, one-port, strict: with k = tau/m + 1 a time of at most
/// 2(2 tau ceil(log_k p) + n^2), for every p and n, and n^2(1 - 1/p) additions in a processor at
/// most, if p divides n^2.
///
/// **Source** JaJa and Ryu 1994, Lemma 5.2, whose pieces are submatrices where p and n allow it.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const matrix{me.rank(), 1, 0, me.rank()};  // 2 x 2
///   return lockstep::matrix_sum(me, std::plus<int>{}, std::span<int const>(matrix), {.k = 2});
/// });
/// run.results()[0];    // {6, 4, 0, 6}
/// run.counts().words;  // 6
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> matrix_sum(
    processor& me, Operator const& plus, std::span<T const> mine,
    scatter_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_scattered("matrix_sum", options, me.size());
  return detail::reduce_in_pieces(me, plus, mine, pieces(mine.size(), me.size()), options);
}

}  // namespace lockstep
