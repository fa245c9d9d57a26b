#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Exchanges pieces between nodes, real and virtual, by messages between the processors that host
/// them.
template <payload_element T>
class piece_exchange {
 public:
  using pieces = std::vector<std::vector<T>>;  ///< of each node that is hosted

  /// `block`: elements in a block.
  piece_exchange(processor& me, exchange_schedule const& schedule, std::size_t block)
      : m_me(me), m_schedule(schedule), m_block(block) {}

  /// Sends every node's piece to where `nodes` says; afterwards each node has what came for it.
  void exchange_pieces(std::vector<hosted_node>& nodes, exchange_schedule::phase_step when,
                       int turns, pieces& all,
                       std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    if (!m_schedule.has_virtual_nodes()) return exchange_piece(nodes.front(), when, all.front());
    m_arrived.resize(all.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].out.host == m_me.rank()) move_to_guest(nodes, i, all);
    for (int turn = 1; turn <= turns; ++turn) {
      for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].out.blocks > 0 && nodes[i].out.turn == turn) send(nodes, i, when, all);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto const& in = nodes[i].in;
        if (in.blocks > 0 && in.turn == turn && in.host != m_me.rank()) receive(nodes, i);
      }
      m_me.barrier();
    }
    for (auto& each : all) each.clear();
    std::swap(all, m_arrived);
  }

 private:
  /// Does the same without virtual nodes: a processor is one node, and serves one partner a step.
  void exchange_piece(hosted_node const& node, exchange_schedule::phase_step when,
                      std::vector<T>& piece) {
    if (node.out.blocks > 0) m_me.send(route(node.node, node.out, when), std::move(piece));
    piece.clear();
    if (node.in.blocks > 0) piece = m_me.receive<T>(node.in.host, node.in.blocks * m_block);
  }

  void move_to_guest(std::vector<hosted_node>& nodes, std::size_t from, pieces& all) {
    for (std::size_t to = 0; to < nodes.size(); ++to)
      if (nodes[to].node.at() == nodes[from].out.other) std::swap(m_arrived[to], all[from]);
    nodes[from].out = {};
  }

  /// Sends what node i and those after it have for the same host.
  void send(std::vector<hosted_node>& nodes, std::size_t i, exchange_schedule::phase_step when,
            pieces& all) {
    auto const out = nodes[i].out;
    for (auto other = i + 1; other < nodes.size(); ++other) {
      if (nodes[other].out.blocks == 0 || nodes[other].out.host != out.host) continue;
      all[i].insert(all[i].end(), all[other].begin(), all[other].end());
      nodes[other].out = {};
    }
    nodes[i].out = {};
    m_me.send(route(nodes[i].node, out, when), std::move(all[i]));
  }

  [[nodiscard]] along route(exchange_node const& from, node_transfer const& out,
                            exchange_schedule::phase_step when) const {
    auto const a = static_cast<std::size_t>(out.way.dimension);
    return m_schedule.route(m_schedule.phases()[when.phase], out.way, from.at()[a], out.other[a]);
  }

  /// Receives what a host has for node i and those after it. It is laid as it was sent: in the
  /// order of the nodes that it comes from.
  void receive(std::vector<hosted_node>& nodes, std::size_t i) {
    auto const host = nodes[i].in.host;
    std::vector<std::size_t> receivers;
    std::size_t blocks = 0;
    for (auto other = i; other < nodes.size(); ++other) {
      if (nodes[other].in.blocks == 0 || nodes[other].in.host != host) continue;
      receivers.push_back(other);
      blocks += nodes[other].in.blocks;
    }
    std::ranges::sort(receivers, {}, [&](std::size_t each) { return nodes[each].in.other; });
    auto message = m_me.receive<T>(host, blocks * m_block);
    auto next = message.begin();
    for (auto const each : receivers) {
      auto const end = next + static_cast<std::ptrdiff_t>(nodes[each].in.blocks * m_block);
      nodes[each].in = {};
      if (receivers.size() == 1) {
        m_arrived[each] = std::move(message);
        return;
      }
      m_arrived[each].assign(next, end);
      next = end;
    }
  }

  processor& m_me;
  exchange_schedule const& m_schedule;
  std::size_t m_block;
  pieces m_arrived;  ///< the pieces received, until all has gone out
};

}  // namespace lockstep::detail
