#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/algorithms/textbook/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topology.hpp>

/// Runs what Suh and Shin print: the textbook form of their exchange with a line or two replaced by
/// the printed ones.
namespace as_printed {

using lockstep::along;
using lockstep::textbook::exchange_rules;
using lockstep::textbook::node;

/// One block, one word: where it comes from, and where it has to go.
struct block {
  std::int32_t source;
  std::int32_t destination;

  friend bool operator==(block const&, block const&) = default;
};
using block_list = std::vector<block>;

struct network {
  std::vector<int> sizes;
  bool wraps;  ///< a torus

  [[nodiscard]] int processors() const;
  [[nodiscard]] node at(int rank) const;
  /// The rank of that node, or `outside`.
  [[nodiscard]] int rank_of(node const& x) const;
  [[nodiscard]] lockstep::machine machine(lockstep::machine_options const& options = {}) const;

  static constexpr int outside = -1;
};

/// P(r, c + offset), which may lie outside the network; and P(r, (c + offset) mod C).
[[nodiscard]] node moved(node x, along const& by);
[[nodiscard]] node moved_round(network const& on, node x, along const& by);

/// Runs the exchange by these rules. Result: the blocks that each node has at the end.
/// Errors: invalid_rank if a rule leads outside the network, and those of the machine.
[[nodiscard]] lockstep::run_of<block_list> run(network const& on, exchange_rules const& printed,
                                               lockstep::machine_options const& options = {});

/// The same by the algorithm put right.
[[nodiscard]] exchange_rules rules_of(network const& on);

/// The messages of one step that go where they should not.
struct strays {
  int senders = 0;         ///< all messages
  int out_of_network = 0;  ///< receivers that do not exist
  int out_of_submesh = 0;  ///< receivers in another submesh of that side

  friend bool operator==(strays const&, strays const&) = default;
};
[[nodiscard]] strays strays_of(network const& on, exchange_rules::line const& printed, int number,
                               int side);

/// Blocks that are not in their destination's submesh of that side (1: not at their destination).
[[nodiscard]] int misplaced(network const& on, std::vector<block_list> const& held, int side);

/// Where a run broke off.
struct breakdown {
  int rank = -1;
  std::uint64_t step = 0;

  friend bool operator==(breakdown const&, breakdown const&) = default;
};

/// The rank and the step of the error that ends `run`; rank -1 if none of that type does.
template <class Error, class Run>
[[nodiscard]] breakdown breakdown_of(Run const& run) {
  try {
    run();
  } catch (Error const& broken) {
    return {broken.rank(), broken.step()};
  }
  return {};
}

}  // namespace as_printed
