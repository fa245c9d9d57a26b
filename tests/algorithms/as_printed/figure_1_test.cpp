#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/mesh.hpp>

#include "as_printed/simulation.hpp"
#include "catch.hpp"

// Fig. 1b: "only three contention-free communication steps" of four blocks each on a 2x4 mesh. The
// figure's scheme is one of its own: the algorithm of section 4 takes four.

using as_printed::block;
using as_printed::block_list;

namespace {

/// Whom each of the eight nodes exchanges with.
using pairing = std::array<int, 8>;

constexpr std::array<pairing, 3> scheme{pairing{1, 0, 3, 2, 5, 4, 7, 6},
                                        pairing{2, 5, 0, 7, 6, 1, 4, 3},
                                        pairing{4, 3, 6, 1, 0, 7, 2, 5}};

/// The nodes that node x can still serve in the steps after `step`.
std::set<int> within_reach(int x, std::size_t step) {
  if (step + 1 == scheme.size()) return {x};
  auto reach = within_reach(x, step + 1);
  reach.merge(within_reach(scheme[step + 1][static_cast<std::size_t>(x)], step + 1));
  return reach;
}

block_list exchanged_in_three_steps(lockstep::processor& me) {
  block_list held;
  for (int destination = 0; destination < me.size(); ++destination)
    held.push_back({me.rank(), destination});
  for (std::size_t step = 0; step < scheme.size(); ++step) {
    auto const reach = within_reach(me.rank(), step);
    block_list staying;
    block_list leaving;
    for (auto const& one : held)
      (reach.contains(one.destination) ? staying : leaving).push_back(one);
    int const partner = scheme[step][static_cast<std::size_t>(me.rank())];
    for (auto const& one : me.exchange(partner, leaving)) staying.push_back(one);
    held = staying;
  }
  return held;
}

}  // namespace

TEST_CASE("Fig. 1b: a scheme of three steps and twelve units exists", "[errata]") {
  lockstep::machine const on{lockstep::mesh{{2, 4}}, {.strict = true}};
  auto const run = on.run(exchanged_in_three_steps);
  CHECK(as_printed::misplaced({{2, 4}, false}, run.results(), 1) == 0);
  for (auto const& held : run.results()) CHECK(held.size() == 8);
  CHECK(run.counts().steps == 3);
  CHECK(run.counts().words == 12);
  CHECK(run.counts().contention == 1);
}

TEST_CASE("Fig. 1b: the paper's mesh algorithm takes four steps and sixteen units", "[errata]") {
  lockstep::machine const on{lockstep::mesh{{2, 4}}, {.strict = true}};
  auto const run = on.run(
      [](lockstep::processor& me) { return lockstep::all_to_all(me, std::vector<int>(8)).size(); });
  CHECK(run.counts().steps == 4);
  CHECK(run.counts().words == 16);
}
