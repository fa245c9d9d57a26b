#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/mesh.hpp>

#include "catch.hpp"
#include "simulation.hpp"

// Fig. 1b: "only three contention-free communication steps" of four blocks each on a 2x4 mesh. The
// figure's scheme is one of its own: the algorithm of section 4 takes four.

using as_printed::block;
using as_printed::block_list;

namespace {

/// Whom each of the eight nodes exchanges with.
using pairing = std::array<int, 8>;

using scheme = std::array<pairing, 3>;
constexpr scheme one_of_them{pairing{1, 0, 3, 2, 5, 4, 7, 6}, pairing{2, 5, 0, 7, 6, 1, 4, 3},
                             pairing{4, 3, 6, 1, 0, 7, 2, 5}};

int partner_of(int x, pairing const& in) { return in[static_cast<std::size_t>(x)]; }

/// The nodes that node x can still serve in the steps after `step`.
std::set<int> within_reach(int x, scheme const& of, std::size_t step) {
  if (step + 1 == of.size()) return {x};
  auto reach = within_reach(x, of, step + 1);
  reach.merge(within_reach(partner_of(x, of[step + 1]), of, step + 1));
  return reach;
}

block_list exchanged_in_three_steps(lockstep::processor& me) {
  block_list held;
  for (int destination = 0; destination < me.size(); ++destination)
    held.push_back({me.rank(), destination});
  for (std::size_t step = 0; step < one_of_them.size(); ++step) {
    auto const reach = within_reach(me.rank(), one_of_them, step);
    block_list staying;
    block_list leaving;
    for (auto const& one : held)
      (reach.contains(one.destination) ? staying : leaving).push_back(one);
    int const partner = partner_of(me.rank(), one_of_them[step]);
    for (auto const& one : me.exchange(partner, leaving)) staying.push_back(one);
    held = staying;
  }
  return held;
}

/// Appends all ways to pair the nodes that have no partner (-1) yet.
void append_pairings(pairing const& partial, std::vector<pairing>& all) {
  auto const alone = std::ranges::find(partial, -1);
  if (alone == partial.end()) {
    all.push_back(partial);
    return;
  }
  auto const x = alone - partial.begin();
  for (std::size_t y = static_cast<std::size_t>(x) + 1; y < partial.size(); ++y) {
    if (partial[y] != -1) continue;
    auto next = partial;
    next[static_cast<std::size_t>(x)] = static_cast<int>(y);
    next[y] = static_cast<int>(x);
    append_pairings(next, all);
  }
}

bool contention_free(pairing const& all_pairs) {
  lockstep::mesh const network{{2, 4}};
  std::vector<lockstep::link_number> links;
  for (int x = 0; x < 8; ++x) network.append_links(x, partner_of(x, all_pairs), links);
  return std::set(links.begin(), links.end()).size() == links.size();
}

/// Whether every node is served by every other.
bool complete(scheme const& of) {
  for (int x = 0; x < 8; ++x) {
    auto reach = within_reach(x, of, 0);
    reach.merge(within_reach(partner_of(x, of[0]), of, 0));
    if (reach.size() < 8) return false;
  }
  return true;
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

TEST_CASE("Fig. 1b: there are 560 such schemes", "[errata]") {
  std::vector<pairing> all;
  append_pairings({-1, -1, -1, -1, -1, -1, -1, -1}, all);
  CHECK(all.size() == 105);
  std::erase_if(all, [](pairing const& one) { return !contention_free(one); });
  int found = 0;
  for (auto const& first : all)
    for (auto const& second : all)
      for (auto const& third : all) found += complete({first, second, third}) ? 1 : 0;
  CHECK(found == 560);
}

TEST_CASE("Fig. 1b: the paper's mesh algorithm takes four steps and sixteen units", "[errata]") {
  lockstep::machine const on{lockstep::mesh{{2, 4}}, {.strict = true}};
  auto const run = on.run(
      [](lockstep::processor& me) { return lockstep::all_to_all(me, std::vector<int>(8)).size(); });
  CHECK(run.counts().steps == 4);
  CHECK(run.counts().words == 16);
}
