#pragma once

#include <concepts>
#include <cstddef>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/detail/data_array.hpp>
#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>
#include <lockstep/algorithms/exchange/detail/piece_exchange.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// One processor's part in a complete exchange: moves the data of its own node and its guests as
/// the plan, `hosted_nodes`, says.
template <payload_element T>
class exchange_host {
 public:
  /// `write(destination, block)` lays the m elements for each destination where they are to lie.
  template <std::invocable<int, std::span<T>> Write>
  exchange_host(processor& me, exchange_schedule const& schedule, std::size_t m, Write const& write)
      : m_me(me),
        m_schedule(schedule),
        m_plan(schedule, me.rank()),
        m_data(m_plan.nodes().size(), data_array<T>(m)),
        m_pieces(m_plan.nodes().size()),
        m_exchange(me, schedule, m) {
    auto const& own = m_plan.nodes().front();
    auto& data = m_data.front();
    data.make_room_for(own.laid->sizes);
    auto const walk = own.node.by_destination(own.layout());
    walk_along(walk, [&, to = data.at(walk.array, 0)](int destination, std::size_t place) {
      write(destination, std::span<T>(to + place * m, m));
    });
    show_data_arrays();
  }

  /// Takes an array that is not needed any more, for its memory.
  void keep_for_later(std::vector<T> unused) { m_data.front().keep_for_later(std::move(unused)); }

  void run(std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    for (std::size_t phase = 0; phase < m_schedule.phases().size(); ++phase) {
      m_me.phase(m_schedule.phases()[phase].name);
      if (m_schedule.phases()[phase].in_rings)
        run_ring_phase(phase);
      else
        run_exchange_phase(phase);
    }
  }

  /// `read(source, block)` reads the m elements from each source, in the end.
  template <std::invocable<int, std::span<T const>> Read>
  void read_blocks(Read const& read) const {
    auto const& own = m_plan.nodes().front();
    auto const& data = m_data.front();
    for (std::size_t box = 0; box < own.layout().boxes.size(); ++box) {
      auto const walk = own.node.by_source(own.layout(), box);
      walk_along(walk, [&](int source, std::size_t place) {
        read(source, data.block(walk.array, place));
      });
    }
  }

 private:
  [[nodiscard]] std::size_t nodes() const { return m_data.size(); }
  [[nodiscard]] hosted_node& node(std::size_t i) { return m_plan.nodes()[i]; }
  /// Finds the step in which partners exchange in the plan of a node.
  [[nodiscard]] exchange_plan::exchange_step const& planned(std::size_t i,
                                                            exchange_schedule::phase_step when) {
    return node(i).plan->exchanges[m_plan.exchange_number(when)];
  }

  /// Says that the data arrays are re-laid here.
  void count_rearrangement(std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    std::size_t elements = 0;
    for (auto const& each : m_data) elements += each.elements();
    m_me.rearrange(elements * words_of<T>);
  }

  void run_ring_phase(std::size_t phase,
                      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    if (phase > 0) count_rearrangement();
    m_plan.enter_ring(phase);
    for (std::size_t i = 0; i < nodes(); ++i)
      m_data[i].begin_ring(node(i).laid->sizes, m_pieces[i]);
    keep_blocks_of_own_submeshes(phase, 0);
    for (int step = 1; step <= m_plan.ring_steps(phase); ++step) {
      m_plan.ring_step(phase, step);
      exchange_pieces({phase, step});
      keep_blocks_of_own_submeshes(phase, step);
      show_ring(step);
    }
    if (!m_schedule.phases()[phase + 1].in_rings)
      for (std::size_t i = 0; i < nodes(); ++i)
        m_data[i].keep_for_later(std::exchange(m_pieces[i], {}));
  }

  void keep_blocks_of_own_submeshes(std::size_t phase, int step) {
    for (std::size_t i = 0; i < nodes(); ++i)
      m_data[i].keep_blocks_of_own_submesh(node(i).plan->rings[phase], node(i).node.source_in(step),
                                           m_pieces[i]);
  }

  void run_exchange_phase(std::size_t phase,
                          std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    for (int step = 1; step <= m_schedule.phases()[phase].steps; ++step) {
      exchange_schedule::phase_step const when{phase, step};
      bool const is_first = m_schedule.begins_pair(when);
      if (is_first) count_rearrangement();
      m_plan.swap_step(when);
      for (std::size_t i = 0; i < nodes(); ++i)
        m_data[i].pack_outgoing(is_first, planned(i, when).staying, m_pieces[i]);
      exchange_pieces(when);
      for (std::size_t i = 0; i < nodes(); ++i) m_data[i].put_incoming(is_first, m_pieces[i]);
      if (planned(0, when).is_rearranged) rearrange(when);
      show_data_arrays();
    }
  }

  /// Lays the data arrays for the next pair of exchange steps.
  void rearrange(exchange_schedule::phase_step when) {
    for (std::size_t i = 0; i < nodes(); ++i)
      m_data[i].rearrange(planned(i, when).rearrangement, planned(i, when).next.sizes);
    m_plan.rearrange(when);
  }

  void exchange_pieces(exchange_schedule::phase_step when,
                       std::source_location where = std::source_location::current()) {
    m_exchange.exchange_pieces(m_plan.nodes(), when, m_plan.turns(when.phase), m_pieces, where);
  }

  /// Shows the blocks of each node that is hosted, in the order in which they lie.
  void show_data_arrays(std::source_location where = std::source_location::current()) {
    if (!m_me.is_shown()) return;
    library_frame const frame(m_me, where);
    for (std::size_t i = 0; i < nodes(); ++i)
      m_me.show(m_plan.name_for("data array", i), node(i).node.labels(node(i).layout()));
  }
  /// The same between two steps of a ring phase, and the pieces that go on in the next one.
  void show_ring(int step, std::source_location where = std::source_location::current()) {
    if (!m_me.is_shown()) return;
    library_frame const frame(m_me, where);
    for (std::size_t i = 0; i < nodes(); ++i) {
      auto const& each = node(i).node;
      m_me.show(m_plan.name_for("data array", i), each.labels_so_far(node(i).layout(), step));
      m_me.show(m_plan.name_for("going on", i), each.labels_going_on(step));
    }
  }

  processor& m_me;
  exchange_schedule const& m_schedule;
  hosted_nodes m_plan;
  std::vector<data_array<T>> m_data;     ///< of each node that is hosted
  std::vector<std::vector<T>> m_pieces;  ///< what goes out in a step, then what came in
  piece_exchange<T> m_exchange;
};

}  // namespace lockstep::detail
