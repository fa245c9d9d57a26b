#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/claim.hpp>

namespace lockstep {

/// Bounds of JaJa and Ryu 1994, section 3, on times that several statements or tables have: of an item of each
/// processor in one phase and in two, and of a block of n words in one phase, in pieces and whole, and in
/// pieces by trees.
inline constexpr char const* time_of_items = "tau + m(p - 1)";
inline constexpr char const* time_of_items_in_two_phases = "2 tau + m^2 + p";
inline constexpr char const* time_of_pieces = "tau + (p - 1)m ceil(n/(pm))";
inline constexpr char const* time_of_whole_blocks = "tau + (p - 1)m ceil(n/m)";
inline constexpr char const* time_of_pieces_by_trees = "2 tau ceil(log_k p) + n";

// Rounds in which the processors that have the data double or halve in number, and rounds of rings along all lines.
inline constexpr char const* rounds_of_doubling = "ceil(log2 p)";
inline constexpr char const* rounds_of_halving = "floor(log2 p)";
inline constexpr char const* rounds_of_lines = "sum (n_i - 1)";

/// Writes the rounds of a binomial tree or, on a torus or mesh, of those along its lines.
[[nodiscard]] constexpr char const* rounds_of_binomial(bool on_grid) {
  return on_grid ? "sum ceil(log2 n_i)" : rounds_of_doubling;
}

/// Makes the hypothesis of theorems on trees with k = tau/m + 1. m >= 1.
[[nodiscard]] inline hypothesis whole_packets_of_latency(std::uint64_t tau, std::uint64_t m) {
  return {"tau of whole packets, at least one", tau > 0 && tau % m == 0};
}

/// A schedule's counts, and how one writes them down. p processors, packets of m words, pieces of
/// n_i words.
struct written_schedule {
  schedule_counts counts;
  std::string rounds;
  std::string startups;
  std::string words;
  std::string volume;
  std::string messages;
};

[[nodiscard]] written_schedule written_transpose(int p, std::size_t rows, std::uint64_t packet);
[[nodiscard]] written_schedule written_piece_tree(pieces const& of, int k, int root,
                                                  std::uint64_t packet);
[[nodiscard]] written_schedule written_circulant_all_gather(pieces const& of, int first_k, int k,
                                                            std::uint64_t packet);
[[nodiscard]] written_schedule written_block_tree(int p, std::size_t n, int k,
                                                  std::uint64_t packet);

/// One after the other.
[[nodiscard]] written_schedule operator+(written_schedule const& a, written_schedule const& b);

/// As claims of the figures that it counts.
[[nodiscard]] std::vector<claim> exact_claims(written_schedule const& schedule,
                                              std::string const& source);

}  // namespace lockstep
