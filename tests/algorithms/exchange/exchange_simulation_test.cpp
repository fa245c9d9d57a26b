#include "exchange/exchange_simulation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"

using exchange_simulation::exchange;
using exchange_simulation::experiment_result;
using exchange_simulation::figures;
using exchange_simulation::sent_message;
using exchange_simulation::simulate;

namespace {

figures figures_of(lockstep::counts const& all) {
  return {.steps = all.steps,
          .words = all.words,
          .volume = all.volume,
          .messages = all.messages,
          .hops = all.hops,
          .contention = all.contention};
}

/// Writes down all messages of a run.
struct message_list : lockstep::observer {
  std::vector<sent_message> messages;

  void message(lockstep::message_record const& seen) override {
    messages.push_back({seen.step, seen.from, seen.to, seen.words, seen.hops});
  }
};

/// What the library counts when blocks of one word are exchanged, step by step.
template <class Network>
lockstep::run_record library_run(exchange const& of, message_list& watching) {
  using enum lockstep::exchange_scheme;
  lockstep::machine const on{Network{of.sizes}, {.strict = true}};
  lockstep::exchange_schedule const schedule(on.topology(),
                                             {.scheme = of.by_twos ? stride_2 : virtual_nodes,
                                              .groups = of.groups,
                                              .partner_order = of.partner_order});
  auto run = on.run(
      [&](lockstep::processor& me) {
        std::vector<int> blocks(static_cast<std::size_t>(me.size()));
        std::iota(blocks.begin(), blocks.end(), me.rank() * me.size());
        return lockstep::all_to_all(me, std::move(blocks), schedule);
      },
      watching);
  int wrong = 0;
  for (int destination = 0; destination < on.size(); ++destination)
    for (int source = 0; source < on.size(); ++source) {
      auto const& result = run.results()[static_cast<std::size_t>(destination)];
      if (result[static_cast<std::size_t>(source)] != source * on.size() + destination) ++wrong;
    }
  CHECK(wrong == 0);
  return run;
}

std::uint64_t processors(exchange const& of) {
  return std::accumulate(
      of.sizes.begin(), of.sizes.end(), std::uint64_t{1},
      [](std::uint64_t all, int size) { return all * static_cast<std::uint64_t>(size); });
}

/// The simulation by itself: one port, no link shared, every block delivered.
void check_rules(exchange const& of, experiment_result const& simulated) {
  std::uint64_t const busy = simulated.steps.empty() ? 0 : 1;
  CHECK(simulated.most_sends == busy);
  CHECK(simulated.most_receives == busy);
  CHECK(simulated.total().contention == busy);
  CHECK(simulated.arrived == processors(of) * processors(of));
  CHECK(simulated.misplaced == 0);
}

/// The first few messages that one has and the other has not.
std::vector<sent_message> in_one_only(std::vector<sent_message> library,
                                      std::vector<sent_message> const& simulated) {
  std::ranges::sort(library);
  std::vector<sent_message> different;
  std::ranges::set_symmetric_difference(library, simulated, std::back_inserter(different));
  different.resize(std::min<std::size_t>(different.size(), 4));
  return different;
}

/// All figures, those of every step, and all messages: an idle step of the library would be one too
/// many.
void compare(exchange const& of) {
  CAPTURE(of.sizes, of.wraps, of.by_twos, of.groups, of.partner_order);
  auto const simulated = simulate(of);
  check_rules(of, simulated);
  message_list library;
  auto const run = of.wraps ? library_run<lockstep::torus>(of, library)
                            : library_run<lockstep::mesh>(of, library);
  CHECK(figures_of(run.counts()) == simulated.total());
  std::vector<figures> steps;
  for (auto const& step : run.steps()) steps.push_back(figures_of(step));
  CHECK(steps == simulated.steps);
  auto const different = in_one_only(std::move(library.messages), simulated.messages);
  CAPTURE(different);
  CHECK(different.empty());
}

void compare_all_schemes(std::vector<int> const& sizes) {
  compare({.sizes = sizes});
  compare({.sizes = sizes, .by_twos = true});
  compare({.sizes = sizes, .wraps = false});
}

}  // namespace

TEST_CASE("the exchange in one dimension is that of the simulation") {
  for (int size = 1; size <= 17; ++size) compare_all_schemes({size});
}

