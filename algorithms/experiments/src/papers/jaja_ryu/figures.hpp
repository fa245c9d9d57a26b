#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// The price of a start-up in the time of a word, and the words of a packet.
struct start_up_price {
  std::int64_t tau = 16;
  std::int64_t packet = 1;
};

/// Sorts 32-bit keys by each sort on each number of processors, for n/p = p, 2p, .. up to 8 times
/// what column sort needs or to `most_each`, whichever is less, and prices the counts.
/// Errors: those of machine::run; broken_invariant for a wrong result.
/// **Source** JaJa and Ryu 1994, 5.1: which sort is best for which n.
[[nodiscard]] paper_figure sorts_over_keys(std::span<int const> processors,
                                           std::vector<start_up_price> const& prices,
                                           std::int64_t most_each);

/// Runs the algorithms on `elements` elements with packets of m = 1, 2, 4, .. tau words.
/// Errors: the same.
/// **Source** JaJa and Ryu 1994, the remark after Theorem 3.4: the effect of m.
[[nodiscard]] paper_figure times_over_packets(std::span<int const> processors,
                                              std::int64_t elements, std::int64_t tau);

/// Broadcasts blocks of `words` words by both ways of Theorem 3.3, for tau = 1, 2, 4, ..
/// Errors: the same.
[[nodiscard]] paper_figure broadcasts_over_start_ups(std::span<int const> processors,
                                                     std::vector<std::int64_t> const& words,
                                                     std::int64_t most_tau);

}  // namespace lockstep
