#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/textbook/detail/collective_parts.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// Gathers n elements in all processors, where processor i has piece i, elements floor(in/p) to
/// floor((i+1)n/p): each processor sends its piece straight to each other processor. Called by all
/// processors of a crossbar.
///
/// `mine`: this processor's piece.
/// Result: n elements, in the order of ranks.
/// Errors: invalid_argument for a piece of another size; those of the machine.
///
/// **Cost** the counts of `lockstep::all_gather` by `direct`; strict.
///
/// **Source** JaJa and Ryu 1994, Lemma 3.2.
template <payload_element T>
[[nodiscard]] std::vector<T> all_gather_directly(
    processor& me, std::span<T const> mine, std::size_t n,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  int const p = me.size();
  int const i = me.rank();
  pieces const of(n, p);
  parts::require_elements("textbook::all_gather_directly", mine.size(),
                          of.size(i));
  std::vector<T> all(n);
  auto const piece = [&](int j) {
    return std::span(all).subspan(of.before(j), of.size(j));
  };
  detail::held_pieces held(me, parts::piece_labels::for_all());
  held.add(i);

  std::ranges::copy(mine, piece(i).begin());
  me.pipelined([&] {
    for (int s = 1; s < p; ++s) {
      int const from = (i - s + p) % p;
      me.send((i + s) % p, mine);
      me.receive_into(from, piece(from));
      held.add(from);
    }
  });
  return all;
}

/// Gathers round a ring: each processor passes on to the next processor what came in the round before.
/// Called by all processors of a ring or crossbar.
///
/// `mine`, result, errors: those of `all_gather_directly`.
///
/// **Cost** the counts of `lockstep::all_gather` by `ring`; strict.
template <payload_element T>
[[nodiscard]] std::vector<T> all_gather_ring(
    processor& me, std::span<T const> mine, std::size_t n,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  int const p = me.size();
  int const i = me.rank();
  int const next = (i + 1) % p;
  int const before = (i - 1 + p) % p;
  pieces const of(n, p);
  parts::require_elements("textbook::all_gather_ring", mine.size(), of.size(i));
  std::vector<T> all(n);
  auto const piece = [&](int j) {
    return std::span(all).subspan(of.before(j), of.size(j));
  };
  detail::held_pieces held(me, parts::piece_labels::for_all());
  held.add(i);

  std::ranges::copy(mine, piece(i).begin());
  for (int s = 0; s + 1 < p; ++s) {
    int const leaves = (i - s + p) % p;
    int const comes = (leaves - 1 + p) % p;
    me.send(next, std::span<T const>(piece(leaves)));
    me.receive_into(before, piece(comes));
    held.add(comes);
  }
  return all;
}

/// Gathers by recursive doubling on 2^d processors, those of a hypercube, say: partners in one more
/// dimension swap all that they have. Called by all processors.
///
/// `mine`, result: those of `all_gather_directly`.
/// Errors: those of `all_gather_directly`, and invalid_argument unless p is a power of two.
///
/// **Cost** the counts of `lockstep::all_gather` by `recursive_doubling`; strict.
template <payload_element T>
[[nodiscard]] std::vector<T> all_gather_doubling(
    processor& me, std::span<T const> mine, std::size_t n,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  detail::require_power_of_two(me, "textbook::all_gather_doubling",
                               call.where());
  int const i = me.rank();
  pieces const of(n, me.size());
  parts::require_elements("textbook::all_gather_doubling", mine.size(),
                          of.size(i));
  std::vector<T> all(n);
  auto const held_by = [&](int j, int bit) {  // the pieces of its subcube
    int const first = j / bit * bit;
    return std::span(all).subspan(of.before(first), of.run(first, bit));
  };
  std::ranges::copy(mine, held_by(i, 1).begin());
  parts::show_values(me, "pieces", mine);

  for (int bit = 1; bit < me.size(); bit *= 2) {
    int const partner = i ^ bit;
    me.send(partner, std::span<T const>(held_by(i, bit)));
    me.receive_into(partner, held_by(partner, bit));
    parts::show_values(me, "pieces", held_by(i, 2 * bit));
  }
  return all;
}

}  // namespace lockstep::textbook