TEST_CASE("the exchange in two dimensions is that of the simulation") {
  for (int rows = 1; rows <= 9; ++rows)
    for (int columns = 1; columns <= 9; ++columns) compare_all_schemes({rows, columns});
}

TEST_CASE("the exchange in three dimensions is that of the simulation") {
  for (int x = 1; x <= 5; ++x)
    for (int y = 1; y <= 5; ++y)
      for (int z = 1; z <= 5; ++z) compare_all_schemes({x, y, z});
  for (auto const& sizes :
       std::vector<std::vector<int>>{{2, 3, 9}, {9, 2, 6}, {3, 7, 10}, {4, 4, 12}})
    compare_all_schemes(sizes);
}

TEST_CASE("the exchange in four and five dimensions is that of the simulation") {
  for (auto const& sizes : std::vector<std::vector<int>>{{2, 3, 2, 3},
                                                         {3, 3, 3, 3},
                                                         {2, 2, 2, 2},
                                                         {1, 5, 1, 3},
                                                         {3, 2, 7, 2},
                                                         {5, 2, 3, 4},
                                                         {2, 6, 3, 5},
                                                         {5, 5, 3, 3},
                                                         {4, 3, 2, 9},
                                                         {3, 2, 3, 2, 5},
                                                         {2, 3, 1, 6, 3}})
    compare_all_schemes(sizes);
}

TEST_CASE("the exchange in groups of dimensions is that of the simulation") {
  for (bool const wraps : {true, false}) {
    compare({.sizes = {5, 7}, .wraps = wraps, .groups = {{0, 1}}});
    compare({.sizes = {5, 3, 6, 2}, .wraps = wraps, .groups = {{0, 2}, {1, 3}}});
    compare({.sizes = {5, 3, 6, 2}, .wraps = wraps, .groups = {{3, 1, 0, 2}}});
    compare({.sizes = {3, 9, 2, 5}, .wraps = wraps, .groups = {{3, 1}, {2, 0}}});
    compare({.sizes = {6, 4, 2, 4}, .wraps = wraps, .groups = {{3, 1}, {0, 2}}});
    compare({.sizes = {5, 2, 3, 3, 6}, .wraps = wraps, .groups = {{4, 0}, {1, 3, 2}}});
    compare({.sizes = {2, 5, 3, 2, 7}, .wraps = wraps, .groups = {{1, 4, 0}, {3, 2}}});
  }
  compare({.sizes = {8, 8, 4, 4}, .groups = {{2, 3}, {0, 1}}});
}

TEST_CASE("the exchange with partners in another order is that of the simulation") {
  compare({.sizes = {7, 6}, .partner_order = {0, 1}});
  compare({.sizes = {5, 6, 7}, .partner_order = {2, 0, 1}});
  compare({.sizes = {5, 3, 6, 3}, .groups = {{0, 2}, {1, 3}}, .partner_order = {3, 1, 0, 2}});
}

/// What the specification of the exchange has from another simulation.
TEST_CASE("the simulation counts what is known", "[sanitize]") {
  CHECK(simulate({.sizes = {12, 12}}).total() == figures{8, 576, 82944, 1152, 22, 1});
  CHECK(simulate({.sizes = {8, 8, 8}}).total() == figures{9, 2304, 1179648, 4608, 21, 1});
  CHECK(simulate({.sizes = {6, 6}, .wraps = false}).total() == figures{6, 108, 3888, 216, 18, 1});
  auto const steps_and_words = [](exchange const& of) {
    auto const all = simulate(of).total();
    return std::vector{all.steps, all.words};
  };
  using numbers = std::vector<std::uint64_t>;
  CHECK(steps_and_words({.sizes = {5, 5}}) == numbers{10, 177});
  CHECK(steps_and_words({.sizes = {6, 6}}) == numbers{8, 176});
  CHECK(steps_and_words({.sizes = {10, 10}}) == numbers{10, 584});
  CHECK(steps_and_words({.sizes = {5, 5}, .wraps = false}) == numbers{8, 121});
  CHECK(steps_and_words({.sizes = {5, 5}, .by_twos = true}) == numbers{8, 121});
  CHECK(steps_and_words({.sizes = {10, 10}, .by_twos = true}) == numbers{10, 500});
}
