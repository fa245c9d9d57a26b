#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/random_access/monotone_schedule.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/routing/h_relation_direct.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// The rounds in which all processors of a network send to all, no two messages of a round over one
/// link.
enum class exchange_way : std::uint8_t {
  shifts,  ///< p - 1 rounds, in round k from i to (i + k) mod p: on a crossbar
  pairs,   ///< p - 1 rounds, in round k between i and i xor k: on a hypercube that cuts through
  /// Along one dimension after the other, where what goes far is passed on from one processor to the
  /// next: on a torus or mesh, and on a hypercube whose messages go to neighbours only.
  rings
};

/// Finds the way of a machine, or of the part of one, that a processor belongs to.
[[nodiscard]] exchange_way exchange_way_of(processor const& me);

/// Whether messages of a round may go between any processors: steps as `monotone_schedule` has them are
/// for such networks.
[[nodiscard]] inline bool reaches_anybody(processor const& me) {
  return exchange_way_of(me) == exchange_way::shifts;
}

/// An element that is passed on. A word like the element alone.
template <payload_element T>
struct passed_on {
  using counts_as = T;

  T element;
  int source;
  int destination;
};

/// Passes items along one line: those for other positions go from each processor to the next one, which
/// keeps its own. A line's last processor sends to the first, against all others.
/// Result: what stays here, in the order in which it came.
template <payload_element T>
[[nodiscard]] std::vector<passed_on<T>> pass_along(processor& me, rank_line const& line,
                                                   std::vector<passed_on<T>> here) {
  std::vector<passed_on<T>> staying;
  std::vector<passed_on<T>> leaving;
  auto const sort_out = [&](std::vector<passed_on<T>> const& all) {
    for (auto const& one : all) {
      bool const stays = one.destination / line.stride() % line.size() == line.position();
      (stays ? staying : leaving).push_back(one);
    }
  };
  sort_out(here);
  here.clear();
  for (int round = 1; round < line.size(); ++round) {
    me.send(line.rank_at(line.position() + 1), std::exchange(leaving, {}));
    sort_out(me.receive<passed_on<T>>(line.rank_at(line.position() - 1)));
  }
  return staying;
}

/// Each bin to its processor, along one dimension after the other.
/// Result: what came, indexed by source.
template <payload_element T, class Show>
[[nodiscard]] bins<T> exchange_in_lines(processor& me, bins<T> out, Show const& show) {
  if (me.is_shown()) show(out, bins<T>(out.size()), 0);
  std::vector<passed_on<T>> here;
  for (std::size_t to = 0; to < out.size(); ++to) {
    for (auto const& element : out[to]) here.push_back({element, me.rank(), static_cast<int>(to)});
    out[to] = {};
  }
  for (auto const& axis : axes_of(me.topology()).list)
    here = pass_along(me, rank_line(me.rank(), axis), std::move(here));
  bins<T> in(out.size());
  for (auto const& one : here) in[static_cast<std::size_t>(one.source)].push_back(one.element);
  if (me.is_shown()) show(out, in, 0);
  return in;
}

/// Each bin to its processor, in the rounds of the network. `show(out, in, rounds)`: in a view, shows
/// the bins that have not gone and those that have come; in rings only before and afterwards.
/// Result: what came, indexed by source.
template <payload_element T, class Show>
[[nodiscard]] bins<T> exchange_on_network(
    processor& me, bins<T> out, Show const& show,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  switch (exchange_way_of(me)) {
    case exchange_way::rings:
      return exchange_in_lines(me, std::move(out), show);
    case exchange_way::pairs:
      return exchange_in_rounds(me, std::move(out), round_order::pex, show);
    default:
      return exchange_in_rounds(me, std::move(out), round_order::lp, show);
  }
}

/// A message on a link, or from one processor straight to another.
struct message_hop {
  std::size_t message = 0;  ///< its number
  int from = 0;
  int to = 0;
  std::optional<along> way{};  ///< which way round, on a torus
};

/// Finds the hops of messages in each step, where the intervals from sender to receiver share
/// nothing but ends, all upwards or all downwards: a single step, but on a torus, where a message
/// turns only between steps, and goes as on the mesh, so that none meets another on a link.
[[nodiscard]] std::vector<std::vector<message_hop>> steps_of_intervals(
    topology const& network, std::span<sender_and_receiver const> messages);

/// Sends messages that all processors know of, each of a processor at most one and to each at most
/// one, in the steps of `steps_of_intervals`.
/// `mine`: this processor's message, if there is one from it. Result: the one for it, or nothing.
template <payload_element T>
[[nodiscard]] std::vector<T> send_over_intervals(processor& me,
                                                 std::span<sender_and_receiver const> messages,
                                                 std::vector<T> mine) {
  std::vector<std::vector<T>> held(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (messages[i].from == me.rank()) held[i] = std::move(mine);
  for (auto const& step : steps_of_intervals(me.topology(), messages)) {
    auto const now = me.now();
    for (auto const& [message, from, to, way] : step) {
      if (from != me.rank()) continue;
      auto leaving = std::exchange(held[message], {});
      if (way)
        me.send(*way, std::move(leaving));
      else
        me.send(to, std::move(leaving));
    }
    for (auto const& [message, from, to, way] : step)
      if (to == me.rank()) held[message] = me.receive<T>(from);
    if (me.now() == now) me.idle();
  }
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (messages[i].to == me.rank()) return std::move(held[i]);
  return {};
}

}  // namespace lockstep::detail
