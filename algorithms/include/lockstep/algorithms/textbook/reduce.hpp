#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/textbook/detail/collective_parts.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// Adds up blocks of n elements in pieces, for any associative operator: processor j gets the
/// pieces j of all blocks, from each straight, and combines them in the order of ranks. Called by all
/// processors of a crossbar.
///
/// `block`: n elements, as many in each processor; `of`: its p pieces.
/// Result: this processor's piece of the sums.
/// Errors: size_mismatch for blocks of several sizes; invalid_argument for other than p pieces of
/// n elements; those of the machine.
///
/// **Cost** the counts of `lockstep::reduce_scatter` by `direct`, with these pieces; strict.
///
/// **Source** JaJa and Ryu 1994, Lemma 5.2, its first half.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> reduce_scatter_directly(
    processor& me, Operator const& plus, std::span<T const> block,
    pieces const& of,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  int const p = me.size();
  int const i = me.rank();
  detail::require_pieces("textbook::reduce_scatter_directly", of, block.size(),
                         p);
  auto const piece = [&](int j) {
    return block.subspan(of.before(j), of.size(j));
  };
  std::vector<std::vector<T>> summands(static_cast<std::size_t>(p));
  auto const from_rank = [&](int j) -> std::vector<T>& {
    return summands[static_cast<std::size_t>(j)];
  };
  from_rank(i).assign(piece(i).begin(), piece(i).end());
  parts::show_values(me, "values of the sum", block);

  me.pipelined([&] {
    for (int s = 1; s < p; ++s) {
      int const from = (i - s + p) % p;
      me.send((i + s) % p, piece((i + s) % p));
      from_rank(from) = me.receive<T>(from);
      detail::show_lists(me, "summands", summands);
    }
  });
  auto sums = from_rank(0);
  for (int j = 1; j < p; ++j)
    sums = detail::combined<T>(me, plus, sums, from_rank(j));
  parts::show_values(me, "values of the sum", sums);
  return sums;
}

/// Brings the sums of all blocks to the root in pieces: each processor finishes the sums of a piece, and
/// the root gathers them. Called by all processors of a crossbar; phases "reduce-scatter" and
/// "gather".
///
/// `block`: n elements, as many in each processor. `sizes`: how pieces share what p does not divide.
/// Result: at the root n sums; elsewhere none.
/// Errors: invalid_rank for a root that is not a rank; size_mismatch for blocks of several sizes; those
/// of the machine.
///
/// **Cost** the counts of `lockstep::reduce` by `transpose`, or with even pieces those of
/// `lockstep::matrix_sum` without a tree; strict.
///
/// **Source** JaJa and Ryu 1994, Lemma 5.2.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> reduce_in_pieces(
    processor& me, Operator const& plus, std::span<T const> block, int root = 0,
    piece_sizes sizes = piece_sizes::larger_first,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::require_root("textbook::reduce_in_pieces", root, me.size());
  int const p = me.size();
  int const i = me.rank();
  pieces const of(block.size(), p, sizes);

  me.phase("reduce-scatter");
  auto const mine = reduce_scatter_directly<T>(me, plus, block, of);

  me.phase("gather");
  detail::held_pieces held(me, parts::piece_labels::to(root));
  held.add(i);
  std::vector<T> sums(i == root ? block.size() : 0);
  auto const piece = [&](int j) {
    return std::span(sums).subspan(of.before(j), of.size(j));
  };
  if (i == root) std::ranges::copy(mine, piece(i).begin());
  me.pipelined([&] {
    for (int s = 1; s < p; ++s) {  // in round s it is the turn of j
      int const j = (root + s) % p;
      if (i == root) {
        me.receive_into(j, piece(j));
        held.add(j);
      } else if (i == j) {
        me.send(root, mine);
        held.remove(i);
      } else {
        me.idle();
      }
    }
  });
  parts::show_values(me, "values of the sum", sums);
  return sums;
}

/// Brings the sums of all blocks to the root along a binomial tree of 2^d processors, those of a
/// hypercube, say: in each round half of those that have sums send them along one more dimension, to
/// be added there. Called by all processors.
///
/// `block`, result: those of `reduce_in_pieces`. Operands are combined in the order of ranks.
/// Errors: those of `reduce_in_pieces`, and invalid_argument unless p is a power of two.
///
/// **Cost** the counts of `lockstep::reduce` by `binomial`; strict.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> reduce_binomial(
    processor& me, Operator const& plus, std::span<T const> block, int root = 0,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::require_root("textbook::reduce_binomial", root, me.size());
  detail::require_power_of_two(me, "textbook::reduce_binomial", call.where());
  int const from_root = me.rank() ^ root;  // its bits: the dimensions between
  std::vector<T> sums(block.begin(), block.end());
  parts::show_values(me, "values of the sum", sums);
  for (int bit = 1; bit < me.size(); bit *= 2) {
    int const partner = me.rank() ^ bit;
    if (from_root % (2 * bit) == 0) {
      auto const came = me.receive<T>(partner);
      sums = me.rank() < partner ? detail::combined<T>(me, plus, sums, came)
                                 : detail::combined<T>(me, plus, came, sums);
    } else if (from_root % bit == 0) {
      me.send(partner, std::exchange(sums, {}));
    }
    parts::show_values(me, "values of the sum", sums);
  }
  return sums;
}

}  // namespace lockstep::textbook
