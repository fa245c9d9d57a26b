#pragma once

#include <cstddef>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/detail/greedy_node.hpp>
#include <lockstep/algorithms/routing/detail/successive_dimensions.hpp>
#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Dimensions that packets cross greedily, and for how many rounds.
struct greedy_group {
  int lowest = 0;
  int dimensions = 0;
  int rounds = 0;

  friend bool operator==(greedy_group const&, greedy_group const&) = default;
};

/// The schedule of a greedy route, known to all processors: its groups of dimensions, from the
/// highest down, of ceil(log2 d) each (1 for d = 1; the last may have fewer), and when each ends.
class greedy_schedule {
 public:
  /// Makes one for every permutation. A group of g dimensions takes 2^(g-1) rounds: at most 2^s
  /// packets cross the same link of its s-th dimension, s = 0 .. g-1, and the last of these does so
  /// in round 2^s at the latest. (From the last round on in which the queue is empty, t, come those
  /// of earlier dimensions s' in rounds t .. 2^s' only, so it is empty again after at most t + sum
  /// of max(0, 2^s' - t + 1) <= 2^s rounds.)
  /// Errors: invalid_argument unless d is 0 to 30.
  explicit greedy_schedule(int d, std::source_location where = std::source_location::current());

  /// Makes one for a pattern that all processors know: as many rounds as it takes. The packet of
  /// processor i goes to destinations[i], or there is none (`routed<>::nowhere`).
  /// Errors: invalid_argument unless d is 0 to 30, and there are 2^d, all ranks, no two the same.
  /// Cost: no step; d packets and more for each processor.
  greedy_schedule(int d, std::span<int const> destinations,
                  std::source_location where = std::source_location::current());

  [[nodiscard]] int dimension() const { return m_dimension; }
  [[nodiscard]] std::span<greedy_group const> groups() const { return m_groups; }
  /// The rounds of all groups.
  [[nodiscard]] int rounds() const;
  /// Whether it is for one pattern only.
  [[nodiscard]] bool is_for_a_pattern() const { return m_is_for_a_pattern; }

  /// Errors: invalid_argument for another network than that for which the schedule was made.
  void require_made_for(topology const& network,
                        std::source_location where = std::source_location::current()) const;

 private:
  int m_dimension;
  bool m_is_for_a_pattern;
  std::vector<greedy_group> m_groups;
};

namespace detail {

/// Errors: invalid_argument unless the destination is a processor of the network.
void require_packet_destination(topology const& network, int destination);

/// Errors: invalid_argument, always: the schedule ended before the packets had arrived.
[[noreturn]] void throw_still_on_its_way(int rank);

/// Sends packets over the dimensions of the group as long as it lasts. An empty message tells the
/// neighbour that nothing comes.
/// Result: those that have crossed all that they had to, in the order in which they came.
template <payload_element T>
[[nodiscard]] std::vector<routed<T>> cross_greedily(
    processor& me, greedy_group const& group, routed<T> const& packet,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  greedy_node<T> node(me.rank(), group.lowest, group.dimensions);
  if (packet.is_there()) node.put(packet);
  if (me.is_shown()) show_records(me, node.packets());
  auto const dimensions = static_cast<std::size_t>(group.dimensions);
  auto const neighbour = [&](std::size_t s) { return me.rank() ^ (1 << group.lowest << s); };
  for (int round = 0; round < group.rounds; ++round) {
    for (auto s = dimensions; s-- > 0;) me.send(neighbour(s), node.take(s));
    for (auto s = dimensions; s-- > 0;)
      for (auto const& came : me.receive<routed<T>>(neighbour(s))) node.put(came);
    if (me.is_shown()) show_records(me, node.packets());
  }
  if (node.has_packets_on_their_way()) throw_still_on_its_way(me.rank());
  return node.arrived();
}

/// Counts, for the spreading of at most `most` packets of each processor: those of the processors
/// before, and of each t those which have more than t packets.
[[nodiscard]] std::vector<int> counts_before(
    processor& me, std::size_t packets, std::size_t most,
    std::source_location where = std::source_location::current());

/// Spreads packets, at most `most` on a processor, and no more than there are processors, so that
/// each has one at most: those of a processor go to as many in a row, after those of the processors
/// before. Called by all processors of a hypercube or subcube.
/// Result: this processor's packet or, if there are fewer than processors, nothing.
/// **Cost** on 2^r processors r + `most` for prefixes, twice r + `most` - 1 for routes.
template <payload_element T>
[[nodiscard]] routed<T> spread_out(processor& me, std::vector<routed<T>> const& packets,
                                   std::size_t most,
                                   std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const before = counts_before(me, packets.size(), most);
  std::vector<routed<routed<routed<T>>>> ranked(most);
  for (std::size_t t = 0; t < packets.size(); ++t)
    ranked[t] = {{packets[t], before[0] + static_cast<int>(t)}, before[t + 1]};
  auto const concentrated = concentrate(me, std::span<routed<routed<routed<T>>> const>(ranked));
  std::vector<routed<routed<T>>> in_order(most);
  for (std::size_t t = 0; t < most; ++t)
    if (concentrated[t]) in_order[t] = *concentrated[t];
  for (auto const& arrived : inverse_concentrate(me, std::span<routed<routed<T>> const>(in_order)))
    if (arrived) return *arrived;
  return {};
}

}  // namespace detail

