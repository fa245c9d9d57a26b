#pragma once

#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/claim.hpp>

namespace lockstep {

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
