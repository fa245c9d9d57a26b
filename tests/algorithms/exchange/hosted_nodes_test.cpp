#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/detail/data_array.hpp>
#include <lockstep/shown.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "index.hpp"

using lockstep::block_label;
using lockstep::exchange_schedule;
using lockstep::detail::data_array;
using lockstep::detail::hosted_node;
using lockstep::detail::hosted_nodes;

namespace {

/// An exchange of blocks that are their own labels, without a machine, by the plans of all processors:
/// what lies where in the data arrays is compared with what the plans say, and what each node sends with
/// what the other one expects.
class labelled_exchange {
 public:
  using piece = std::vector<block_label>;

  explicit labelled_exchange(std::string const& spec) : m_schedule(*lockstep::parse(spec)) {
    for (int rank = 0; rank < m_schedule.processors(); ++rank) {
      auto& nodes = m_plans.emplace_back(m_schedule, rank).nodes();
      for (auto& each : nodes) {
        auto& data = m_data.emplace(each.node.at(), data_array<block_label>(1)).first->second;
        data.make_room_for(each.laid->sizes);
      }
      auto& own = nodes.front();
      auto const walk = own.node.by_destination(own.layout());
      walk_along(walk, [&](int destination, std::size_t place) {
        m_data.at(own.node.at()).block(walk.array, place)[0] = {rank, destination};
      });
    }
  }

  void run() {
    compare_arrays();
    for (std::size_t phase = 0; phase < m_schedule.phases().size(); ++phase)
      if (m_schedule.phases()[phase].in_rings)
        run_ring(phase);
      else
        run_swaps(phase);
  }

  /// Counts the places, and messages, that are not as the plans say.
  [[nodiscard]] int wrong() const { return m_wrong; }
  /// Tells the blocks of the largest message of each step, and those of all messages.
  [[nodiscard]] std::vector<std::size_t> const& largest() const { return m_largest; }
  [[nodiscard]] std::size_t volume() const { return m_volume; }

 private:
  template <class Visit>
  void for_each_node(Visit const& visit) {
    for (auto& plan : m_plans)
      for (auto& each : plan.nodes())
        visit(each, m_data.at(each.node.at()), m_pieces[each.node.at()]);
  }

  void run_ring(std::size_t phase) {
    for (auto& plan : m_plans) plan.enter_ring(phase);
    for_each_node(
        [&](auto& each, auto& data, auto& out) { data.begin_ring(each.laid->sizes, out); });
    for (int step = 0; step <= m_schedule.phases()[phase].steps; ++step) {
      if (step > 0) {
        for (auto& plan : m_plans) plan.ring_step(phase, step);
        deliver();
      }
      for_each_node([&](auto& each, auto& data, auto& in) {
        data.keep_blocks_of_own_submesh(each.plan->rings[phase], each.node.source_in(step), in);
        compare(each.node.labels_so_far(each.layout(), step), blocks_in(each, data));
        if (step < each.node.ring_steps()) compare(each.node.labels_going_on(step), in);
      });
    }
  }

  void run_swaps(std::size_t phase) {
    for (int step = 1; step <= m_schedule.phases()[phase].steps; ++step) {
      exchange_schedule::phase_step const when{phase, step};
      bool const is_first = m_schedule.begins_pair(when);
      for (auto& plan : m_plans) plan.swap_step(when);
      for_each_node([&](auto& each, auto& data, auto& out) {
        data.pack_outgoing(is_first, each.layout().size(1), out);
      });
      deliver();
      for_each_node([&](auto&, auto& data, auto& in) { data.put_incoming(is_first, in); });
      compare_arrays();
      if (m_schedule.exchange_after(when) && !is_first) rearrange(when);
      compare_arrays();
    }
  }

  void rearrange(exchange_schedule::phase_step when) {
    for_each_node([&](auto& each, auto& data, auto&) {
      auto const next = each.node.layout_for(*m_schedule.exchange_after(when));
      data.rearrange(copies(each.layout(), next), next.sizes());
    });
    for (auto& plan : m_plans) plan.rearrange(when);
  }

  void deliver() {
    std::map<exchange_schedule::coordinates, hosted_node*> nodes;
    for_each_node([&](auto& each, auto&, auto&) { nodes[each.node.at()] = &each; });
    std::map<exchange_schedule::coordinates, piece> arrived;
    m_largest.push_back(0);
    for_each_node([&](auto& each, auto&, auto& out) {
      auto const [other, way, blocks, host, turn] = std::exchange(each.out, {});
      if (blocks == 0) return;
      m_largest.back() = std::max(m_largest.back(), blocks);
      m_volume += blocks;
      if (!nodes.contains(other) || nodes[other]->in.other != each.node.at() ||
          nodes[other]->in.blocks != blocks)
        ++m_wrong;
      arrived[other] = std::move(out);
    });
    m_pieces = std::move(arrived);
  }

  void compare_arrays() {
    for_each_node([&](auto& each, auto& data, auto&) {
      compare(each.node.labels(each.layout()), blocks_in(each, data));
    });
  }

  [[nodiscard]] static piece blocks_in(hosted_node const& each,
                                       data_array<block_label> const& data) {
    piece all;
    for (std::size_t array = 0; array < 3; ++array)
      for (std::size_t place = 0; place < each.layout().size(array); ++place)
        all.push_back(data.block(array, place)[0]);
    return all;
  }

  /// Places that are said to be empty may have anything.
  void compare(piece const& expected, piece const& actual) {
    if (expected.size() != actual.size()) {
      ++m_wrong;
      return;
    }
    for (std::size_t i = 0; i < actual.size(); ++i)
      if (expected[i] != block_label{} && expected[i] != actual[i]) ++m_wrong;
  }

  exchange_schedule m_schedule;
  std::vector<hosted_nodes> m_plans;
  std::map<exchange_schedule::coordinates, data_array<block_label>> m_data;
  std::map<exchange_schedule::coordinates, piece> m_pieces;
  int m_wrong = 0;
  std::vector<std::size_t> m_largest;
  std::size_t m_volume = 0;
};

}  // namespace

TEST_CASE("data arrays and pieces have the blocks, and nodes expect the messages, that plans say") {
  std::string const spec = GENERATE("torus:8x8", "torus:4x12", "torus:12x4", "mesh:6x4",
                                    "torus:4x4x8", "torus:4x4x4x4", "mesh:4x2x2", "torus:5x7",
                                    "torus:3x6", "mesh:5x5", "mesh:7", "torus:5x4x6", "mesh:3x4x2");
  INFO(spec);
  labelled_exchange exchange(spec);
  exchange.run();
  CHECK(exchange.wrong() == 0);
}

TEST_CASE("the plan of an exchange has the paper's words and volume") {
  labelled_exchange exchange("torus:12x12");
  exchange.run();
  CHECK(exchange.largest() == std::vector<std::size_t>{96, 48, 96, 48, 72, 72, 72, 72});
  CHECK(exchange.volume() == 82944);
}
