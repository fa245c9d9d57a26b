#include <lockstep/algorithms/exchange/detail/exchange_plan.hpp>

#include <utility>

#include <lockstep/algorithms/exchange/detail/exchange_node.hpp>
#include <lockstep/detail/derived_values.hpp>

#include "exchange/as_size.hpp"

namespace lockstep::detail {

namespace {

[[nodiscard]] array_layout laid(block_layout boxes) {
  auto const sizes = boxes.sizes();
  return {std::move(boxes), sizes};
}

[[nodiscard]] exchange_plan::ring_phase plan_ring(exchange_node& node, std::size_t phase) {
  node.enter_ring(phase);
  int const dimension = node.ring_way().dimension;
  auto const staying = node.staying_from_first();
  exchange_plan::ring_phase ring{.dimension = dimension,
                                 .next = laid(node.layout_for({phase + 1, 1})),
                                 .across = node.blocks_across(dimension),
                                 .staying = staying.size(0)};
  for (auto const& target : ring.next.boxes.boxes)
    for (auto& copy : copies(staying, {{target}})) {
      copy.to += ring.next.boxes.begin(target);
      ring.kept.push_back({std::move(copy), target.strides()[source_digit(dimension)]});
    }
  return ring;
}

/// The second piece of a pair is what has come in before from box B3 on, and the third array.
[[nodiscard]] exchange_plan::exchange_step plan_step(exchange_schedule const& schedule,
                                                     exchange_schedule::phase_step when,
                                                     exchange_node& node, block_layout& layout) {
  exchange_plan::exchange_step step{.dimension = schedule.way(node.at(), when).dimension,
                                    .is_first = schedule.begins_pair(when)};
  step.going = step.is_first ? layout.size(1) : layout.boxes[2].size() + layout.boxes[3].size();
  node.finish_swap(when, layout);
  step.staying = layout.size(1);
  step.coming = layout.size(step.is_first ? 1 : 2);
  step.after = laid(layout);
  if (auto const next = schedule.exchange_after(when); next && !step.is_first) {
    step.is_rearranged = true;
    step.next = laid(node.layout_for(*next));
    step.rearrangement = copies(layout, step.next.boxes);
    layout = step.next.boxes;
  }
  return step;
}

}  // namespace

exchange_plan::exchange_plan(exchange_schedule const& schedule,
                             exchange_schedule::coordinates const& at) {
  exchange_node node(schedule, at);
  start = laid(node.layout_for({0, 1}));
  block_layout layout;
  auto const& phases = schedule.phases();
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    if (phases[phase].in_rings) {
      layout = rings.emplace_back(plan_ring(node, phase)).next.boxes;
      continue;
    }
    for (int step = 1; step <= phases[phase].steps; ++step)
      exchanges.push_back(plan_step(schedule, {phase, step}, node, layout));
  }
}

exchange_plans::exchange_plans(exchange_schedule const& schedule) {
  for (int a = 0; a < schedule.dimensions(); ++a) {
    m_axes.emplace_back(schedule.size(a), schedule.filled_up(a), schedule.stride());
    bool const has_virtual_nodes = schedule.size(a) != schedule.filled_up(a);
    m_axis_classes.push_back({has_virtual_nodes ? schedule.stride() : 2, has_virtual_nodes});
    m_classes *= as_size(m_axis_classes.back().residues) * (has_virtual_nodes ? 2 : 1);
  }
  if (m_classes <= most_classes) m_known = std::make_unique<shared_plan[]>(m_classes);
}

exchange_plans const& exchange_plans::of(exchange_schedule const& schedule) {
  return schedule.m_derived->get<exchange_plans>([&] { return exchange_plans(schedule); });
}

std::size_t exchange_plans::class_of(coordinates const& at) const {
  std::size_t number = 0;
  for (std::size_t a = 0; a < m_axis_classes.size(); ++a) {
    auto const& [residues, has_virtual_nodes] = m_axis_classes[a];
    number = number * as_size(residues) + as_size(at[a] % residues);
    if (has_virtual_nodes) number = 2 * number + (m_axes[a].in_last_submesh(at[a]) ? 1 : 0);
  }
  return number;
}

exchange_plan const* exchange_plans::find(exchange_schedule const& schedule,
                                          coordinates const& at) const {
  if (m_known == nullptr) return nullptr;
  auto& known = m_known[class_of(at)];
  if (auto const* const plan = known.load(std::memory_order_acquire)) return plan;
  std::scoped_lock const one_at_a_time(m_one_at_a_time);
  if (auto const* const plan = known.load(std::memory_order_relaxed)) return plan;
  m_all.push_back(std::make_unique<exchange_plan const>(schedule, at));
  known.store(m_all.back().get(), std::memory_order_release);
  return m_all.back().get();
}

}  // namespace lockstep::detail
