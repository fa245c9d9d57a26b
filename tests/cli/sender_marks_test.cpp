#include "explain/sender_marks.hpp"

#include <map>
#include <set>
#include <string>

#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/butterfly.hpp>
#include <lockstep/topologies/catalog.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/cube_connected_cycles.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>
#include <lockstep/topologies/torus.hpp>

#include "../catch.hpp"

namespace {

using namespace lockstep;
using cli::sender_mark;

/// Marks a message that takes that many hops, or 0 for those of the network's way.
sender_mark mark_on(topology const& network, int from, int to, int hops = 0) {
  auto const links = static_cast<std::uint64_t>(hops > 0 ? hops : network.hops(from, to));
  return cli::sender_marks(network, to).of({.from = from, .to = to, .words = 1, .hops = links});
}

}  // namespace

TEST_CASE("on a tree senders are children and parents", "[sender_marks]") {
  binary_tree const tree(3);
  CHECK(mark_on(tree, 0, 1) == sender_mark{'l', "left child"});
  CHECK(mark_on(tree, 2, 1) == sender_mark{'r', "right child"});
  CHECK(mark_on(tree, 3, 1) == sender_mark{'p', "parent"});
  CHECK(mark_on(tree, 6, 1) == sender_mark{'*', "elsewhere"});
}

TEST_CASE("on a hypercube a sender is a dimension's digit, or a letter", "[sender_marks]") {
  CHECK(mark_on(hypercube(4), 5, 13) == sender_mark{'3', "dimension 3"});
  CHECK(mark_on(hypercube(4), 4, 5) == sender_mark{'0', "dimension 0"});
  CHECK(mark_on(hypercube(12), 0, 1 << 11) == sender_mark{'b', "dimension 11"});
}

TEST_CASE("on a shuffle-exchange a sender is a link's letter", "[sender_marks]") {
  shuffle_exchange const network(3);
  CHECK(mark_on(network, 1, 0) == sender_mark{'e', "exchange"});
  CHECK(mark_on(network, 2, 1) == sender_mark{'s', "shuffle"});
  CHECK(mark_on(network, 4, 1) == sender_mark{'u', "unshuffle"});
}

TEST_CASE("on a butterfly and on cube-connected cycles a sender is a link's letter",
          "[sender_marks]") {
  butterfly const levels(2);
  CHECK(mark_on(levels, 8, 4) == sender_mark{'s', "straight"});
  CHECK(mark_on(levels, 10, 4) == sender_mark{'c', "cross"});
  CHECK(mark_on(levels, 0, 4) == sender_mark{'b', "back"});
  CHECK(mark_on(levels, 1, 4) == sender_mark{'u', "uncross"});
  cube_connected_cycles const cycles(3);
  CHECK(mark_on(cycles, 1, 0) == sender_mark{'f', "forward"});
  CHECK(mark_on(cycles, 2, 0) == sender_mark{'b', "backward"});
  CHECK(mark_on(cycles, 3, 0) == sender_mark{'c', "cube"});
}

TEST_CASE("a character stands for one side only, on every network of the catalog",
          "[sender_marks]") {
  for (auto const& kind : topology_kinds())
    for (auto const& example : kind.examples) {
      auto const network = parse(example);
      if (network->size() > 61) continue;  // there are 62 characters
      INFO(example);
      std::map<char, std::string> names;
      for (int rank = 0; rank < network->size(); ++rank) {
        std::set<char> symbols;
        for (auto const& next : network->neighbours(rank)) {
          auto const mark = mark_on(*network, next.rank, rank);
          CHECK(symbols.insert(mark.symbol).second);
          CHECK(names.emplace(mark.symbol, mark.name).first->second == mark.name);
        }
      }
    }
}

TEST_CASE("on a crossbar a sender is its rank", "[sender_marks]") {
  CHECK(mark_on(crossbar(16), 12, 3) == sender_mark{'c', "processor 12"});
  crossbar const large(1'000'000);
  CHECK(mark_on(large, 9, 3) == sender_mark{'9', "processor 9"});
  CHECK(mark_on(large, 36, 3) == sender_mark{'A', "processor 36"});
  CHECK(mark_on(large, 61, 3) == sender_mark{'Z', "processor 61"});
  CHECK(mark_on(large, 62, 3) == sender_mark{'*', "processor 62"});
}

TEST_CASE("on a mesh an arrow shows how a message moved", "[sender_marks]") {
  mesh const plane({4, 6});
  CHECK(mark_on(plane, 0, 5) == sender_mark{'>', "the - side of dimension 1"});
  CHECK(mark_on(plane, 5, 0) == sender_mark{'<', "the + side of dimension 1"});
  CHECK(mark_on(plane, 0, 18) == sender_mark{'v', "the - side of dimension 0"});
  CHECK(mark_on(plane, 6, 0) == sender_mark{'^', "the + side of dimension 0"});
  CHECK(mark_on(plane, 0, 7) == sender_mark{'*', "elsewhere"});
  CHECK(mark_on(mesh({5}), 0, 4).symbol == '>');
}

TEST_CASE("on a torus a message's hops tell its way, but for half-way round", "[sender_marks]") {
  torus const plane({4, 6});
  CHECK(mark_on(plane, 0, 5).symbol == '<');     // 1 link back
  CHECK(mark_on(plane, 0, 5, 5).symbol == '>');  // 5 links on
  CHECK(mark_on(plane, 5, 0).symbol == '>');
  CHECK(mark_on(plane, 5, 0, 5).symbol == '<');
  CHECK(mark_on(plane, 0, 5, 11) == sender_mark{'*', "elsewhere"});
  CHECK(mark_on(plane, 0, 3) == sender_mark{'-', "half-way round dimension 1"});
  CHECK(mark_on(plane, 0, 12) == sender_mark{'|', "half-way round dimension 0"});
  torus const pairs({2, 6});
  CHECK(mark_on(pairs, 0, 6).symbol == 'v');
  CHECK(mark_on(pairs, 6, 0).symbol == '^');
}

TEST_CASE("in three dimensions letters stand for ways", "[sender_marks]") {
  torus const space({4, 4, 5});
  CHECK(mark_on(space, 0, 20) == sender_mark{'a', "the - side of dimension 0"});
  CHECK(mark_on(space, 20, 0) == sender_mark{'A', "the + side of dimension 0"});
  CHECK(mark_on(space, 0, 1) == sender_mark{'c', "the - side of dimension 2"});
  CHECK(mark_on(space, 0, 10) == sender_mark{'1', "half-way round dimension 1"});
}
