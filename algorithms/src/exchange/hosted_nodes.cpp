#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>

#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::detail {

hosted_nodes::hosted_nodes(exchange_schedule const& schedule, int rank) : m_schedule(&schedule) {
  auto const& plans = exchange_plans::of(schedule);
  auto const hosted = schedule.hosted_by(rank);
  m_nodes.reserve(hosted.size());
  for (auto const& at : hosted) {
    auto const& plan = plan_for(plans, at);
    m_nodes.push_back({exchange_node(schedule, at), &plan, &plan.start});
  }
}

exchange_plan const& hosted_nodes::plan_for(exchange_plans const& plans,
                                            exchange_schedule::coordinates const& at) {
  if (auto const* const shared = plans.find(*m_schedule, at)) return *shared;
  return *m_own_plans.emplace_back(std::make_unique<exchange_plan const>(*m_schedule, at));
}

void hosted_nodes::enter_ring(std::size_t phase) {
  for (auto& each : m_nodes) {
    each.node.enter_ring(phase);
    each.laid = &each.plan->rings[phase].next;
  }
}

/// With virtual nodes all processors take as many steps, for barriers align them.
int hosted_nodes::ring_steps(std::size_t phase) const {
  return m_schedule->has_virtual_nodes() ? phase_of(phase).steps
                                         : m_nodes.front().node.ring_steps();
}

void hosted_nodes::ring_step(std::size_t phase, int step) {
  for (auto& each : m_nodes) {
    auto const way = each.node.ring_way();
    each.out = {.other = each.node.ring_node(-1), .way = way};
    each.in = {.other = each.node.ring_node(1), .way = way};
    if (step > each.node.ring_steps()) continue;
    auto const across = each.plan->rings[phase].across;
    each.in.blocks = each.node.destinations_arriving(step) * across;
    each.out.blocks = each.node.destinations_going_on(step) * across;
  }
  find_hosts(phase);
}

void hosted_nodes::swap_step(exchange_schedule::phase_step when) {
  int const distance = phase_of(when.phase).distance;
  for (auto& each : m_nodes) {
    auto const& step = each.plan->exchanges[exchange_number(when)];
    each.out = {.other = each.node.partner(step.dimension, distance),
                .way = {step.dimension, +1},
                .blocks = step.going};
    each.in = {.other = each.out.other, .way = each.out.way, .blocks = step.coming};
    each.node.finish_swap(step.dimension, distance);
    each.laid = &step.after;
  }
  find_hosts(when.phase);
}

void hosted_nodes::rearrange(exchange_schedule::phase_step when) {
  for (auto& each : m_nodes) each.laid = &each.plan->exchanges[exchange_number(when)].next;
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
