#include "engine/messages/routes.hpp"

#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "engine/throw_errors.hpp"

namespace lockstep::detail {

namespace {

std::vector<int> route_of(runtime const& run, int from, int to, envelope const& of) {
  return of.way.by_topology() ? run.network().route(from, to)
                              : run.network().route(from, of.way.to_along(of.hops));
}

}  // namespace

route_end end_of_way(runtime& run, processor_state& me, int to) {
  if (to != by_way) throw_invalid_rank(run, me, "sent to", to, me.more->asked_to);
  if (me.more->asked_way.dimension < 0)
    run.fail<invalid_argument>(
        me,
        "went along a dimension that is not there: neither the machine nor this "
        "part of it has one of that number; send to a rank instead");
  if (std::abs(std::int64_t{me.more->asked_way.offset}) > longest_way)
    run.fail<invalid_argument>(me,
                               fmt::format("went {} links along a dimension: a way has at most {}",
                                           me.more->asked_way.offset, longest_way));
  route_end end{me.rank,
                static_cast<std::uint32_t>(std::abs(std::int64_t{me.more->asked_way.offset})),
                way_taken(me.more->asked_way)};
  try {
    end.rank = run.network().end_of(me.rank, me.more->asked_way);
  } catch (invalid_rank const& refused) {
    run.fail<invalid_rank>(me, refused.message());
  } catch (invalid_topology const& lie) {
    run.fail_by_topology(me, lie);
  } catch (error const& refused) {
    run.fail<invalid_argument>(me, refused.message());
  }
  if (end.rank == me.rank)
    run.fail<invalid_rank>(
        me, fmt::format(
                "went {} links along dimension {} and came back to where it started: a processor "
                "sends to others only",
                me.more->asked_way.offset, me.more->asked_way.dimension));
  if (run.adjacent_only() && end.hops != 1)
    run.fail<not_adjacent>(
        me,
        fmt::format("went {} links along dimension {} on {}: with neighbour switching a message "
                    "crosses one "
                    "link; relay it, or set switching::cut_through",
                    me.more->asked_way.offset, me.more->asked_way.dimension, run.network().spec()));
  return end;
}

std::uint64_t& last_use_of(std::unique_ptr<port_tables>& tables, port_table port_tables::*way,
                           std::int64_t port) {
  if (tables == nullptr) tables = std::make_unique<port_tables>();
  return (tables.get()->*way)[port];
}

std::int64_t out_port(runtime& run, processor_state& me, int to, envelope sent) {
  if (run.options().ports == ports::per_pass) return me.pass;
  try {
    int const first = sent.hops == 1 ? to : route_of(run, me.rank, to, sent).front();
    return run.network().number_of({me.rank, first});
  } catch (error const& lie) {
    run.fail_by_topology(me, lie);
  }
}

std::int64_t in_port(runtime& run, processor_state& me, envelope message) {
  if (run.options().ports == ports::per_pass) return me.pass;
  try {
    int last = message.from;
    if (message.hops > 1)
      if (auto const way = route_of(run, message.from, me.rank, message); way.size() > 1)
        last = way[way.size() - 2];
    return run.network().number_of({last, me.rank});
  } catch (error const& lie) {
    run.fail_by_topology(me, lie);
  }
}

}  // namespace lockstep::detail
