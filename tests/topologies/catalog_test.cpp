#include <lockstep/topologies/catalog.hpp>

#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>
#include <lockstep/topologies/torus.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "message_of.hpp"

using lockstep::parse;
using lockstep::topology_kinds;

namespace {

/// Calls visit(network) for each example in the catalog of at most `most_processors`.
template <class Visit>
void for_each_example(int most_processors, Visit&& visit) {
  for (auto const& kind : topology_kinds())
    for (auto const& example : kind.examples) {
      auto const network = parse(example);
      if (network->size() > most_processors) continue;
      INFO(example);
      visit(*network);
    }
}

}  // namespace

TEST_CASE("a kind in the catalog has a name, a syntax and examples that are read back",
          "[catalog]") {
  std::set<std::string_view> names;
  for (auto const& kind : topology_kinds()) {
    INFO(kind.name);
    CHECK(names.insert(kind.name).second);
    CHECK(kind.syntax.starts_with(std::string(kind.name) + ":"));
    CHECK(!kind.summary.empty());
    for (auto const& example : kind.examples) {
      CHECK(example.starts_with(std::string(kind.name) + ":"));
      CHECK(parse(example)->spec() == example);
      CHECK(kind.make(example, std::source_location::current())->spec() == example);
    }
  }
}

TEST_CASE("a short name in the catalog names a network of its kind", "[catalog]") {
  std::set<std::string_view> names;
  for (auto const& kind : topology_kinds()) names.insert(kind.name);
  for (auto const& kind : topology_kinds()) {
    INFO(kind.name);
    CHECK(kind.short_name.empty() == (kind.make_short == nullptr));
    if (kind.short_name.empty()) continue;
    CHECK(names.insert(kind.short_name).second);
    auto const spec = std::string(kind.short_name) + ":8";
    auto const meant = std::string(kind.name) + ":8";
    CHECK(parse(spec)->spec() == meant);
    CHECK(contains(std::string(kind.summary), spec + " is " + meant));
  }
}

TEST_CASE("every example in the catalog is as breadth-first search finds it", "[catalog]") {
  for_each_example(256, [](lockstep::topology const& network) {
    CHECK(brute_force::contradiction(network) == "");
  });
}

TEST_CASE("every network in the catalog gives each processor a place of its own", "[catalog]") {
  for_each_example(1024, [](lockstep::topology const& network) {
    auto const places = network.layout();
    REQUIRE(std::cmp_equal(places.size(), network.size()));
    std::set<std::pair<double, double>> taken;
    for (auto const& [x, y] : places) CHECK(taken.emplace(x, y).second);
  });
}

TEST_CASE("every network in the catalog labels its processors with their ranks", "[catalog]") {
  for_each_example(1024, [](lockstep::topology const& network) {
    auto const width = network.label(0).size();
    for (int rank = 0; rank < network.size(); ++rank) {
      auto const label = network.label(rank);
      CHECK(std::stoi(label) == rank);
      if (network.label_note().empty()) CHECK(label.size() >= width);
    }
    CHECK_THROWS_AS(network.label(network.size()), lockstep::invalid_rank);
  });
}

TEST_CASE("the axes of a network are the dimensions that can be gone along", "[catalog]") {
  for_each_example(1024, [](lockstep::topology const& network) {
    auto const axes = network.axes();
    int processors = 1;
    for (int k = 0; auto const& [size, is_ring] : axes) {
      processors *= size;
      if (size > 1) CHECK(network.adjacent(0, network.end_of(0, lockstep::along{k, 1})));
      if (is_ring) CHECK(network.adjacent(0, network.end_of(0, lockstep::along{k, -1})));
      CHECK(is_ring == (size > 2 && network.adjacent(0, network.end_of(0, {k, size - 1}))));
      ++k;
    }
    CHECK(processors == (axes.empty() ? 1 : network.size()));
    CHECK_THROWS_AS(network.end_of(0, {static_cast<int>(axes.size()), 1}),
                    lockstep::invalid_argument);
  });
}

TEST_CASE("labels tell where a processor stands", "[catalog]") {
  CHECK(lockstep::binary_tree(3).label(3) == "3");
  CHECK(lockstep::binary_tree(3).label(5) == "  5");
  CHECK(lockstep::binary_tree(3).label(6) == "    6");
  CHECK(lockstep::binary_tree(3).label_note() == "the tree lies on its side");
  CHECK(lockstep::hypercube(4).label(3) == " 3 0011");
  CHECK(lockstep::shuffle_exchange(3).label(6) == "6 110");
  CHECK(lockstep::torus({4, 6}).label(8) == " 8 (1,2)");
  CHECK(lockstep::torus({4, 6}).label_note().empty());
  CHECK(lockstep::crossbar(100).label(8) == " 8");
}

TEST_CASE("a specification of an unknown kind is told what there is", "[catalog]") {
  CHECK(message_of<lockstep::invalid_topology>([] { return parse("star:8"); }) ==
        "\"star:8\" is not a topology: write " + lockstep::topology_examples() +
            ", with numbers of your own");
  CHECK(contains(lockstep::topology_examples(), "torus:12x12, mesh:6x10x4, hypercube:10, "));
  for (auto const& kind : topology_kinds())
    CHECK(contains(lockstep::topology_examples(), std::string(kind.examples.front())));
}
