#pragma once

#include <cstddef>
#include <cstdint>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// A collective on a network, whose cost is asked for.
struct network_collective {
  collective_operation operation;
  collective_scheme scheme;  ///< one that fits
  topology const& network;
  std::size_t elements = 1;  ///< of the vector, or of a processor's block
  int root = 0;
  std::uint64_t packet = 1;
  bool reorders = true;
  bool all_ports = false;
};

/// The two figures that decide between schemes.
struct rounds_and_words {
  std::uint64_t rounds = 0;
  std::uint64_t words = 0;

  friend rounds_and_words operator+(rounds_and_words const& a, rounds_and_words const& b) {
    return {a.rounds + b.rounds, a.words + b.words};
  }
};

/// Computes them by formulas, without going through the processors, for the schemes of grids and
/// hypercubes, in the packets of the machine. Takes O(log p) time.
[[nodiscard]] rounds_and_words cost_on_axes(network_collective const& of);

/// Computes the rounds of a scheme `tree` on a grid or hypercube whose processors use all of their ports,
/// by the distances from the root.
[[nodiscard]] std::uint64_t rounds_on_tree(network_collective const& of);
/// Computes both figures there. Takes time in proportion to the rounds, once the tree is made.
[[nodiscard]] rounds_and_words cost_on_tree(network_collective const& of);

/// Counts everything, by formulas or going along the tree. Takes O(p log p) time.
[[nodiscard]] schedule_counts network_counts(network_collective const& of);

}  // namespace lockstep
