#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/exchange/detail/block_layout.hpp>
#include <lockstep/algorithms/exchange/detail/exchange_node.hpp>
#include <lockstep/algorithms/exchange/detail/exchange_plan.hpp>
#include <lockstep/algorithms/exchange/exchange_schedule.hpp>

namespace lockstep::detail {

/// The part that one node sends, or receives, in a step.
struct node_transfer {
  exchange_schedule::coordinates other{};  ///< the node at the other end
  exchange_schedule::direction way{};      ///< of the step, round the ring or to the partner
  std::size_t blocks = 0;                  ///< none: no message
  int host = exchange_schedule::nobody;    ///< the processor at the other end
  int turn = 1;
};

/// A node whose work a processor does.
struct hosted_node {
  exchange_node node;
  exchange_plan const* plan;
  array_layout const* laid;  ///< how its data array lies
  node_transfer out{};
  node_transfer in{};

  [[nodiscard]] block_layout const& layout() const { return laid->boxes; }
};

/// One processor's part in a complete exchange, without the data: its own node and its guests, and
/// what they send and receive.
///
/// Messages between two nodes of one host are moves within its memory; those with one source and
/// one destination travel as one. Where virtual nodes make a host serve two partners in a step
/// there are two turns: messages with a part from a real node to a real node first, then the
/// others.
class hosted_nodes {
 public:
  hosted_nodes(exchange_schedule const& schedule, int rank);

  [[nodiscard]] std::vector<hosted_node>& nodes() { return m_nodes; }
  [[nodiscard]] std::vector<hosted_node> const& nodes() const { return m_nodes; }

  /// Ring phases: layouts are those of the phase after it, for what stays of each piece goes right
  /// to where that one wants it.
  void enter_ring(std::size_t phase);
  [[nodiscard]] int ring_steps(std::size_t phase) const;
  void ring_step(std::size_t phase, int step);

  /// Exchange phases: the layouts are those after the step, and, where the data array is laid for
  /// another pair then, those for that one.
  void swap_step(exchange_schedule::phase_step when);
  void rearrange(exchange_schedule::phase_step when);
  /// Which step of the plans that is.
  [[nodiscard]] std::size_t exchange_number(exchange_schedule::phase_step when) const {
    return static_cast<std::size_t>(phase_of(when.phase).exchanges_before + when.step - 1);
  }

  [[nodiscard]] int turns(std::size_t phase) const;

  /// Names what a node shows: for a guest with its coordinates, "data array of (4,1)".
  [[nodiscard]] std::string name_for(std::string_view what, std::size_t node) const;

 private:
  [[nodiscard]] exchange_schedule::phase const& phase_of(std::size_t i) const {
    return m_schedule->phases()[i];
  }
  [[nodiscard]] exchange_plan const& plan_for(exchange_plans const& plans,
                                              exchange_schedule::coordinates const& at);
  void find_hosts(std::size_t phase);

  exchange_schedule const* m_schedule;
  std::vector<std::unique_ptr<exchange_plan const>> m_own_plans;  ///< where classes do not share
  std::vector<hosted_node> m_nodes;
};

}  // namespace lockstep::detail
