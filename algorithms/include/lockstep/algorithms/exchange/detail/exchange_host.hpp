#pragma once

#include <algorithm>
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
  /// `blocks`: one of m elements for each processor, in rank order.
  exchange_host(processor& me, exchange_schedule const& schedule, std::span<T const> blocks)
      : m_me(me),
        m_schedule(schedule),
        m_hosted(schedule, me.rank()),
        m_memory(m_hosted.nodes().size()),
        m_block(blocks.size() / static_cast<std::size_t>(me.size())) {
    auto const& own = m_hosted.nodes().front();
    m_memory.front().data.resize(blocks.size());
    copy_blocks(own.node.from_ranks(own.layout), blocks.data(), m_memory.front().data.data(),
                m_block);
  }

  void run() {
    for (std::size_t phase = 0; phase < m_schedule.phases().size(); ++phase) {
      m_me.phase(m_schedule.phases()[phase].name);
      if (m_schedule.phases()[phase].in_rings)
        go_round(phase);
      else
        meet_partners(phase);
    }
  }

  /// The blocks in the end, one from each processor, in rank order.
  [[nodiscard]] std::vector<T> blocks() const {
    auto const& own = m_hosted.nodes().front();
    auto const& data = m_memory.front().data;
    std::vector<T> blocks(data.size());
    for (auto const& plan : own.node.to_ranks(own.layout))
      copy_blocks(plan, data.data(), blocks.data(), m_block);
    return blocks;
  }

 private:
  /// What a node has.
  struct memory {
    std::vector<T> data;     ///< its data array
    std::vector<T> piece;    ///< what goes out in a step, then what came in
    std::vector<T> arrived;  ///< what comes in, until all has gone out
  };

  [[nodiscard]] std::size_t nodes() const { return m_memory.size(); }
  [[nodiscard]] hosted_node& node(std::size_t i) { return m_hosted.nodes()[i]; }

  /// Says that the data arrays are re-laid here.
  void count_rearrangement() {
    std::size_t elements = 0;
    for (auto const& each : m_memory) elements += each.data.size();
    m_me.rearrange(elements * words_of<T>);
  }

  void go_round(std::size_t phase) {
    if (phase > 0) count_rearrangement();
    m_hosted.enter_ring(phase);
    for (std::size_t i = 0; i < nodes(); ++i) {
      std::swap(m_memory[i].piece, m_memory[i].data);
      m_memory[i].data.resize(node(i).node.blocks() * m_block);
      keep_own(i, 0);
    }
    for (int step = 1; step <= m_hosted.ring_steps(phase); ++step) {
      m_hosted.ring_step(phase, step);
      trade(phase, step);
      for (std::size_t i = 0; i < nodes(); ++i) keep_own(i, step);
    }
  }

  /// The blocks for this node's submesh, the last of the piece, stay.
  void keep_own(std::size_t i, int step) {
    auto& [data, piece, arrived] = m_memory[i];
    if (piece.empty()) return;
    auto const staying = node(i).node.staying(step);
    auto const going_on = piece.size() - staying.size(0, 1) * m_block;
    for (auto const& plan : copies(staying, node(i).layout))
      copy_blocks(plan, piece.data() + going_on, data.data(), m_block);
    piece.resize(going_on);
  }

  void meet_partners(std::size_t phase) {
    auto const& of = m_schedule.phases()[phase];
    bool const is_last = phase + 1 == m_schedule.phases().size();
    for (int step = 1; step <= of.steps; ++step) {
      if (step % 2 == 1) count_rearrangement();
      m_hosted.swap_step(phase, step);
      for (std::size_t i = 0; i < nodes(); ++i) take_out(i, phase, step);
      trade(phase, step);
      for (std::size_t i = 0; i < nodes(); ++i) put_in(i, phase, step);
      if (step == of.steps ? !is_last : step % 2 == 0)
        for (std::size_t i = 0; i < nodes(); ++i)
          rearrange(i, m_hosted.next_layout(node(i), phase, step));
    }
  }

  /// Where in the data array this step's piece is.
  [[nodiscard]] std::ptrdiff_t place_of_piece(std::size_t i, std::size_t phase, int step) {
    auto const first_box = node(i).node.swap_in(m_schedule.phases()[phase], step).first_box;
    return static_cast<std::ptrdiff_t>(node(i).layout.size(0, first_box) * m_block);
  }

  void take_out(std::size_t i, std::size_t phase, int step) {
    auto& [data, piece, arrived] = m_memory[i];
    auto const going = static_cast<std::ptrdiff_t>(node(i).out.blocks * m_block);
    auto const coming = static_cast<std::ptrdiff_t>(node(i).in.blocks * m_block);
    auto const first = data.begin() + place_of_piece(i, phase, step);
    piece.assign(first, first + going);
    if (coming < going) data.erase(first, first + (going - coming));
    if (coming > going) data.insert(first, static_cast<std::size_t>(coming - going), T{});
  }

  void put_in(std::size_t i, std::size_t phase, int step) {
    auto& [data, piece, arrived] = m_memory[i];
    std::copy(piece.begin(), piece.end(), data.begin() + place_of_piece(i, phase, step));
  }

  void rearrange(std::size_t i, block_layout next) {
    auto& [data, piece, arrived] = m_memory[i];
    piece.resize(data.size());
    for (auto const& plan : copies(node(i).layout, next))
      copy_blocks(plan, data.data(), piece.data(), m_block);
    std::swap(data, piece);
    node(i).layout = std::move(next);
  }

  /// All pieces go to where they belong; afterwards each node has what came for it.
  void trade(std::size_t phase, int step) {
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
