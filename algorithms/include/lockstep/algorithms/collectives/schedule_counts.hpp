#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/pieces.hpp>

namespace lockstep {

/// The costs of a schedule of pipelined phases, found by going through it without a machine.
/// Elements count as one word.
struct schedule_counts {
  std::uint64_t rounds = 0;  ///< with empty messages
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
  std::uint64_t volume = 0;
  std::uint64_t messages = 0;

  friend bool operator==(schedule_counts const&, schedule_counts const&) = default;
};

/// One after the other.
/// Errors: invalid_argument where a count passes 64 bits.
[[nodiscard]] schedule_counts operator+(schedule_counts const& a, schedule_counts const& b);

/// Computes the schedule's time on a machine of that latency, in the time of a word.
[[nodiscard]] double time_of(schedule_counts const& schedule, std::uint64_t tau);

/// Of a transposition with that many rows. Errors of these functions: invalid_argument for k < 2, p
/// < 1 or packets of 0 words, and where a count passes 64 bits; invalid_rank for a root that is not a
/// rank.
[[nodiscard]] schedule_counts transpose_counts(
    int p, std::size_t rows, std::uint64_t packet,
    std::source_location where = std::source_location::current());

/// Of pieces that go along a tree from the root, or to it. Takes O(p) time and memory.
/// Errors: besides, invalid_argument for p > 2^25.
[[nodiscard]] schedule_counts piece_tree_counts(
    pieces const& of, int k, int root, std::uint64_t packet,
    std::source_location where = std::source_location::current());

/// Of pieces that go round, to all, or of summands of them that come together. Takes O(log p)
/// time where p divides the elements, else O(p) time for each phase, and as much memory.
/// Errors: besides, invalid_argument for p > 2^25 that does not divide the elements.
[[nodiscard]] schedule_counts circulant_all_gather_counts(
    pieces const& of, int first_k, int k, std::uint64_t packet,
    std::source_location where = std::source_location::current());
/// The former name of `circulant_all_gather_counts`.
[[nodiscard]] inline schedule_counts piece_cycle_counts(pieces const& of, int first_k, int k,
                                                        std::uint64_t packet) {
  return circulant_all_gather_counts(of, first_k, k, packet);
}

/// Of whole blocks that go along a tree, from the root or to it.
[[nodiscard]] schedule_counts block_tree_counts(
    int p, std::size_t elements, int k, std::uint64_t packet,
    std::source_location where = std::source_location::current());

}  // namespace lockstep
