#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/detail/labelled_element.hpp>
#include <lockstep/algorithms/exchange/exchange_orders.hpp>
#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// Errors: broken_invariant, always: what a send takes out does not lie together.
[[noreturn]] void throw_in_pieces(processor const& me, exchange_schedule::phase_step when);

/// The blocks of one node of a complete exchange, as the sends of the node take them: how often a
/// block goes, and in which order they lie.
class block_travel {
 public:
  block_travel(exchange_schedule const& schedule, exchange_schedule::coordinates const& at)
      : m_schedule(&schedule), m_at(at), m_sends(sends_of(schedule, at)) {}

  [[nodiscard]] std::vector<exchange_send> const& sends() const { return m_sends; }

  /// Whether a block that lies here for that destination goes in the send.
  [[nodiscard]] bool goes(int destination, exchange_send const& send) const {
    return sends_left(destination, send) > 0;
  }

  /// The place of a destination in an order that serves these sends. If it has two parts,
  /// blocks that do not go in the send of the part with one come first, by how often they go in the
  /// others, then those that do, the other way about.
  struct place {
    int goes_once = 0;
    int times = 0;
    friend auto operator<=>(place const&, place const&) = default;
  };
  [[nodiscard]] place place_for(int destination, std::span<exchange_send const> served) const;

 private:
  /// How often a block goes in the part of a send, from that send on.
  [[nodiscard]] int sends_left(int destination, exchange_send const& send) const;

  exchange_schedule const* m_schedule;
  exchange_schedule::coordinates m_at;
  std::vector<exchange_send> m_sends;
};

/// One node of a complete exchange with the fewest rearrangements.
template <payload_element T>
class rearranging_node {
 public:
  rearranging_node(processor& me, exchange_schedule const& schedule, std::vector<T> const& blocks)
      : m_me(me),
        m_schedule(schedule),
        m_at(schedule.hosted_by(me.rank()).front()),
        m_travel(schedule, m_at),
        m_ranges(fewest_orders(m_travel.sends())) {
    auto const m = blocks.size() / static_cast<std::size_t>(me.size());
    for (std::size_t i = 0; i < blocks.size(); ++i)
      m_held.push_back({blocks[i], me.rank(), static_cast<int>(i / m)});
  }

  [[nodiscard]] std::vector<T> run() && {
    auto const& phases = m_schedule.phases();
    std::size_t send = 0;
    auto range = m_ranges.begin();
    for (std::size_t phase = 0; phase < phases.size(); ++phase) {
      m_me.phase(phases[phase].name);
      for (; send < m_travel.sends().size() && m_travel.sends()[send].when.phase == phase; ++send) {
        if (range != m_ranges.end() && range->first == send) lay_for(*range++, send > 0);
        exchange(m_travel.sends()[send]);
        show();
      }
    }
    std::ranges::stable_sort(m_held, {}, &labelled_element<T>::source);
    std::vector<T> arrived;
    arrived.reserve(m_held.size());
    for (auto const& each : m_held) arrived.push_back(each.element);
    return arrived;
  }

 private:
  void lay_for(send_range const& range, bool is_counted) {
    auto const served =
        std::span(m_travel.sends()).subspan(range.first, range.last - range.first + 1);
    std::vector<block_travel::place> places;
    places.reserve(static_cast<std::size_t>(m_me.size()));
    for (int to = 0; to < m_me.size(); ++to) places.push_back(m_travel.place_for(to, served));
    std::ranges::stable_sort(m_held, {}, [&](labelled_element<T> const& one) {
      return places[static_cast<std::size_t>(one.destination)];
    });
    if (is_counted) m_me.rearrange(m_held.size() * words_of<T>);
    show();
  }

  /// Sends the one piece that goes, and puts the received one into its place.
  void exchange(exchange_send const& send) {
    auto const goes = [&](labelled_element<T> const& one) {
      return m_travel.goes(one.destination, send);
    };
    auto const first = std::ranges::find_if(m_held, goes);
    auto const last = std::find_if_not(first, m_held.end(), goes);
    if (std::find_if(last, m_held.end(), goes) != m_held.end()) throw_in_pieces(m_me, send.when);
    auto const& phase = m_schedule.phases()[send.when.phase];
    auto const way = m_schedule.way(m_at, send.when);
    auto const a = static_cast<std::size_t>(way.dimension);
    int const to = phase.in_rings ? next_in_ring(way, +1) : m_at[a] ^ phase.distance;
    int const from = phase.in_rings ? next_in_ring(way, -1) : to;
    std::vector<labelled_element<T>> piece(first, last);
    m_me.send(m_schedule.route(phase, way, m_at[a], to), std::move(piece));
    auto const sender = m_me.rank() + (from - m_at[a]) * m_schedule.weight(way.dimension);
    auto const arrived =
        m_me.receive<labelled_element<T>>(sender, static_cast<std::size_t>(last - first));
    std::ranges::copy(arrived, first);
  }

  [[nodiscard]] int next_in_ring(exchange_schedule::direction way, int steps) const {
    int const size = m_schedule.size(way.dimension);
    int const moved =
        m_at[static_cast<std::size_t>(way.dimension)] + steps * way.sign * m_schedule.stride();
    return (moved + size) % size;
  }

  void show() {
    if (m_me.is_shown()) m_me.show("data array", labels_of(m_held));
  }

  processor& m_me;
  exchange_schedule const& m_schedule;
  exchange_schedule::coordinates m_at;
  block_travel m_travel;
  std::vector<send_range> m_ranges;
  std::vector<labelled_element<T>> m_held;
};

}  // namespace lockstep::detail
