#pragma once

#include <cstddef>
#include <optional>
#include <source_location>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/detail/vector_exchange.hpp>
#include <lockstep/algorithms/random_access/detail/vector_halving.hpp>
#include <lockstep/algorithms/random_access/vector_options.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

namespace detail {

/// Requires a crossbar, or for `fold` a hypercube. Errors: invalid_argument.
void require_vector_network(topology const& network, vector_method method);

/// The totals by circular shifts of pieces, in ceil(log2 p) phases each way.
template <payload_element T, class Operator>
[[nodiscard]] vector_sums<T> circulant_sums(processor& me, Operator const& plus,
                                            std::span<T const> mine) {
  pieces const of(mine.size(), me.size());
  auto const sums = reduce_scatter_pieces<T>(me, plus, mine, of, {.k = 2}, piece_labels::of_sums());
  return {.totals = all_gather_pieces<T>(me, sums, of, {.k = 2}, piece_labels::for_all())};
}

/// Finds the method; `circulant` makes totals alone.
/// Errors: those of `method_for`; invalid_argument for `circulant` where prefixes are wanted.
[[nodiscard]] vector_method method_of_sums(vector_options options, int p, std::size_t words,
                                           wanted_sums wanted);

/// The sums by the split algorithm, which folds the vectors of processors that are too many for a power of
/// two.
template <payload_element T, class Operator>
[[nodiscard]] vector_sums<T> sums_by_fold(processor& me, Operator const& plus,
                                          std::span<T const> mine, scan_direction direction,
                                          wanted_sums wanted) {
  return folded_sums<T, Operator>(me, operand_order{me.size(), direction}, plus)
      .sums(me, std::vector<T>(mine.begin(), mine.end()), wanted);
}

template <payload_element T, class Operator>
[[nodiscard]] vector_sums<T> vector_sums_of(processor& me, Operator const& plus,
                                            std::span<T const> mine, vector_options const& options,
                                            wanted_sums wanted) {
  auto const method = method_of_sums(options, me.size(), mine.size(), wanted);
  require_vector_network(me.topology(), method);
  if (method == vector_method::circulant) return circulant_sums(me, plus, mine);
  if (method == vector_method::fold) return sums_by_fold(me, plus, mine, options.direction, wanted);
  operand_order const order{me.size(), options.direction};
  return exchanged_sums<T, Operator>(me, order, plus, mine.size())
      .sums(me, std::vector<T>(mine.begin(), mine.end()), wanted);
}

/// The prefixes; nothing on the first processor of the scan.
template <payload_element T>
[[nodiscard]] std::optional<std::vector<T>> prefixes_in(vector_sums<T>& sums, processor const& me,
                                                        scan_direction direction) {
  if (operand_order{me.size(), direction}.mirrored(me.rank()) == 0) return std::nullopt;
  return std::move(sums.prefixes);
}

/// Makes the prefixes by `sums_by_fold`, as `vector_scan` does by the method fold. The other methods are
/// not compiled for the operator.
template <payload_element T, class Operator>
[[nodiscard]] std::optional<std::vector<T>> scanned_by_fold(processor& me, Operator const& plus,
                                                            std::span<T const> mine,
                                                            scan_direction direction) {
  require_vector_network(me.topology(), vector_method::fold);
  auto sums = sums_by_fold(me, plus, mine, direction, {.prefixes = true});
  return prefixes_in(sums, me, direction);
}

}  // namespace detail