/// Routes a permutation: the packet of each processor, if it has one, goes to a processor to which
/// no other goes. Groups of g = ceil(log2 d) dimensions are crossed greedily, from the highest down.
/// As many as K = 2^g packets can meet in a processor, so that after each group but the last they
/// are spread over the subcube of the r lower dimensions, by prefixes, concentrations and inverse
/// concentrations. Called by all processors of a hypercube, with all ports.
///
/// `packet`: this processor's, with its destination, or nothing. `schedule`: made for the hypercube,
/// and for the pattern or for all.
/// Shows: "records" and their "destinations".
/// Result: the packet that has come to this processor, or nothing.
/// Errors: invalid_argument for another network, a destination that is not a rank, and a schedule
/// that was made for another pattern; all of these come out of the run as processor_failed; those
/// of the machine.
///
/// **Cost** neighbour switching, all ports, strict: G + (m - 1)(3K + 3d - 2) - 3g m(m - 1)/2 steps
/// with m = ceil(d/g) groups, which take G together: G and 3(K + r) - 2 for each spreading. It is
/// O(d^2 / log d). That a group has ended is known from the schedule. A record that is passed on, or
/// nothing where one could be, is one message in the spreading; in the groups nothing is a message
/// without words.
///
/// **Source** D. Peleg, as Mayr and Plaxton 1989 tell it in their concluding remarks, which leave the
/// spreading to the reader.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{2}, {.ports = lockstep::ports::all}};
/// std::vector<int> const to{0, 2, 1, 3};  // bits reversed
/// lockstep::greedy_schedule const schedule(2, to);
/// auto run = cube.run([&](lockstep::processor& me) {
///   lockstep::routed<int> const mine{me.rank() * 10, to[static_cast<std::size_t>(me.rank())]};
///   return lockstep::greedy_route(me, mine, schedule);
/// });
/// run.results()[2];    // 10
/// run.counts().steps;  // 8
/// ```
template <payload_element T>
[[nodiscard]] std::optional<T> greedy_route(
    processor& me, routed<T> packet, greedy_schedule const& schedule,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  schedule.require_made_for(me.topology(), call.where());
  if (packet.is_there()) detail::require_packet_destination(me.topology(), packet.destination);
  for (auto const& group : schedule.groups()) {
    me.phase("greedy, down to dimension " + std::to_string(group.lowest));
    auto const arrived = detail::cross_greedily(me, group, packet);
    if (group.lowest == 0) {
      packet = arrived.empty() ? routed<T>{} : arrived.front();
      continue;
    }
    me.phase("spreading, from dimension " + std::to_string(group.lowest - 1));
    auto part = me.subset(detail::successive_dimensions(0, group.lowest));
    packet = detail::spread_out(part, arrived, std::size_t{1} << group.dimensions);
  }
  return packet.is_there() ? std::optional<T>(packet.value) : std::nullopt;
}

/// Claims what `greedy_route` costs by a schedule: exactly, if it is for one pattern.
[[nodiscard]] std::vector<claim> greedy_route_claims(greedy_schedule const& schedule);

}  // namespace lockstep
