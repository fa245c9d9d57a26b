#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>

namespace lockstep::detail {

hosted_nodes::hosted_nodes(exchange_schedule const& schedule, int rank) : m_schedule(&schedule) {
  for (auto const& at : schedule.hosted_by(rank)) {
    auto& added = m_nodes.emplace_back(hosted_node{exchange_node(schedule, at)});
    added.layout = added.node.layout_for(phase_of(0));
  }
}

void hosted_nodes::enter_ring(std::size_t phase) {
  for (auto& each : m_nodes) {
    each.node.enter_ring(phase_of(phase));
    each.layout = each.node.layout_for(phase_of(phase + 1));
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

/// An even step's piece is what has come in before from box B3 on, and the third array.
void hosted_nodes::swap_step(std::size_t phase, int step) {
  auto const& of = phase_of(phase);
  std::size_t const array = step % 2 == 1 ? 1 : 2;
  for (auto& each : m_nodes) {
    auto const going = each.layout.size(array) + (array == 2 ? each.layout.boxes[2].size() : 0);
    each.out = {.other = each.node.partner(of, step), .blocks = going};
    each.node.finish_swap(of, step, each.layout);
    each.in = {.other = each.out.other, .blocks = each.layout.size(array)};
  }
  find_hosts(phase);
}

block_layout hosted_nodes::next_layout(hosted_node const& of, std::size_t phase, int step) const {
  if (step < phase_of(phase).steps) return of.node.layout_for(phase_of(phase), step + 1);
  return of.node.layout_for(phase_of(phase + 1));
}

int hosted_nodes::turns(std::size_t phase) const {
  return m_schedule->has_virtual_nodes() && !phase_of(phase).in_rings ? 2 : 1;
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
