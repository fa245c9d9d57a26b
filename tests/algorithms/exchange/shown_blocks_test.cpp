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
#include <lockstep/algorithms/exchange/all_to_all_cyclic.hpp>
#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>
#include <lockstep/algorithms/textbook/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "algorithms/shown_at.hpp"
#include "catch.hpp"

using lockstep::block_label;
using lockstep::exchange_schedule;
using lockstep::exchange_scheme;
using lockstep::processor;
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

template <class Exchange>
void check_each_step(std::string const& spec, Exchange const& exchange) {
  INFO(spec);
  auto const log = watched(spec, exchange);
  CHECK(log.counts.steps > 0);
  int const p = lockstep::parse(spec)->size();
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
  check_each_step(spec,
                  [](processor& me, auto blocks) { return all_to_all(me, std::move(blocks)); });
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
  check_each_step("torus:6x4", [&](processor& me, auto blocks) {
    return all_to_all(me, std::move(blocks), stride_2);
  });
  check_each_step("mesh:4x4", [](processor& me, auto blocks) {
    return all_to_all_direct(me, std::move(blocks));
  });
  check_each_step("mesh:2x4x4", [](processor& me, auto blocks) {
    return all_to_all_binary(me, std::move(blocks));
  });
  check_each_step("mesh:4x4", [](processor& me, auto blocks) {
    return all_to_all_cyclic(me, std::move(blocks));
  });
  check_each_step("torus:4x8", [](processor& me, auto blocks) {
    return lockstep::textbook::all_to_all(me, std::move(blocks));
  });
}
