#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// One processor's part in a complete exchange: the data arrays of its own node and its guests.
template <payload_element T>
class exchange_host {
 public:
  /// `write(destination, block)` lays the m elements for each destination where they are to lie.
  template <std::invocable<int, std::span<T>> Write>
  exchange_host(processor& me, exchange_schedule const& schedule, std::size_t m, Write const& write)
      : m_me(me),
        m_schedule(schedule),
        m_hosted(schedule, me.rank()),
        m_memory(m_hosted.nodes().size()),
        m_block(m) {
    auto const& own = m_hosted.nodes().front();
    auto& data = m_memory.front().data.front();
    data.resize(static_cast<std::size_t>(me.size()) * m);
    auto const walk = own.node.by_destination(own.layout);
    walk_along(walk.loops, 0, walk.place, [&](int destination, std::size_t place) {
      write(destination, std::span<T>(data).subspan(place * m, m));
    });
  }

  void run() {
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
    auto const& own = m_hosted.nodes().front();
    for (auto const& walk : own.node.by_source(own.layout)) {
      std::span<T const> const data = m_memory.front().data[walk.array];
      walk_along(walk.loops, 0, walk.place, [&](int source, std::size_t place) {
        read(source, data.subspan(place * m_block, m_block));
      });
    }
  }

 private:
  /// A node's data array, in pieces that go out and come in as they are.
  using pieces = std::array<std::vector<T>, 3>;

  /// What a node has.
  struct memory {
    pieces data;
    std::vector<T> piece;    ///< what goes out in a step, then what came in
    std::vector<T> arrived;  ///< what comes in, until all has gone out
  };

  [[nodiscard]] std::size_t nodes() const { return m_memory.size(); }
  [[nodiscard]] hosted_node& node(std::size_t i) { return m_hosted.nodes()[i]; }

  /// Says that the data arrays are re-laid here.
  void count_rearrangement() {
    std::size_t elements = 0;
    for (auto const& each : m_memory)
      for (auto const& piece : each.data) elements += piece.size();
    m_me.rearrange(elements * words_of<T>);
  }

  void run_ring_phase(std::size_t phase) {
    if (phase > 0) count_rearrangement();
    m_hosted.enter_ring(phase);
    for (std::size_t i = 0; i < nodes(); ++i) {
      auto& [data, piece, arrived] = m_memory[i];
      std::swap(piece, data.front());
      make_room(data, node(i).layout);
      keep_blocks_of_own_submesh(i, 0);
    }
    for (int step = 1; step <= m_hosted.ring_steps(phase); ++step) {
      m_hosted.ring_step(phase, step);
      exchange_pieces(phase, step);
      for (std::size_t i = 0; i < nodes(); ++i) keep_blocks_of_own_submesh(i, step);
    }
    if (!m_schedule.phases()[phase + 1].in_rings)
      for (auto& each : m_memory) each.piece = std::vector<T>();
  }

  void make_room(pieces& data, block_layout const& layout) {
    for (std::size_t array = 0; array < data.size(); ++array) {
      auto const elements = layout.size(array) * m_block;
      if (data[array].capacity() > 2 * elements) data[array] = std::vector<T>();
      data[array].resize(elements);
    }
  }

  /// The blocks for this node's submesh, the last of the piece, stay.
  void keep_blocks_of_own_submesh(std::size_t i, int step) {
    auto& [data, piece, arrived] = m_memory[i];
    if (piece.empty()) return;
    auto const staying = node(i).node.staying(step);
    auto const going_on = piece.size() - staying.size(0) * m_block;
    for (auto const& plan : copies(staying, node(i).layout))
      copy_blocks(plan, piece.data() + going_on, data[plan.to_array].data(), m_block);
    piece.resize(going_on);
  }

  void run_exchange_phase(std::size_t phase) {
    for (int step = 1; step <= m_schedule.phases()[phase].steps; ++step) {
      exchange_schedule::phase_step const when{phase, step};
      bool const is_first = m_schedule.begins_pair(when);
      if (is_first) count_rearrangement();
      m_hosted.swap_step(when);
      for (std::size_t i = 0; i < nodes(); ++i) pack_outgoing(i, is_first);
      exchange_pieces(phase, step);
      for (auto& each : m_memory) std::swap(each.data[is_first ? 1 : 2], each.piece);
      if (auto const next = m_schedule.exchange_after(when); next && !is_first)
        for (std::size_t i = 0; i < nodes(); ++i) rearrange(i, node(i).node.layout_for(*next));
    }
  }

