#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/textbook/detail/exchanging_node.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::textbook {

/// The coordinates of a node: P(r, c) in two dimensions, P(x, y, z, ...) in more.
using node = std::vector<int>;

/// The lines of the algorithm that tell where node p transmits: the dimension, and how far which
/// way. They can be replaced one by one, for example by the printed ones.
struct exchange_rules {
  using line = std::function<along(node const& p, int number)>;

  line ring;  ///< Phase `number` = 1 .. n: to the next node of p's ring
  line
      distance_2;  ///< Step `number` = 1 .. n of Phase n + 1; a mesh has no such phase
  line distance_1;      ///< Step `number` = 1 .. n of the last phase
  bool aligned = true;  ///< whether all nodes begin a phase together
};

/// Tells where P(r, c) sends in Phases 1 and 2: 3.1.2, conditions (1) to (8). With r + c even it
/// sends along c in Phase 1 and along r in Phase 2, with r + c odd the other way about.
[[nodiscard]] inline along ring_in_2d(node const& p, int phase) {
  int const q = (p[0] + p[1]) % 4;
  bool const along_c = (q % 2 == 0) == (phase == 1);
  return {along_c ? 1 : 0, q < 2 ? +4 : -4};
}

/// Tells where P(x, y, z, ...) sends in Phases 1 to n: 3.2.1 and 3.2.2. With an even coordinate in
/// dimension k a node follows the pattern of the first k - 1 dimensions and takes dimension k last,
/// with an odd one it takes dimension k first. The rest are patterns A and B along x and y.
[[nodiscard]] inline along ring_in_nd(node const& p, int phase) {
  for (auto k = static_cast<int>(p.size()); k > 2; --k) {
    int const t = p[static_cast<std::size_t>(k - 1)] % 4;
    if (phase == (t % 2 == 0 ? k : 1))
      return {k - 1, t < 2 ? +4 : -4};  // pattern C
    if (t % 2 == 1) --phase;
  }
  int const q = (p[0] + p[1]) % 4;
  bool const along_x = (q % 2 == 0) == (phase == 1);
  return {along_x ? 0 : 1, q < 2 ? +4 : -4};
}

/// Tells where a node of a torus sends in Phases 1 to n.
/// Errors: invalid_argument for fewer than two dimensions.
[[nodiscard]] inline along ring_of_torus(node const& p, int phase) {
  lockstep::detail::require_two_dimensions(p.size());
  return p.size() == 2 ? ring_in_2d(p, phase) : ring_in_nd(p, phase);
}

/// Tells where a node of a mesh sends: in the same dimensions, at distance 2 and always in the +
/// direction (4.1 and 4.2).
[[nodiscard]] inline along ring_of_mesh(node const& p, int phase) {
  return {ring_of_torus(p, phase).dimension, +2};
}

/// Finds the partner at distance 2 in a 4 x 4 submesh: 3.1.2, Phase 3, and 3.2.1, Phase 4. Step j
/// goes along the dimension of Phase j.
[[nodiscard]] inline along partner_at_distance_2(node const& p, int step) {
  int const dimension = ring_of_torus(p, step).dimension;
  return {dimension, p[static_cast<std::size_t>(dimension)] % 4 < 2 ? +2 : -2};
}

/// Finds the partner at distance 1 in a 2 x 2 submesh: 3.1.2, Phase 4, and 4.1, Phase 3. All nodes
/// take c, then r, or x, y, z, ...
[[nodiscard]] inline along partner_at_distance_1(node const& p, int step) {
  int const dimension = p.size() == 2 ? 2 - step : step - 1;
  return {dimension, p[static_cast<std::size_t>(dimension)] % 2 == 0 ? +1 : -1};
}

/// Gives the rules of the algorithm put right.
[[nodiscard]] inline exchange_rules torus_rules() {
  return {ring_of_torus, partner_at_distance_2, partner_at_distance_1};
}
[[nodiscard]] inline exchange_rules mesh_rules() {
  return {ring_of_mesh, nullptr, partner_at_distance_1};
}

/// Exchanges blocks by these rules: brings every block to the node that its `destination` tells, if
/// the rules are right. Called by all processors of a torus or mesh.
///
/// `blocks`: what this node has to send, its own block included; a block is anything that travels
/// and has a `destination`, a rank.
/// Result: the blocks that this node has in the end.
/// Errors: those of the rules and of the machine; a rule that leads out of the network gives
/// invalid_rank.
template <payload_element Block>
[[nodiscard]] std::vector<Block> exchange(
    processor& me, std::vector<Block> blocks, exchange_rules const& rules,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  parts::exchanging_node<Block> p(me, std::move(blocks), rules.aligned);
  int const n = p.dimensions();

  // Phases 1 to n: round rings go all blocks for other submeshes.
  for (int phase = 1; phase <= n; ++phase) {
    p.begin_phase("ring " + std::to_string(phase));
    along const next = rules.ring(p.at(), phase);
    int const members = p.size(next.dimension) / std::abs(next.offset);
    for (int s = 1; s <= members - 1; ++s) p.transmit_in_ring(next);
  }

  // Phase n + 1: in a 4 x 4 submesh go those for its other halves.
  if (rules.distance_2) {
    p.begin_phase("exchange distance 2");
    for (int step = 1; step <= n; ++step)
      p.transmit_to_partner(rules.distance_2(p.at(), step));
  }

  // The last phase: in a 2 x 2 submesh, to the neighbour.
  if (rules.distance_1) {
    p.begin_phase("exchange distance 1");
    for (int step = 1; step <= n; ++step)
      p.transmit_to_partner(rules.distance_1(p.at(), step));
  }
  return std::move(p).held();
}

/// Tells why the paper's exchange does not fit this network, with examples that fit; empty if it
/// fits. It takes tori whose sizes are multiples of four, and meshes whose sizes are even, of at
/// least two dimensions.
[[nodiscard]] std::string unsupported_reason(topology const& network);

/// Exchanges blocks between all processors (complete exchange): every processor has a block of its
/// own for every processor. Called by all processors of a torus or mesh of the paper's sizes, with
/// blocks of one size m.
///
/// `blocks`: m elements per destination; p*m in all, indexed by destination.
/// Result: m elements per source; p*m in all, indexed by source.
/// Errors: invalid_argument if the network does not fit (`unsupported_reason`), or p does not
/// divide the number of elements; size_mismatch if block sizes differ between processors; and those
/// of the machine.
///
/// **Cost** the counts of `lockstep::all_to_all`, but for rearrangements: lists are not re-laid.
/// Local work O(pm log p) a step.
///
/// **Source** Suh and Shin 2001, sections 3.1, 3.2 and 4.
template <payload_element T>
[[nodiscard]] std::vector<T> all_to_all(
    processor& me, std::vector<T> const& blocks,
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  auto const m = parts::block_size(me, blocks.size());
  std::vector<labelled_element<T>> labelled;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    labelled.push_back(
        {blocks[i], me.rank(), static_cast<std::int32_t>(i / m)});

  labelled =
      exchange(me, std::move(labelled),
               parts::is_torus(me.topology()) ? torus_rules() : mesh_rules());

  parts::require_all_arrived(me, labelled.size(), blocks.size());
  std::ranges::stable_sort(labelled, {}, &labelled_element<T>::source);
  std::vector<T> arrived;
  arrived.reserve(blocks.size());
  for (auto const& each : labelled) arrived.push_back(each.element);
  return arrived;
}

}  // namespace lockstep::textbook
