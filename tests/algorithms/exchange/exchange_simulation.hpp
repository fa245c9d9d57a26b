#pragma once

#include <compare>
#include <cstdint>
#include <ostream>
#include <vector>

#include <lockstep/counts.hpp>

/// The complete exchange of Suh and Shin, block by block: every node of the network filled up with
/// virtual nodes has a list of blocks, and each step moves them one at a time. Neither machine nor
/// exchange of the library is in use here, so that its counts can be compared with these.
namespace exchange_simulation {

/// Dimensions are numbered from 0.
struct exchange {
  std::vector<int> sizes;
  bool wraps = true;     ///< a torus, not a mesh
  bool by_twos = false;  ///< on a torus: rings of every second node, one dimension after the other
  /// The groups of dimensions whose ring phases follow one another; empty: all in one.
  std::vector<std::vector<int>> groups{};
  /// The order of the dimensions for partners at distance 2; empty: the paper's.
  std::vector<int> partner_order{};
};

/// All that one host sends to another in one step. Hosts are ranks of the real network.
struct sent_message {
  std::uint64_t step = 0;  ///< from 1
  int from = 0;
  int to = 0;
  std::uint64_t words = 0;
  std::uint64_t hops = 0;

  friend auto operator<=>(sent_message const&, sent_message const&) = default;
};
std::ostream& operator<<(std::ostream& out, sent_message const& of);

struct experiment_result {
  /// Of each step with a message between two hosts, blocks of one word: steps, words, volume,
  /// messages, hops and contention; other counts are not simulated.
  std::vector<lockstep::counts> steps;
  std::vector<sent_message> messages;  ///< in their order
  std::uint64_t most_sends = 0;        ///< of one host in a step
  std::uint64_t most_receives = 0;     ///< of one host in a step
  std::uint64_t arrived = 0;           ///< blocks at their destination in the end
  std::uint64_t misplaced = 0;         ///< blocks elsewhere

  [[nodiscard]] lockstep::counts total() const;
};

/// Errors: std::logic_error if a node that nobody hosts gets a block, or two messages between the
/// same hosts in one step would take different ways.
[[nodiscard]] experiment_result simulate(exchange const& of);

}  // namespace exchange_simulation
