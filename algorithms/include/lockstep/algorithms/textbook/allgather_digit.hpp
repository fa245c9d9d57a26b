#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::textbook {

/// The way back of Theorem 3.3 (JaJa and Ryu 1994, section 3) as the paper says: p = k^d
/// processors, processor i holding piece i of n elements. In phase i = 1, 2, .. d those whose
/// ranks differ in digit i - 1 only, to the base k, tell each other all they have.
/// `all_gather` does it for every p.
///
/// Errors: invalid_argument for a p that is not a power of k; those of the machine.
/// **Cost** that of `all_gather` with the same k.
template <payload_element T>
[[nodiscard]] std::vector<T> allgather_digit(
    processor& me, std::span<T const> mine, std::size_t n, int k,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  int power = 1;
  for (int phase = 0; phase < tree_phases(me.size(), k, call.where()); ++phase)
    power *= k;
  if (power != me.size())
    throw invalid_argument(
        "allgather_digit: p is a power of k; all_gather takes every p",
        call.where());
  pieces const of(n, me.size());
  std::vector<T> all(n);
  auto const held_by = [&](int rank,
                           int c) {  // pieces c floor(rank/c) and c - 1 more
    int const first = rank / c * c;
    return std::span(all).subspan(of.before(first), of.run(first, c));
  };
  std::ranges::copy(mine, held_by(me.rank(), 1).begin());
  auto const show_pieces = [&](int c) {
    int const first = me.rank() / c * c;
    me.show("pieces", rank_interval{first, first + c - 1});
  };
  show_pieces(1);
  for (int c = 1; c < me.size(); c *= k) {
    int const digit = me.rank() / c % k;
    auto const partner = [&](int with_digit) {
      return me.rank() + (with_digit - digit) * c;
    };
    me.pipelined([&] {
      for (int s = 1; s < k; ++s) {
        int const from = partner((digit + k - s) % k);
        me.send(partner((digit + s) % k),
                std::span<T const>(held_by(me.rank(), c)));
        me.receive_into(from, held_by(from, c));
      }
    });
    show_pieces(c * k);
  }
  return all;
}

}  // namespace lockstep::textbook
