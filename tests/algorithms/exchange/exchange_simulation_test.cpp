#include "exchange/exchange_simulation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/observer.hpp>

#include "catch.hpp"
#include "check_claims.hpp"
#include "exchange/exchanged_blocks.hpp"

using exchange_simulation::exchange;
using exchange_simulation::experiment_result;
using exchange_simulation::sent_message;
using exchange_simulation::simulate;
using lockstep::counts;

namespace {

/// What is simulated of counts, in blocks of that many words.
counts in_blocks(counts const& all, std::uint64_t words) {
  return {.steps = all.steps,
          .words = all.words / words,
          .volume = all.volume / words,
          .messages = all.messages,
          .hops = all.hops,
          .contention = all.contention};
}

/// Writes down all messages of a run, in blocks of that many words.
struct message_list : lockstep::observer {
  explicit message_list(std::uint64_t in_words) : words(in_words) {}
  void message(lockstep::message_record const& seen) override {
    messages.push_back({seen.step, seen.from, seen.to, seen.words / words, seen.hops});
  }

  std::uint64_t words;
  std::vector<sent_message> messages;
};

std::string spec_of(exchange const& of) {
  return fmt::format("{}:{}", of.wraps ? "torus" : "mesh", fmt::join(of.sizes, "x"));
}

/// The simulation by itself: one port, no link shared, every block delivered.
void check_rules(exchange const& of, experiment_result const& simulated) {
  std::uint64_t const busy = simulated.steps.empty() ? 0 : 1;
  CHECK(simulated.most_sends == busy);
  CHECK(simulated.most_receives == busy);
  CHECK(simulated.total().contention == busy);
  auto const p = static_cast<std::uint64_t>(lockstep::parse(spec_of(of))->size());
  CHECK(simulated.arrived == p * p);
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

/// Results and claims of the library; all figures, those of every step, and all messages: an idle step
/// of the library would be one too many. Blocks have `words` words.
void compare(exchange const& of, int words = 1) {
  using enum lockstep::exchange_scheme;
  CAPTURE(of.sizes, of.wraps, of.by_twos, of.groups, of.partner_order);
  auto const simulated = simulate(of);
  check_rules(of, simulated);
  auto const block = static_cast<std::uint64_t>(words);
  message_list library(block);
  lockstep::exchange_choice const choice{.scheme = of.by_twos ? stride_2 : virtual_nodes,
                                         .groups = of.groups,
                                         .partner_order = of.partner_order};
  auto const spec = spec_of(of);
  auto const run = reference::exchanged(spec, words, choice, {.strict = true},
                                        std::array<lockstep::observer*, 1>{&library});
  reference::check_claims(
      all_to_all_claims(lockstep::exchange_schedule(*lockstep::parse(spec), choice), block),
      run.counts());
  CHECK(in_blocks(run.counts(), block) == simulated.total());
  std::vector<counts> steps;
  for (auto const& step : run.steps()) steps.push_back(in_blocks(step, block));
  CHECK(steps == simulated.steps);
  auto const different = in_one_only(std::move(library.messages), simulated.messages);
  CAPTURE(different);
  CHECK(different.empty());
}

void compare_all_schemes(std::vector<int> const& sizes, int words = 1) {
  compare({.sizes = sizes}, words);
  compare({.sizes = sizes, .by_twos = true}, words);
  compare({.sizes = sizes, .wraps = false}, words);
}

}  // namespace

TEST_CASE("the exchange in one dimension is that of the simulation") {
  for (int size = 1; size <= 21; ++size) compare_all_schemes({size}, 3);
}

TEST_CASE("the exchange in two dimensions is that of the simulation") {
  for (int rows = 1; rows <= 9; ++rows)
    for (int columns = 1; columns <= 9; ++columns) compare_all_schemes({rows, columns}, 2);
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
  using list = std::vector<int>;
  compare_all_schemes(GENERATE(list{2, 3, 2, 3}, list{3, 3, 3, 3}, list{2, 2, 2, 2},
                               list{1, 5, 1, 3}, list{3, 2, 7, 2}, list{5, 2, 3, 4},
                               list{2, 6, 3, 5}, list{5, 5, 3, 3}, list{4, 3, 2, 9},
                               list{3, 2, 3, 2, 5}, list{2, 3, 1, 6, 3}));
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
  auto const [of, figures] = GENERATE(table<exchange, std::vector<std::uint64_t>>({
      {{.sizes = {12, 12}}, {8, 576, 82944, 1152, 22, 1}},
      {{.sizes = {8, 8, 8}}, {9, 2304, 1179648, 4608, 21, 1}},
      {{.sizes = {6, 6}, .wraps = false}, {6, 108, 3888, 216, 18, 1}},
      {{.sizes = {5, 5}}, {10, 177}},
      {{.sizes = {6, 6}}, {8, 176}},
      {{.sizes = {10, 10}}, {10, 584}},
      {{.sizes = {5, 5}, .wraps = false}, {8, 121}},
      {{.sizes = {5, 5}, .by_twos = true}, {8, 121}},
      {{.sizes = {10, 10}, .by_twos = true}, {10, 500}},
  }));
  auto const all = simulate(of).total();
  std::vector const known{all.steps, all.words, all.volume, all.messages, all.hops, all.contention};
  CHECK(std::ranges::equal(std::span(known).first(figures.size()), figures));
}
