#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

using lockstep::exchange_schedule;
using lockstep::detail::hosted_nodes;
using lockstep::detail::node_transfer;

namespace {

/// The plans of all processors, which go on together.
class all_plans {
 public:
  explicit all_plans(std::string const& spec) : m_schedule(*lockstep::parse(spec)) {
    for (int rank = 0; rank < m_schedule.processors(); ++rank)
      m_plans.emplace_back(m_schedule, rank);
  }

  /// Calls visit(when) behind each step.
  template <class Visit>
  void for_each_step(Visit const& visit) {
    for (std::size_t phase = 0; phase < m_schedule.phases().size(); ++phase) {
      auto const& of = m_schedule.phases()[phase];
      for (auto& plan : m_plans)
        if (of.in_rings) plan.enter_ring(phase);
      for (int step = 1; step <= of.steps; ++step) {
        exchange_schedule::phase_step const when{phase, step};
        for (auto& plan : m_plans) go_on(plan, when, of.in_rings);
        visit(when);
      }
    }
  }

  /// By node, its transfers.
  struct transfers {
    node_transfer out;
    node_transfer in;
  };
  [[nodiscard]] std::map<exchange_schedule::coordinates, transfers> by_node() const {
    std::map<exchange_schedule::coordinates, transfers> all;
    for (auto const& plan : m_plans)
      for (auto const& each : plan.nodes()) all[each.node.at()] = {each.out, each.in};
    return all;
  }

 private:
  static void go_on(hosted_nodes& plan, exchange_schedule::phase_step when, bool in_rings) {
    if (in_rings) return plan.ring_step(when.phase, when.step);
    plan.swap_step(when);
  }

  exchange_schedule m_schedule;
  std::vector<hosted_nodes> m_plans;
};

}  // namespace

TEST_CASE("in the plan of an exchange every node expects what another one sends it") {
  auto const spec = GENERATE(as<std::string>{}, "torus:8x8", "torus:4x12", "torus:5x7", "torus:3x6",
                             "mesh:6x4", "mesh:5x5", "torus:4x4x8", "torus:5x4x6", "mesh:3x4x2");
  INFO(spec);
  all_plans plans(spec);
  plans.for_each_step([&](exchange_schedule::phase_step when) {
    INFO("phase " << when.phase << ", step " << when.step);
    auto const all = plans.by_node();
    int wrong = 0;
    for (auto const& [at, transfers] : all) {
      auto const& out = transfers.out;
      if (out.blocks == 0) continue;
      auto const receiver = all.find(out.other);
      if (receiver == all.end() || receiver->second.in.other != at ||
          receiver->second.in.blocks != out.blocks)
        ++wrong;
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("the plan of an exchange has the paper's words and volume") {
  all_plans plans("torus:12x12");
  std::vector<std::size_t> largest;
  std::size_t volume = 0;
  plans.for_each_step([&](exchange_schedule::phase_step) {
    largest.push_back(0);
    for (auto const& [at, transfers] : plans.by_node()) {
      largest.back() = std::max(largest.back(), transfers.out.blocks);
      volume += transfers.out.blocks;
    }
  });
  CHECK(largest == std::vector<std::size_t>{96, 48, 96, 48, 72, 72, 72, 72});
  CHECK(volume == 82944);
}
