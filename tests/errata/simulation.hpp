#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topology.hpp>

/// Runs what Suh and Shin print, step by step, on a machine: for the errata, where the library has
/// what is right. Nothing here uses the library's own exchange.
namespace as_printed {

/// P(r, c) or P(x, y, z): coordinates, which may lie outside the network.
using node = std::vector<int>;

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

/// "P(r, c) -> P(r, (c + 4) mod C)", or, without the "mod C", P(r, c + 2). What is sent are all
/// blocks that are not for the receiver's side: those whose destination has another coordinate,
/// divided by |offset|, than the sender.
struct transmission {
  int dimension;
  int offset;
  bool modulo;
};

/// What a node transmits in one step, if anything.
using step = std::function<std::optional<transmission>(node const&)>;
using step_list = std::vector<step>;

/// Where the transmission of node x leads, by the letter; it may lie outside the network.
[[nodiscard]] node end_of(network const& on, node const& x, transmission const& sent);

enum class alignment : std::uint8_t {
  every_step,  ///< a barrier before each step
  none         ///< every node goes on as soon as it can
};

/// Runs the steps. Result: the blocks that each node has at the end.
/// Errors: invalid_rank if a step leads outside the network, and those of the machine.
[[nodiscard]] lockstep::run_of<block_list> run(network const& on, step_list const& printed,
                                               lockstep::machine_options const& options = {},
                                               alignment aligned = alignment::every_step);

/// The messages of one step that go where they should not.
struct strays {
  int senders = 0;         ///< all messages
  int out_of_network = 0;  ///< receivers that do not exist
  int out_of_submesh = 0;  ///< receivers in another submesh of that side

  friend bool operator==(strays const&, strays const&) = default;
};
[[nodiscard]] strays strays_of(network const& on, step const& printed, int side);

/// Blocks that are not in their destination's submesh of that side (1: not at their destination).
[[nodiscard]] int misplaced(network const& on, std::vector<block_list> const& held, int side);

/// The dimension and the sign that node x has in Phase p of the torus algorithm: conditions (1) to
/// (8) in two dimensions; in more, dimension n last in even units and first in odd ones.
struct way {
  int dimension;
  int sign;
};
[[nodiscard]] way way_in_phase(node const& x, int phase);

/// The torus algorithm put right: Phases 1 to n; Phase n + 1, in step j along the dimension of
/// Phase j; Phase n + 2; all of it.
[[nodiscard]] step_list ring_phases(network const& on);
[[nodiscard]] step exchange_at_distance_2(int j);
[[nodiscard]] step exchange_at_distance_1(int dimension);
[[nodiscard]] step_list torus_algorithm(network const& on);

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
