#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/textbook/broadcast.hpp>
#include <lockstep/algorithms/textbook/detail/collective_parts.hpp>
#include <lockstep/algorithms/textbook/reduce.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// Brings the sums of all blocks to all processors in pieces: each processor finishes the sums of a piece,
/// and all gather them. Called by all processors of a crossbar; phases "reduce-scatter" and
/// "all-gather".
///
/// `block`: n elements, as many in each processor.
/// Result: n sums. Operands are combined in the order of ranks.
/// Errors: size_mismatch for blocks of several sizes; those of the machine.
///
/// **Cost** the counts of `lockstep::all_reduce` by `transpose`; strict.
///
/// **Source** JaJa and Ryu 1994, Lemma 5.2 and Theorem 3.3.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> all_reduce_in_pieces(
    processor& me, Operator const& plus, std::span<T const> block,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  int const p = me.size();
  int const i = me.rank();
  pieces const of(block.size(), p, piece_sizes::larger_first);

  me.phase("reduce-scatter");
  auto const mine = reduce_scatter_directly<T>(me, plus, block, of);

  me.phase("all-gather");
  detail::held_pieces held(me, parts::piece_labels::for_all());
  held.add(i);
  std::vector<T> sums(block.size());
  auto const piece = [&](int j) {
    return std::span(sums).subspan(of.before(j), of.size(j));
  };
  std::ranges::copy(mine, piece(i).begin());
  me.pipelined([&] {
    for (int s = 1; s < p; ++s) {
      int const from = (i - s + p) % p;
      me.send((i + s) % p, mine);
      me.receive_into(from, piece(from));
      held.add(from);
    }
  });
  parts::show_values(me, "values of the sum", sums);
  return sums;
}

/// Brings the sums of all blocks to all processors round a ring. In the first p - 1 rounds a piece goes
/// round, and each processor adds its own words to it, until its sums are finished; in p - 1 rounds more
/// they go to all. Called by all processors of a ring or crossbar.
///
/// `block`, result, errors: those of `all_reduce_in_pieces`. The operator has to be commutative, too.
///
/// **Cost** the counts of `lockstep::all_reduce` by `ring`; strict.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> all_reduce_ring(
    processor& me, Operator const& plus, std::span<T const> block,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  int const p = me.size();
  int const i = me.rank();
  int const next = (i + 1) % p;
  int const before = (i - 1 + p) % p;
  pieces const of(block.size(), p);
  std::vector<T> sums(block.begin(), block.end());
  auto const piece = [&](int j) {  // j may be negative
    int const number = (j + 2 * p) % p;
    return std::span(sums).subspan(of.before(number), of.size(number));
  };
  parts::show_values(me, "values of the sum", sums);

  for (int s = 1; s < p; ++s) {  // piece j ends at processor j
    me.send(next, std::span<T const>(piece(i - s)));
    auto const came = me.receive<T>(before);
    auto const mine = piece(i - s - 1);
    std::ranges::copy(detail::combined<T>(me, plus, came, mine), mine.begin());
    parts::show_values(me, "values of the sum", sums);
  }
  for (int s = 0; s + 1 < p; ++s) {  // and goes from there to all
    me.send(next, std::span<T const>(piece(i - s)));
    me.receive_into(before, piece(i - s - 1));
    parts::show_values(me, "values of the sum", sums);
  }
  return sums;
}

/// Brings the sums of all blocks to all processors by recursive doubling on 2^d processors, those of a
/// hypercube, say: partners in one more dimension swap their sums, and both add them. Called by all
/// processors.
///
/// `block`, result: those of `all_reduce_in_pieces`.
/// Errors: those of `all_reduce_in_pieces`, and invalid_argument unless p is a power of two.
///
/// **Cost** the counts of `lockstep::all_reduce` by `recursive_doubling`; strict.
///
/// **Source** Grama, Gupta, Karypis and Kumar 2003, section 4.3.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> all_reduce_doubling(
    processor& me, Operator const& plus, std::span<T const> block,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  detail::require_power_of_two(me, "textbook::all_reduce_doubling",
                               call.where());
  std::vector<T> sums(block.begin(), block.end());
  parts::show_values(me, "values of the sum", sums);
  for (int bit = 1; bit < me.size(); bit *= 2) {
    int const partner = me.rank() ^ bit;
    auto const came = me.exchange(partner, sums);
    sums = me.rank() < partner ? detail::combined<T>(me, plus, sums, came)
                               : detail::combined<T>(me, plus, came, sums);
    parts::show_values(me, "values of the sum", sums);
  }
  return sums;
}

/// Brings the sums of all blocks to all processors along a binomial tree of 2^d processors, those of a
/// hypercube, say: to processor 0, and from there back. Called by all processors.
///
/// `block`, result: those of `all_reduce_in_pieces`.
/// Errors: those of `all_reduce_in_pieces`, and invalid_argument unless p is a power of two.
///
/// **Cost** the counts of `lockstep::all_reduce` by `binomial`; strict.
///
/// **Source** Grama, Gupta, Karypis and Kumar 2003, section 4.3: a reduction and a broadcast of 4.1.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> all_reduce_binomial(
    processor& me, Operator const& plus, std::span<T const> block,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_power_of_two(me, "textbook::all_reduce_binomial",
                               call.where());
  auto sums = reduce_binomial<T>(me, plus, block);
  sums.resize(block.size());
  broadcast_binomial(me, std::span(sums));
  return sums;
}

}  // namespace lockstep::textbook