/// Combines the vectors of all processors, element by element: every processor gets all totals.
/// Operands are combined in rank order, so that the operator need not commute; where
/// `options.commutes` says that it does, vectors may go by circular shifts. Called by all
/// processors of a crossbar, or of a hypercube, in the same step; opens no phase.
///
/// `mine`: m elements, as many in each processor, also fewer than p or none.
/// Shows: the ranks that are in "sum", and its values.
/// Result: m totals.
/// Errors: invalid_argument for another network, a method other than fold on a hypercube, or
/// circulant without `options.commutes`; size_mismatch if vectors are not of one length; those of
/// the machine.
///
/// **Cost** on a crossbar, one-port, strict, d = ceil(log2 p), m > 0. Split among a power of two
/// processors: 2d start-ups; in words 2 sum of ceil(m/2^i), i = 1 .. d, that is 2m(1-1/p) words
/// where p divides m. Other p by fold: 2d start-ups; in words
/// 2m + 2 sum of ceil(m/2^i), i = 1 .. d - 1.
/// By exchange: 2(p-1) start-ups, 2(p-1) ceil(m/p) words. By circulants: 2d start-ups, and
/// 2m(1-1/p) words where p divides m, for every p.
///
/// **Source** Shankar and Ranka 1997, section 2, and the split algorithm of Kim, Bae and Ranka 1995
/// that it names; other p than powers of two are lockstep.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const mine{me.rank(), 1, 10, 100};
///   return lockstep::vector_combine(me, std::plus<int>{}, std::span<int const>(mine));
/// });
/// run.results()[3];       // {6, 4, 40, 400}
/// run.counts().startups;  // 4
/// run.counts().words;     // 6
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> vector_combine(
    processor& me, Operator const& plus, std::span<T const> mine,
    vector_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return detail::vector_sums_of(me, plus, mine, options, {.totals = true}).totals;
}

/// Makes the exclusive scan of the vectors, element by element: a processor gets the combination of
/// the vectors of lower ranks, or, downward, of higher ranks; in rank order either way. An operator
/// needs no identity. Called as `vector_combine`.
///
/// Result: m prefixes; nothing on the first processor, rank 0 or, downward, p - 1.
/// Errors, cost, source: those of `vector_combine`.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const mine{me.rank(), 1, 10, 100};
///   return lockstep::vector_scan(me, std::plus<int>{}, std::span<int const>(mine));
/// });
/// run.results()[0].has_value();  // false
/// *run.results()[3];             // {3, 3, 30, 300}
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::optional<std::vector<T>> vector_scan(
    processor& me, Operator const& plus, std::span<T const> mine,
    vector_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto sums = detail::vector_sums_of(me, plus, mine, options, {.prefixes = true});
  return detail::prefixes_in(sums, me, options.direction);
}

/// The totals of all vectors, and the combination of those before a processor's own.
template <payload_element T>
struct combined_and_scanned {
  std::vector<T> totals;
  std::optional<std::vector<T>> before;  ///< nothing on the first processor

  /// The members, so that processes of a cluster can share results.
  [[nodiscard]] auto members() { return std::tie(totals, before); }
};

/// Makes both at once, in the start-ups of one: what goes back has both parts in one message.
/// Called as `vector_combine`.
///
/// Errors: those of `vector_combine`.
///
/// **Cost** as `vector_combine`, with 3 copies of each vector in the place of 2. Split: 2d
/// start-ups; in words 3 sum of ceil(m/2^i), i = 1 .. d, that is 3m(1-1/p) words where p divides m.
/// Fold: in words 3m + 3 sum of ceil(m/2^i), i = 1 .. d - 1. Exchange: 3(p-1) ceil(m/p) words.
///
/// **Source** lockstep; the paper makes one after the other.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] combined_and_scanned<T> vector_combine_scan(
    processor& me, Operator const& plus, std::span<T const> mine,
    vector_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto sums = detail::vector_sums_of(me, plus, mine, options, {.totals = true, .prefixes = true});
  return {std::move(sums.totals), detail::prefixes_in(sums, me, options.direction)};
}

/// Claims what the method that is taken costs for vectors of `words` words, with packets of one
/// word. `copies`: 2 for `vector_combine` or `vector_scan`, 3 for `vector_combine_scan`.
/// Errors: those of `method_for`.
[[nodiscard]] std::vector<claim> vector_combine_claims(int p, std::size_t words, int copies,
                                                       vector_options const& options);

}  // namespace lockstep
