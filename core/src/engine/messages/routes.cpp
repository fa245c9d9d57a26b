#include "engine/messages/routes.hpp"

#include <cstdlib>

namespace lockstep::detail {

routes::way_end routes::end_of(processor_state& me, int to, std::source_location where) {
  if (to != by_way) refuse_rank(me, "sent to", to, me.more->asked_to, where);
  if (me.more->asked_way.dimension < 0)
    fail<invalid_argument>(me, where,
                           "went along a dimension that is not there: neither the machine nor this "
                           "part of it has one of that number; send to a rank instead");
  if (std::abs(std::int64_t{me.more->asked_way.offset}) > longest_way)
    fail<invalid_argument>(me, where,
                           fmt::format("went {} links along a dimension: a way has at most {}",
                                       me.more->asked_way.offset, longest_way));
  way_end end{me.rank,
              static_cast<std::uint32_t>(std::abs(std::int64_t{me.more->asked_way.offset})),
              way_taken(me.more->asked_way)};
  try {
    end.rank = network().end_of(me.rank, me.more->asked_way);
  } catch (invalid_rank const& refused) {
    fail<invalid_rank>(me, where, refused.message());
  } catch (invalid_topology const& lie) {
    fail_by_topology(me, where, lie);
  } catch (error const& refused) {
    fail<invalid_argument>(me, where, refused.message());
  }
  if (end.rank == me.rank)
    fail<invalid_rank>(
        me, where,
        fmt::format(
            "went {} links along dimension {} and came back to where it started: a processor "
            "sends to others only",
            me.more->asked_way.offset, me.more->asked_way.dimension));
  if (m_adjacent_only && end.hops != 1)
    fail<not_adjacent>(
        me, where,
        fmt::format("went {} links along dimension {} on {}: with neighbour switching a message "
                    "crosses one "
                    "link; relay it, or set switching::cut_through",
                    me.more->asked_way.offset, me.more->asked_way.dimension, network().spec()));
  return end;
}

std::uint32_t routes::look_up(int from, int to, processor_state& me, int other,
                              std::source_location where) {
  try {
    if (!m_adjacent_only) return static_cast<std::uint32_t>(network().hops(from, to));
    if (network().adjacent(from, to)) [[likely]]
      return 1;
  } catch (error const& lie) {
    fail_by_topology(me, where, lie);
  }
  refuse_distance(me, other, where);
}

// --- ports other than one ---

std::uint64_t& routes::port(std::unique_ptr<port_table>& table, std::int64_t which) {
  if (table == nullptr) table = std::make_unique<port_table>();
  return (*table)[which];
}

std::int64_t routes::out_port(processor_state& me, int to, envelope sent) {
  if (options().ports == ports::per_pass) return me.pass;
  try {
    int const first = sent.hops == 1 ? to : route(me.rank, to, sent).front();
    return network().number_of({me.rank, first});
  } catch (error const& lie) {
    fail_by_topology(me, me.where, lie);
  }
}

std::int64_t routes::in_port(processor_state& me, envelope message) {
  if (options().ports == ports::per_pass) return me.pass;
  try {
    int last = message.from;
    if (message.hops > 1)
      if (auto const way = route(message.from, me.rank, message); way.size() > 1)
        last = way[way.size() - 2];
    return network().number_of({last, me.rank});
  } catch (error const& lie) {
    fail_by_topology(me, me.where, lie);
  }
}

std::vector<int> routes::route(int from, int to, envelope const& of) const {
  return of.way.by_topology() ? network().route(from, to)
                              : network().route(from, of.way.to_along(of.hops));
}

}  // namespace lockstep::detail
