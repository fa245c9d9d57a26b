#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>

#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::detail {

hosted_nodes::hosted_nodes(exchange_schedule const& schedule, int rank) : m_schedule(&schedule) {
  for (auto const& at : schedule.hosted_by(rank)) {
    auto& added = m_nodes.emplace_back(hosted_node{exchange_node(schedule, at)});
    added.layout = added.node.layout_for({});
  }
}

void hosted_nodes::enter_ring(std::size_t phase) {
  for (auto& each : m_nodes) {
    each.node.enter_ring(phase);
    each.layout = each.node.layout_for({phase + 1, 1});
  }
}

/// Where there are virtual nodes all processors take as many steps, for barriers align them.
int hosted_nodes::ring_steps(std::size_t phase) const {
  return m_schedule->has_virtual_nodes() ? phase_of(phase).steps
                                         : m_nodes.front().node.ring_steps();
}

void hosted_nodes::ring_step(std::size_t phase, int step) {
  for (auto& each : m_nodes) {
    each.out = {.other = each.node.ring_node(-1)};
    each.in = {.other = each.node.ring_node(1)};
    if (step > each.node.ring_steps()) continue;
    each.in.blocks = each.node.blocks_arriving(step);
    each.out.blocks = each.node.blocks_going_on(step);
  }
  find_hosts(phase);
}

/// The second piece of a pair is what has come in before from box B3 on, and the third array.
void hosted_nodes::swap_step(exchange_schedule::phase_step when) {
  bool const is_first = m_schedule->begins_pair(when);
  for (auto& each : m_nodes) {
    auto const going =
        is_first ? each.layout.size(1) : each.layout.boxes[2].size() + each.layout.boxes[3].size();
    each.out = {.other = each.node.partner(when), .blocks = going};
    each.node.finish_swap(when, each.layout);
    each.in = {.other = each.out.other, .blocks = each.layout.size(is_first ? 1 : 2)};
  }
  find_hosts(when.phase);
}

int hosted_nodes::turns(std::size_t phase) const {
  return m_schedule->has_virtual_nodes() && !phase_of(phase).in_rings ? 2 : 1;
}

std::string hosted_nodes::name_for(std::string_view what, std::size_t node) const {
  if (node == 0) return std::string(what);
  auto const dimensions = static_cast<std::size_t>(m_schedule->dimensions());
  auto const at = std::span(m_nodes[node].node.at()).first(dimensions);
  return fmt::format("{} of ({})", what, fmt::join(at, ","));
}

void hosted_nodes::find_hosts(std::size_t phase) {
  bool const one_turn = turns(phase) == 1;
  auto const& own_partner = m_nodes.front().out.other;
  int const first_served = !one_turn && m_schedule->is_real(own_partner)
                               ? m_schedule->host_rank(own_partner)
                               : exchange_schedule::nobody;
  for (auto& each : m_nodes)
    for (auto* const end : {&each.out, &each.in}) {
      if (end->blocks == 0) continue;
      end->host = m_schedule->host_rank(end->other);
      end->turn = one_turn || end->host == first_served ? 1 : 2;
    }
}

}  // namespace lockstep::detail
