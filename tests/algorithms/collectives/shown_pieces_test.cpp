#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/transpose.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "algorithms/shown_at.hpp"
#include "catch.hpp"

using lockstep::block_label;
using lockstep::collective_scheme;
using lockstep::one_phase;
using lockstep::processor;
using reference::intervals;
using reference::labels;

namespace {

constexpr int p = 11;

template <class Program>
reference::call_log watched(Program const& program) {
  reference::call_log log;
  (void)lockstep::machine{lockstep::crossbar{p}}.run(program, log);
  return log;
}

/// What all processors show by that name after a step, together.
std::vector<std::pair<int, int>> together(reference::call_log const& log, std::string const& name,
                                          std::uint64_t step) {
  std::vector<std::pair<int, int>> all;
  for (auto const& [rank, by_name] : reference::held_after(log, step))
    if (by_name.contains(name))
      for (auto const& label : std::get<labels>(by_name.at(name)))
        all.emplace_back(label.source, label.destination);
  std::ranges::sort(all);
  return all;
}

/// After each step all processors together show these by that name.
void check_each_step(reference::call_log const& log, std::string const& name,
                     std::vector<std::pair<int, int>> const& expected) {
  for (std::uint64_t step = 0; step <= log.counts.steps; ++step) {
    INFO("after step " << step);
    CHECK(together(log, name, step) == expected);
  }
}

std::vector<std::pair<int, int>> pieces_of(int root, bool gathered) {
  std::vector<std::pair<int, int>> all;
  for (int rank = 0; rank < p; ++rank)
    all.push_back(gathered ? std::pair{rank, root} : std::pair{root, rank});
  return all;
}

std::vector<std::pair<int, int>> all_pairs() {
  std::vector<std::pair<int, int>> all;
  for (int source = 0; source < p; ++source)
    for (int owner = 0; owner < p; ++owner) all.emplace_back(source, owner);
  return all;
}

}  // namespace

TEST_CASE(
    "after each step of a scatter or gather each piece is shown once, and goes where it goes") {
  auto const k = GENERATE(2, 3, one_phase);
  auto const root = GENERATE(0, 4);
  auto const dealt = watched([&](processor& me) {
    std::vector<int> const all(me.rank() == root ? 2 * p : 0);
    return scatter(me, std::span<int const>(all), 2 * p, {.k = k, .root = root});
  });
  auto const gathered = watched([&](processor& me) {
    std::vector<int> const mine(2);
    return gather(me, std::span<int const>(mine), 2 * p, {.k = k, .root = root});
  });
  check_each_step(dealt, "pieces", pieces_of(root, false));
  check_each_step(gathered, "pieces", pieces_of(root, true));
  for (auto const& [rank, shown] : reference::shown_as(dealt, "pieces"))
    CHECK(std::get<labels>(shown.back()) == labels{{root, rank}});
  for (auto const& [rank, shown] : reference::shown_as(gathered, "pieces"))
    CHECK(std::get<labels>(shown.back()).size() == (rank == root ? p : 0U));
}

TEST_CASE("an all-gather shows as many pieces as have come") {
  auto const k = GENERATE(2, 3, one_phase);
  auto const log = watched([&](processor& me) { return all_gather(me, me.rank(), {.k = k}); });
  for (auto const& [rank, shown] : reference::shown_as(log, "pieces")) {
    CHECK(std::get<labels>(shown.front()) == labels{{rank, rank}});
    std::size_t last = 0;
    for (auto const& value : shown) {
      auto const& pieces = std::get<labels>(value);
      CHECK(pieces.size() > last);
      last = pieces.size();
    }
    CHECK(last == p);
  }
}

