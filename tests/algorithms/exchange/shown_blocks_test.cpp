#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/exchange/all_to_all_binary.hpp>
#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>
#include <lockstep/algorithms/exchange/detail/data_array.hpp>
#include <lockstep/algorithms/exchange/detail/hosted_nodes.hpp>
#include <lockstep/algorithms/textbook/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "algorithms/shown_at.hpp"
#include "catch.hpp"

using lockstep::block_label;
using lockstep::exchange_choice;
using lockstep::exchange_schedule;
using lockstep::exchange_scheme;
using lockstep::processor;
using lockstep::detail::data_array;
using lockstep::detail::hosted_nodes;
using reference::labels;

namespace {

std::vector<std::pair<int, int>> in_order(labels const& of) {
  std::vector<std::pair<int, int>> pairs;
  for (auto const& label : of)
    if (label != block_label{}) pairs.emplace_back(label.source, label.destination);
  std::ranges::sort(pairs);
  return pairs;
}

std::vector<std::pair<int, int>> all_blocks(int p) {
  std::vector<std::pair<int, int>> pairs;
  for (int source = 0; source < p; ++source)
    for (int destination = 0; destination < p; ++destination)
      pairs.emplace_back(source, destination);
  return pairs;
}

/// The blocks that are shown by all processors after a step, whatever the names.
std::vector<std::pair<int, int>> blocks_after(reference::call_log const& log, std::uint64_t step) {
  labels all;
  for (auto const& [rank, by_name] : reference::held_after(log, step))
    for (auto const& [name, value] : by_name) {
      auto const& shown = std::get<labels>(value);
      all.insert(all.end(), shown.begin(), shown.end());
    }
  return in_order(all);
}

/// The steps after which every processor has shown its data array.
std::set<std::uint64_t> steps_of_all(reference::call_log const& log, std::size_t processors) {
  std::map<std::uint64_t, std::set<int>> ranks;
  for (auto const& shown : log.shows)
    if (shown.name == "data array") ranks[shown.step].insert(shown.rank);
  std::set<std::uint64_t> steps;
  for (auto const& [step, of] : ranks)
    if (of.size() == processors) steps.insert(step);
  return steps;
}

/// Runs an exchange of one word a block, watched.
template <class Exchange>
reference::call_log watched(std::string const& spec, Exchange const& exchange) {
  reference::call_log log;
  lockstep::machine const grid{lockstep::parse(spec)};
  (void)grid.run(
      [&](processor& me) {
        return exchange(me, std::vector<int>(static_cast<std::size_t>(me.size()), me.rank()));
      },
      log);
  return log;
}

void check_end(reference::call_log const& log, int p) {
  auto const held = reference::held_after(log, log.counts.steps);
  for (int rank = 0; rank < p; ++rank) {
    std::vector<std::pair<int, int>> for_it;
    for (int source = 0; source < p; ++source) for_it.emplace_back(source, rank);
    CHECK(in_order(std::get<labels>(held.at(rank).at("data array"))) == for_it);
  }
}

void check_each_step(reference::call_log const& log, int p) {
  auto const all = all_blocks(p);
  for (std::uint64_t step = 0; step <= log.counts.steps; ++step) {
    INFO("after step " << step);
    CHECK(blocks_after(log, step) == all);
  }
  check_end(log, p);
}

}  // namespace

TEST_CASE("after each step of a complete exchange each block is shown once") {
  auto const spec = GENERATE(as<std::string>{}, "torus:4x4", "torus:4x12", "mesh:4x6", "mesh:2x2x4",
                             "torus:4x4x4");
  INFO(spec);
  auto const log =
      watched(spec, [](processor& me, auto blocks) { return all_to_all(me, std::move(blocks)); });
  CHECK(log.counts.steps > 0);
  check_each_step(log, lockstep::parse(spec)->size());
}

TEST_CASE("with virtual nodes each block is shown once, some by the hosts of guests") {
  auto const spec =
      GENERATE(as<std::string>{}, "torus:5x6", "torus:3x3", "mesh:5x5", "mesh:7", "torus:5x4x3");
  INFO(spec);
  auto const p = lockstep::parse(spec)->size();
  auto const log =
      watched(spec, [](processor& me, auto blocks) { return all_to_all(me, std::move(blocks)); });
  auto const steps = steps_of_all(log, static_cast<std::size_t>(p));
  CHECK(steps.size() > 3);
  for (auto const step : steps) {
    INFO("after step " << step);
    CHECK(blocks_after(log, step) == all_blocks(p));
  }
  check_end(log, p);
  CHECK(std::ranges::any_of(log.shows, [](auto const& shown) {
    return shown.name.starts_with("data array of (") && !std::get<labels>(shown.value).empty();
  }));
}