  /// The first of a pair of steps sends the second piece as it is; the next one the end of what came
  /// in for it, and the third.
  void pack_outgoing(std::size_t i, bool is_first) {
    auto& [data, piece, arrived] = m_memory[i];
    if (is_first) return std::swap(piece, data[1]);
    auto const staying = static_cast<std::ptrdiff_t>(node(i).layout.size(1) * m_block);
    piece.reserve(node(i).out.blocks * m_block);
    piece.assign(data[1].begin() + staying, data[1].end());
    piece.insert(piece.end(), data[2].begin(), data[2].end());
    data[1].resize(static_cast<std::size_t>(staying));
  }

  void rearrange(std::size_t i, block_layout next) {
    auto& [data, piece, arrived] = m_memory[i];
    pieces laid;
    make_room(laid, next);
    for (auto const& plan : copies(node(i).layout, next))
      copy_blocks(plan, data[plan.from_array].data(), laid[plan.to_array].data(), m_block);
    data = std::move(laid);
    node(i).layout = std::move(next);
  }

  /// All pieces go to where they belong; afterwards each node has what came for it.
  void exchange_pieces(std::size_t phase, int step) {
    for (std::size_t i = 0; i < nodes(); ++i)
      if (node(i).out.host == m_me.rank()) move_to_guest(i);
    for (int turn = 1; turn <= m_hosted.turns(phase); ++turn) {
      for (std::size_t i = 0; i < nodes(); ++i) send(i, turn, phase, step);
      for (std::size_t i = 0; i < nodes(); ++i) receive(i, turn);
      if (m_schedule.has_virtual_nodes()) m_me.barrier();
    }
    for (auto& each : m_memory) {
      each.piece.clear();
      std::swap(each.piece, each.arrived);
    }
  }

  void move_to_guest(std::size_t from) {
    for (std::size_t to = 0; to < nodes(); ++to)
      if (node(to).node.at() == node(from).out.other)
        std::swap(m_memory[to].arrived, m_memory[from].piece);
    node(from).out = {};
  }

  /// Sends what node i and those after it have for the same host.
  void send(std::size_t i, int turn, std::size_t phase, int step) {
    auto const out = node(i).out;
    if (out.blocks == 0 || out.turn != turn) return;
    auto& piece = m_memory[i].piece;
    for (auto other = i + 1; other < nodes(); ++other) {
      if (node(other).out.blocks == 0 || node(other).out.host != out.host) continue;
      piece.insert(piece.end(), m_memory[other].piece.begin(), m_memory[other].piece.end());
      node(other).out = {};
    }
    node(i).out = {};
    auto const& of = m_schedule.phases()[phase];
    auto const way = m_schedule.way(node(i).node.at(), of, step);
    auto const a = static_cast<std::size_t>(way.dimension);
    m_me.send(m_schedule.route(of, way, node(i).node.at()[a], out.other[a]), std::move(piece));
  }

  /// Receives what a host has for node i and those after it. It is laid as it was sent: in the order
  /// of the nodes that it comes from.
  void receive(std::size_t i, int turn) {
    auto const in = node(i).in;
    if (in.blocks == 0 || in.turn != turn || in.host == m_me.rank()) return;
    std::vector<std::size_t> receivers;
    std::size_t blocks = 0;
    for (auto other = i; other < nodes(); ++other) {
      if (node(other).in.blocks == 0 || node(other).in.host != in.host) continue;
      receivers.push_back(other);
      blocks += node(other).in.blocks;
    }
    std::ranges::sort(receivers, {}, [&](std::size_t each) { return node(each).in.other; });
    auto message = m_me.receive<T>(in.host, blocks * m_block);
    auto const* next = message.data();
    for (auto const each : receivers) {
      auto const elements = node(each).in.blocks * m_block;
      node(each).in = {};
      if (receivers.size() == 1) {
        m_memory[each].arrived = std::move(message);
        return;
      }
      m_memory[each].arrived.assign(next, next + elements);
      next += elements;
    }
  }

  processor& m_me;
  exchange_schedule const& m_schedule;
  hosted_nodes m_hosted;
  std::vector<memory> m_memory;  ///< of each node that is hosted
  std::size_t m_block;           ///< elements in a block
};

}  // namespace lockstep::detail
