#pragma once

#include <source_location>
#include <span>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/textbook/detail/collective_parts.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// Broadcasts along a binomial tree of 2^d processors, those of a hypercube, say: in each round
/// every processor that has the block sends it along one more dimension. Called by all processors.
///
/// `block`: n elements; the root's are sent, the others' overwritten.
/// Errors: invalid_argument unless p is a power of two; invalid_rank for a root that is not a rank;
/// those of the machine.
///
/// **Cost** the counts of `lockstep::broadcast` by `binomial`; strict.
template <payload_element T>
void broadcast_binomial(
    processor& me, std::span<T> block, int root = 0,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::require_root("textbook::broadcast_binomial", root, me.size());
  detail::require_power_of_two(me, "textbook::broadcast_binomial",
                               call.where());
  int const from_root = me.rank() ^ root;  // its bits: the dimensions between
  if (from_root == 0) parts::show_values(me, "block", block);
  for (int bit = me.size() / 2; bit > 0; bit /= 2) {
    int const partner = me.rank() ^ bit;
    if (from_root % (2 * bit) == 0) {  // it has the block
      me.send(partner, std::span<T const>(block));
    } else if (from_root % bit == 0) {  // its partner has
      me.receive_into(partner, block);
      parts::show_values(me, "block", block);
    }
  }
}

/// Broadcasts in p pieces: the root deals them out, and each processor gathers them. Called by all
/// processors of a crossbar; phases "scatter" and "all-gather".
///
/// `block`, errors: those of `broadcast_binomial`, but for any p. `sizes`: how pieces share what p does
/// not divide.
///
/// **Cost** the counts of `lockstep::broadcast` by `transpose`, or with even pieces those of
/// `lockstep::block_broadcast` without a tree; strict.
///
/// **Source** JaJa and Ryu 1994, Theorem 3.3, with the pieces of Bader, Helman and JaJa 1996, 1.
template <payload_element T>
void broadcast_in_pieces(
    processor& me, std::span<T> block, int root = 0,
    piece_sizes sizes = piece_sizes::larger_first,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::require_root("textbook::broadcast_in_pieces", root, me.size());
  int const p = me.size();
  int const i = me.rank();
  pieces const of(block.size(), p, sizes);
  auto const piece = [&](int j) {
    return block.subspan(of.before(j), of.size(j));
  };
  detail::held_pieces held(me, parts::piece_labels::from(root));
  if (i == root) held.add_all();

  me.phase("scatter");  // piece j goes to processor j
  me.pipelined([&] {
    for (int s = 1; s < p; ++s) {
      int const j = (root + s) % p;
      if (i == root) {
        me.send(j, std::span<T const>(piece(j)));
        held.remove(j);
      } else if (i == j) {
        me.receive_into(root, piece(j));
        held.add(i);
      }
    }
  });

  me.phase("all-gather");  // and from there to all others
  me.pipelined([&] {
    for (int s = 1; s < p; ++s) {
      int const from = (i - s + p) % p;
      me.send((i + s) % p, std::span<T const>(piece(i)));
      me.receive_into(from, piece(from));
      held.add(from);
    }
  });
}

}  // namespace lockstep::textbook