TEST_CASE("a sum along a tree is that of the ranks that are shown") {
  auto const root = GENERATE(0, 6);
  auto const log = watched([&](processor& me) {
    return reduce(me, std::plus<int>{}, me.rank(),
                  {.scheme = collective_scheme::k_ary, .k = 3, .root = root});
  });
  auto const values = reference::shown_as(log, "values of the sum");
  for (auto const& [rank, shown] : reference::shown_as(log, "sum")) {
    std::size_t at = 0;
    for (auto const& value : shown) {
      auto const& covered = std::get<intervals>(value);
      if (covered.empty()) continue;
      CHECK(reference::numbers_in(values.at(rank).at(at++)).at(0) ==
            reference::sum_of_ranks(covered.front()));
    }
    if (rank == root) CHECK(std::get<intervals>(shown.back()) == intervals{{0, p - 1}});
  }
}

TEST_CASE("a reduce-scatter shows each summand once after each step, in the end at its owner") {
  auto const k = GENERATE(2, 3, 4, one_phase);
  INFO("k = " << k);
  auto const log = watched([&](processor& me) {
    std::vector<int> const block(p, me.rank());
    return reduce_scatter(me, std::plus<int>{}, std::span<int const>(block), {.k = k});
  });
  check_each_step(log, "sums of pieces", all_pairs());
  for (auto const& [rank, shown] : reference::shown_as(log, "sums of pieces"))
    for (auto const& label : std::get<labels>(shown.back())) CHECK(label.destination == rank);
  for (auto const& [rank, shown] : reference::shown_as(log, "own piece's sum")) {
    CHECK(std::get<intervals>(shown.front()) == intervals{{rank, rank}});
    CHECK(std::get<intervals>(shown.back()) == intervals{{0, p - 1}});
  }
}

TEST_CASE("a reduction in pieces shows each summand once after each step, in the end at the root") {
  auto const log = watched([](processor& me) {
    std::vector<int> const block(2 * p, me.rank());
    return reduce(me, std::plus<int>{}, std::span<int const>(block), {.root = 4});
  });
  check_each_step(log, "sums of pieces", all_pairs());
  for (auto const& [rank, shown] : reference::shown_as(log, "sums of pieces"))
    CHECK(std::get<labels>(shown.back()).size() == (rank == 4 ? p * p : 0U));
}

TEST_CASE("a broadcast in pieces and an all-gather show a piece everywhere by one label") {
  auto const sent = watched([](processor& me) {
    std::vector<int> block(2 * p, me.rank());
    broadcast(me, std::span(block), {.root = 4});
    return block;
  });
  auto const gathered = watched([](processor& me) { return all_gather(me, me.rank()); });
  for (std::uint64_t step = 0; step <= sent.counts.steps; ++step) {
    auto all = together(sent, "pieces", step);
    all.erase(std::ranges::unique(all).begin(), all.end());
    CHECK(all == pieces_of(4, false));
  }
  for (int rank = 0; rank < p; ++rank) {
    labels own;
    for (int i = 0; i < p; ++i) own.push_back({(rank + i) % p, (rank + i) % p});
    CHECK(std::get<labels>(reference::shown_as(gathered, "pieces").at(rank).back()) == own);
    CHECK(std::get<labels>(reference::shown_as(sent, "pieces").at(rank).back()).size() == p);
  }
}

TEST_CASE("a broadcast shows where the block is, a transpose each block once after each step") {
  auto const sent = watched([](processor& me) {
    return broadcast(me, 7, {.scheme = collective_scheme::k_ary, .root = 3});
  });
  CHECK(together(sent, "block", 0) == std::vector<std::pair<int, int>>{{3, 3}});
  CHECK(together(sent, "block", sent.counts.steps).size() == p);
  auto const transposed = watched([](processor& me) {
    std::vector<int> const blocks(p, me.rank());
    return transpose_blocks(me, blocks, lockstep::access::writes);
  });
  for (std::uint64_t step = 0; step <= transposed.counts.steps; ++step) {
    auto const all = together(transposed, "blocks", step);
    CHECK(all.size() == p * p);
    CHECK(std::ranges::adjacent_find(all) == all.end());
  }
}
