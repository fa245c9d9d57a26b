#include <lockstep/topologies/graph.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "message_of.hpp"

using lockstep::graph;

namespace {

std::vector<lockstep::link> random_links(int p, double chance, unsigned seed,
                                         bool with_ring = false) {
  std::mt19937 random(seed);
  std::bernoulli_distribution is_there(chance);
  std::vector<lockstep::link> links;
  for (int from = 0; from < p; ++from)
    for (int to = 0; to < p; ++to)
      if (from != to && (is_there(random) || (with_ring && to == (from + 1) % p)))
        links.push_back({from, to});
  std::ranges::shuffle(links, random);
  return links;
}

}  // namespace

TEST_CASE("a graph is what its links are", "[graph]") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    int const p = 1 + static_cast<int>(seed * 7 % 60);
    auto const links = random_links(p, seed % 3 == 0 ? 0.03 : 0.2, seed);
    graph const network{p, links};
    brute_force::expectation expected;
    expected.neighbours = [&](int rank) {
      std::vector<lockstep::neighbour> listed;
      for (int to = 0; to < p; ++to)
        if (std::ranges::count(links, lockstep::link{rank, to}) > 0)
          listed.push_back({to, fmt::format("processor {}", to)});
      return listed;
    };
    INFO("seed " << seed << ", " << p << " processors");
    CHECK(network.size() == p);
    CHECK(brute_force::contradiction(network, expected) == "");
  }
}

TEST_CASE("a graph's links are numbered in order, each once", "[graph]") {
  graph const star{4, {{2, 0}, {0, 3}, {0, 1}, {0, 2}, {1, 0}, {0, 1}, {3, 0}}, "star of 4"};
  CHECK(star.spec() == "star of 4");
  CHECK(graph{1, {}}.spec() == "graph");
  CHECK(star.links() == 6);
  CHECK(star.number_of({0, 1}) == 0);
  CHECK(star.number_of({3, 0}) == 5);
  CHECK(star.number_of({1, 2}) == -1);
  CHECK(star.diameter() == 2);
  CHECK(star.bisection_width() == std::nullopt);
}

TEST_CASE("a graph routes to the lowest-numbered of the nearest neighbours", "[graph]") {
  graph const ladder{6, {{0, 2}, {0, 1}, {1, 3}, {2, 3}, {3, 5}, {3, 4}, {0, 4}}};
  CHECK(ladder.route(0, 3) == std::vector{1, 3});
  CHECK(ladder.route(0, 5) == std::vector{1, 3, 5});
  CHECK(ladder.route(0, 4) == std::vector{4});
  CHECK(ladder.route(4, 4).empty());
}

TEST_CASE("a way that a graph does not have is refused", "[graph]") {
  graph const one_way{3, {{0, 1}, {1, 2}}, "one way"};
  auto const back = message_of<lockstep::invalid_topology>([&] { return one_way.route(2, 0); });
  CHECK(contains(back, "one way: no way leads from processor 2 to processor 0"));
  CHECK_THROWS_AS(one_way.hops(1, 0), lockstep::invalid_topology);
  CHECK_THROWS_AS(one_way.diameter(), lockstep::invalid_topology);
  CHECK_THROWS_AS(one_way.route(0, 3), lockstep::invalid_rank);
  CHECK_THROWS_AS(one_way.neighbours(3), lockstep::invalid_rank);
  CHECK_THROWS_AS(one_way.link_at(2), lockstep::invalid_argument);
  CHECK(one_way.number_of({3, 0}) == -1);
}

TEST_CASE("a graph's diameter is its longest route, however many processors it has", "[graph]") {
  for (int const p : {1, 2, 63, 64, 65, 128, 150}) {
    INFO(p << " processors");
    auto links = random_links(p, 0.02, static_cast<unsigned>(p), p > 1);
    graph const network{p, links};
    int longest = 0;
    for (int from = 0; from < p; ++from)
      for (int to = 0; to < p; ++to) longest = std::max(longest, network.hops(from, to));
    CHECK(network.diameter() == longest);
    CHECK(network.diameter() == longest);  // that is kept
    if (p < 63) continue;
    // A star, two of whose processors nobody can leave: the first is told of.
    links.clear();
    for (int end = 1; end < p; ++end) {
      links.push_back({0, end});
      if (end < p - 2) links.push_back({end, 0});
    }
    graph const cut{p, links};
    for (int time = 0; time < 2; ++time)
      CHECK(contains(message_of<lockstep::invalid_topology>([&] { return cut.diameter(); }),
                     fmt::format("processor {} cannot reach every other", p - 2)));
  }
  std::vector<lockstep::link> both_ways;
  for (int from = 0; from < 199; ++from) {
    both_ways.push_back({from, from + 1});
    both_ways.push_back({from + 1, from});
  }
  CHECK(graph{200, both_ways}.diameter() == 199);
}

TEST_CASE("impossible links of a graph are refused", "[graph]") {
  auto const refusal = [](int p, std::vector<lockstep::link> const& links) {
    return message_of<lockstep::invalid_topology>([&] { return graph{p, links}; });
  };
  CHECK(contains(refusal(0, {}), "at least 1"));
  CHECK(contains(refusal(-3, {}), "at least 1"));
  CHECK(contains(refusal(3, {{0, 3}}), "no link from 0 to 3"));
  CHECK(contains(refusal(3, {{-1, 0}}), "no link from -1 to 0"));
  CHECK(contains(refusal(3, {{1, 1}}), "no link from 1 to 1"));
}

TEST_CASE("many threads may ask one graph for routes", "[graph][threads]") {
  auto const links = random_links(80, 0.05, 7, true);
  graph const alone{80, links};
  auto const ask = [](graph const& network) {
    std::vector<std::vector<int>> routes;
    for (int from = 0; from < network.size(); ++from)
      for (int to = 0; to < network.size(); ++to) routes.push_back(network.route(from, to));
    return routes;
  };
  auto const expected = ask(alone);
  graph const shared{80, links};
  std::vector<std::vector<std::vector<int>>> answers(4);
  {
    std::vector<std::jthread> threads;
    for (auto& answer : answers) threads.emplace_back([&] { answer = ask(shared); });
  }
  for (auto const& answer : answers) CHECK(answer == expected);
}