TEST_CASE("with stride 2, by pairs, by halves and as the paper reads each block is shown once") {
  exchange_schedule const stride_2(*lockstep::parse("torus:6x4"),
                                   {.scheme = exchange_scheme::stride_2});
  check_each_step(watched("torus:6x4",
                          [&](processor& me, auto blocks) {
                            return all_to_all(me, std::move(blocks), stride_2);
                          }),
                  24);
  check_each_step(
      watched("mesh:4x4",
              [](processor& me, auto blocks) { return all_to_all_direct(me, std::move(blocks)); }),
      16);
  check_each_step(
      watched("mesh:2x4x4",
              [](processor& me, auto blocks) { return all_to_all_binary(me, std::move(blocks)); }),
      32);
  check_each_step(watched("torus:4x8",
                          [](processor& me, auto blocks) {
                            return lockstep::textbook::all_to_all(me, std::move(blocks));
                          }),
                  32);
}

namespace {

/// An exchange of blocks that are their own labels, without a machine: what lies where in the data
/// arrays is compared with what the plans say.
class labelled_exchange {
 public:
  using coordinates = exchange_schedule::coordinates;
  using piece = std::vector<block_label>;

  labelled_exchange(lockstep::topology const& network, exchange_choice const& choice)
      : m_schedule(network, choice) {
    for (int rank = 0; rank < m_schedule.processors(); ++rank)
      m_plans.emplace_back(m_schedule, rank);
    for (auto& plan : m_plans)
      for (auto& each : plan.nodes()) {
        auto& data = m_data.emplace(each.node.at(), data_array<block_label>(1)).first->second;
        data.make_room_for(each.laid->sizes);
      }
    for (int rank = 0; rank < m_schedule.processors(); ++rank) {
      auto& own = m_plans[static_cast<std::size_t>(rank)].nodes().front();
      auto const walk = own.node.by_destination(own.layout());
      walk_along(walk, [&](int destination, std::size_t place) {
        m_data.at(own.node.at()).block(walk.array, place)[0] = {rank, destination};
      });
    }
  }

  /// Result: the places that are not as the labels say.
  [[nodiscard]] int run() {
    check_arrays();
    for (std::size_t phase = 0; phase < m_schedule.phases().size(); ++phase)
      if (m_schedule.phases()[phase].in_rings)
        run_ring(phase);
      else
        run_swaps(phase);
    return m_wrong;
  }

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
        compare(each.node.labels_so_far(each.layout(), step), each.layout(), data);
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
      for_each_node([&](auto& each, auto& data, auto& in) {
        data.put_incoming(is_first, in);
        compare(each.node.labels(each.layout()), each.layout(), data);
      });
      if (m_schedule.exchange_after(when) && !is_first) rearrange(when);
      check_arrays();
    }
  }

  void rearrange(exchange_schedule::phase_step when) {
    for (auto& plan : m_plans) {
      for (auto& each : plan.nodes()) {
        auto const next = each.node.layout_for(*m_schedule.exchange_after(when));
        m_data.at(each.node.at()).rearrange(copies(each.layout(), next), next.sizes());
      }
      plan.rearrange(when);
    }
  }

  void check_arrays() {
    for_each_node([&](auto& each, auto& data, auto& /*piece*/) {
      compare(each.node.labels(each.layout()), each.layout(), data);
    });
  }

  void deliver() {
    std::map<coordinates, piece> arrived;
    for_each_node([&](auto& each, auto& /*data*/, auto& out) {
      if (each.out.blocks > 0) arrived[each.out.other] = std::move(out);
      each.out = {};
    });
    m_pieces = std::move(arrived);
  }

  void compare(labels const& expected, lockstep::detail::block_layout const& layout,
               data_array<block_label> const& data) {
    piece all;
    for (std::size_t array = 0; array < 3; ++array)
      for (std::size_t place = 0; place < layout.size(array); ++place)
        all.push_back(data.block(array, place)[0]);
    compare(expected, all);
  }
  /// Places that are said to be empty may have anything.
  void compare(labels const& expected, piece const& actual) {
    if (expected.size() != actual.size()) {
      ++m_wrong;
      return;
    }
    for (std::size_t i = 0; i < actual.size(); ++i)
      if (expected[i] != block_label{} && expected[i] != actual[i]) ++m_wrong;
  }

  exchange_schedule m_schedule;
  std::vector<hosted_nodes> m_plans;
  std::map<coordinates, data_array<block_label>> m_data;
  std::map<coordinates, piece> m_pieces;
  int m_wrong = 0;
};

}  // namespace

TEST_CASE("the labels that a plan gives are those of the blocks in the data arrays and pieces") {
  auto const spec = GENERATE(as<std::string>{}, "torus:8x8", "torus:4x12", "torus:12x4", "mesh:6x4",
                             "torus:4x4x8", "torus:4x4x4x4", "mesh:4x2x2", "torus:5x7", "mesh:5x5",
                             "mesh:7", "torus:5x4x6");
  INFO(spec);
  CHECK(labelled_exchange(*lockstep::parse(spec), {}).run() == 0);
}
