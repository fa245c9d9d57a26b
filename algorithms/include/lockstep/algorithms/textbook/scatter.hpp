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
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/textbook/detail/collective_parts.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// Scatters n elements of the root: piece j, elements floor(jn/p) to floor((j+1)n/p), goes straight
/// to processor j. Called by all processors of a crossbar.
///
/// `all`: at the root n elements; elsewhere none are read.
/// Result: this processor's piece.
/// Errors: invalid_argument if the root has not n elements; invalid_rank for a root that is not a rank;
/// those of the machine.
///
/// **Cost** the counts of `lockstep::scatter` by `direct`; strict.
///
/// **Source** JaJa and Ryu 1994, Corollary 3.1.
template <payload_element T>
[[nodiscard]] std::vector<T> scatter_directly(
    processor& me, std::span<T const> all, std::size_t n, int root = 0,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::require_root("textbook::scatter_directly", root, me.size());
  int const p = me.size();
  int const i = me.rank();
  if (i == root)
    parts::require_elements("textbook::scatter_directly", all.size(), n);
  pieces const of(n, p);
  auto const piece = [&](int j) {
    return all.subspan(of.before(j), of.size(j));
  };
  detail::held_pieces held(me, parts::piece_labels::from(root));
  if (i == root) held.add_all();

  std::vector<T> mine(of.size(i));
  if (i == root) std::ranges::copy(piece(i), mine.begin());
  me.pipelined([&] {
    for (int s = 1; s < p; ++s) {
      int const j = (root + s) % p;
      if (i == root) {
        me.send(j, piece(j));
        held.remove(j);
      } else if (i == j) {
        me.receive_into(root, mine);
        held.add(i);
      }
    }
  });
  return mine;
}

/// Gathers what `scatter_directly` deals out.
///
/// `mine`: this processor's piece.
/// Result: at the root n elements; elsewhere none.
/// Errors: invalid_argument for a piece of another size, besides those of `scatter_directly`, whose
/// **cost** it has.
template <payload_element T>
[[nodiscard]] std::vector<T> gather_directly(
    processor& me, std::span<T const> mine, std::size_t n, int root = 0,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::require_root("textbook::gather_directly", root, me.size());
  int const p = me.size();
  int const i = me.rank();
  pieces const of(n, p);
  parts::require_elements("textbook::gather_directly", mine.size(), of.size(i));
  std::vector<T> all(i == root ? n : 0);
  auto const piece = [&](int j) {
    return std::span(all).subspan(of.before(j), of.size(j));
  };
  detail::held_pieces held(me, parts::piece_labels::to(root));
  held.add(i);

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
  return all;
}

/// Scatters along a binomial tree of 2^d processors, those of a hypercube, say: in each round every
/// processor that has pieces sends half of them along one more dimension. Called by all processors.
///
/// `all`, result: those of `scatter_directly`.
/// Errors: those of `scatter_directly`, and invalid_argument unless p is a power of two.
///
/// **Cost** the counts of `lockstep::scatter` by `binomial`; strict.
template <payload_element T>
[[nodiscard]] std::vector<T> scatter_binomial(
    processor& me, std::span<T const> all, std::size_t n, int root = 0,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::require_root("textbook::scatter_binomial", root, me.size());
  detail::require_power_of_two(me, "textbook::scatter_binomial", call.where());
  pieces const of(n, me.size());
  int const from_root = me.rank() ^ root;  // its bits: the dimensions between
  std::vector<T> held;
  if (from_root == 0) {
    parts::require_elements("textbook::scatter_binomial", all.size(), n);
    held.assign(all.begin(), all.end());
  }
  parts::show_values(me, "pieces", held);

  for (int bit = me.size() / 2; bit > 0; bit /= 2) {
    int const partner = me.rank() ^ bit;
    if (from_root % (2 * bit) == 0) {  // it has the pieces of both halves
      auto const middle = of.run(me.rank() / (2 * bit) * (2 * bit), bit);
      auto const lower = std::span<T const>(held).first(middle);
      auto const upper = std::span<T const>(held).subspan(middle);
      bool const is_upper = me.rank() > partner;
      me.send(partner, is_upper ? lower : upper);
      auto const kept = is_upper ? upper : lower;
      held = std::vector(kept.begin(), kept.end());
    } else if (from_root % bit == 0) {
      held = me.receive<T>(partner, of.run(me.rank() / bit * bit, bit));
    }
    parts::show_values(me, "pieces", held);
  }
  return held;
}

/// Gathers along the tree of `scatter_binomial`, from the leaves to the root.
///
/// `mine`, result: those of `gather_directly`.
/// Errors and **cost**: those of `scatter_binomial`.
template <payload_element T>
[[nodiscard]] std::vector<T> gather_binomial(
    processor& me, std::span<T const> mine, int root = 0,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::require_root("textbook::gather_binomial", root, me.size());
  detail::require_power_of_two(me, "textbook::gather_binomial", call.where());
  int const from_root = me.rank() ^ root;
  std::vector<T> held(mine.begin(), mine.end());
  parts::show_values(me, "pieces", held);

  for (int bit = 1; bit < me.size(); bit *= 2) {
    int const partner = me.rank() ^ bit;
    if (from_root % (2 * bit) == 0) {  // gets the pieces of the other half
      auto const came = me.receive<T>(partner);
      bool const is_upper = me.rank() > partner;
      held.insert(is_upper ? held.begin() : held.end(), came.begin(),
                  came.end());
    } else if (from_root % bit == 0) {
      me.send(partner, std::exchange(held, {}));
    }
    parts::show_values(me, "pieces", held);
  }
  return held;
}

}  // namespace lockstep::textbook
