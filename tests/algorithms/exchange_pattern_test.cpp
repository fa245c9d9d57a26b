#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include <lockstep/algorithms/exchange/exchange_pattern.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"

using lockstep::axis_and_sign;
using lockstep::exchange_pattern;
using lockstep::mesh;
using lockstep::torus;
using direction = lockstep::exchange_pattern::direction;

namespace {

constexpr int row = 0;
constexpr int column = 1;

/// Conditions (1) to (8) of section 3.1.2, case by case.
direction as_printed(int r, int c, int phase) {
  switch ((r + c) % 4) {
    case 0:
      return phase == 1 ? direction{column, +1} : direction{row, +1};
    case 1:
      return phase == 1 ? direction{row, +1} : direction{column, +1};
    case 2:
      return phase == 1 ? direction{column, -1} : direction{row, -1};
    default:
      return phase == 1 ? direction{row, -1} : direction{column, -1};
  }
}

/// Section 3.2.1 in its words: even planes follow A, B, C, odd planes C, A, B.
direction three_dimensional(int x, int y, int z, int phase) {
  auto const in_plane = [&](int pattern) {
    auto const [dimension, sign] = as_printed(y, x, pattern);
    return direction{dimension == column ? 0 : 1, sign};
  };
  auto const across = [&](int plus) { return direction{2, z % 4 == plus ? +1 : -1}; };
  if (z % 2 == 0) return phase == 3 ? across(0) : in_plane(phase);
  return phase == 1 ? across(1) : in_plane(phase - 1);
}

bool is_permutation_of_all(std::vector<int> numbers, int size) {
  std::ranges::sort(numbers);
  std::vector<int> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  return numbers == all;
}

}  // namespace

TEST_CASE("in two dimensions nodes go as conditions (1) to (8) say") {
  std::array const columns_first{column, row};
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 12; ++c)
      for (int phase : {1, 2})
        CHECK(axis_and_sign(std::array{r, c}, columns_first, phase) == as_printed(r, c, phase));
}

TEST_CASE("in three dimensions planes follow patterns A, B, C or C, A, B") {
  std::array const in_order{0, 1, 2};
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y)
      for (int z = 0; z < 8; ++z)
        for (int phase : {1, 2, 3})
          CHECK(axis_and_sign(std::array{x, y, z}, in_order, phase) ==
                three_dimensional(x, y, z, phase));
}

TEST_CASE("every node takes every dimension once") {
  std::vector<int> order(5);
  std::iota(order.begin(), order.end(), 0);
  for (int node = 0; node < 1 << 10; ++node) {
    std::vector<int> at;
    for (int a = 0; a < 5; ++a) at.push_back(node >> (2 * a) & 3);
    std::vector<int> taken;
    for (int phase = 1; phase <= 5; ++phase)
      taken.push_back(axis_and_sign(at, order, phase).dimension);
    REQUIRE(is_permutation_of_all(taken, 5));
  }
}

TEST_CASE("source and destination agree on the name of a block, and names are addresses") {
  torus const network{{8, 12}};
  for (int source : {0, 7, 38, 95}) {
    exchange_pattern const sender(network, source);
    std::vector<int> outgoing;
    std::vector<int> incoming;
    for (int other = 0; other < network.size(); ++other) {
      outgoing.push_back(sender.name_of_block_for(other));
      incoming.push_back(sender.name_of_block_from(other));
      CHECK(outgoing.back() == exchange_pattern(network, other).name_of_block_from(source));
    }
    CHECK(is_permutation_of_all(outgoing, network.size()));
    CHECK(is_permutation_of_all(incoming, network.size()));
    CHECK(sender.name_of_block_for(source) == 0);
  }
}

TEST_CASE("a layout gives every name one place, its own block the first") {
  for (auto const& sizes : {std::vector{4, 8}, std::vector{12, 8}, std::vector{4, 8, 4}}) {
    torus const network{sizes};
    exchange_pattern const pattern(network, 5);
    for (int step = 1; step <= pattern.dimensions(); ++step) {
      auto const ring = exchange_pattern::places(pattern.ring_layout(step));
      CHECK(is_permutation_of_all(ring, network.size()));
      CHECK(ring[0] == 0);
    }
    for (int distance : {2, 1})
      for (int step = 1; step <= pattern.dimensions(); step += 2) {
        auto const exchange = exchange_pattern::places(pattern.exchange_layout(distance, step));
        CHECK(is_permutation_of_all(exchange, network.size()));
        CHECK(exchange[0] == 0);
      }
  }
}

TEST_CASE("a ring step sends the blocks that have further to go along the ring") {
  torus const network{{8, 12}};
  exchange_pattern const pattern(network, 0);  // P(0,0): + along the columns, then + along the rows
  CHECK(pattern.ring(1) == direction{column, +1});
  CHECK(pattern.ring(2) == direction{row, +1});
  REQUIRE(pattern.ring_steps(1) == 2);
  CHECK(pattern.ring_steps(2) == 1);

  auto const places = exchange_pattern::places(pattern.ring_layout(1));
  for (int step : {1, 2}) {
    auto const sent = pattern.ring_step(1, step);
    CHECK(sent.to == lockstep::along{column, +4});
    CHECK(sent.from == 8);
    for (int destination = 0; destination < network.size(); ++destination) {
      auto const name = static_cast<std::size_t>(pattern.name_of_block_for(destination));
      bool const is_sent = sent.first <= places[name] && places[name] < sent.last;
      CHECK(is_sent == (destination % 12 / 4 >= step));
    }
  }
}

TEST_CASE("on a mesh the last node of a line closes the ring") {
  mesh const network{{4, 6}};
  exchange_pattern const first(network, 0);
  exchange_pattern const last(network, 4);  // P(0,4)
  CHECK(first.ring_step(1, 1).to == lockstep::along{column, +2});
  CHECK(first.ring_step(1, 1).from == 4);
  CHECK(last.ring_step(1, 1).to == lockstep::along{column, -4});
  CHECK(last.ring_step(1, 1).from == 2);
}

TEST_CASE("an exchange step swaps what lies beyond the partner's half") {
  torus const network{{8, 8}};
  exchange_pattern const pattern(network, 0);
  auto const first = pattern.exchange_step(2, 1);
  CHECK(first.to == lockstep::along{column, +2});
  CHECK(first.from == 2);
  CHECK((first.first == 16 && first.last == 48));
  auto const second = pattern.exchange_step(2, 2);
  CHECK(second.to == lockstep::along{row, +2});
  CHECK(second.from == 16);
  CHECK((second.first == 32 && second.last == 64));
  // P(2,2) goes back the same ways.
  CHECK(exchange_pattern(network, 18).exchange_step(2, 1).to == lockstep::along{column, -2});
  CHECK(exchange_pattern(network, 18).exchange_step(1, 2).to == lockstep::along{row, +1});
}

TEST_CASE("networks that do not fit are refused with what would do") {
  CHECK(exchange_pattern::why_not(torus{{12, 8}}).empty());
  CHECK(exchange_pattern::why_not(mesh{{6, 2}}).empty());
  CHECK(exchange_pattern::why_not(torus{{4, 4, 8}}).empty());
  CHECK(exchange_pattern::why_not(torus{{6, 6}}) ==
        "the dimensions of torus:6x6 have to be multiples of 4; torus:4x4 or torus:8x8 would do");
  CHECK(exchange_pattern::why_not(torus{{2, 8}}) ==
        "the dimensions of torus:2x8 have to be multiples of 4; torus:4x8 would do");
  CHECK(exchange_pattern::why_not(mesh{{5, 6}}) ==
        "the dimensions of mesh:5x6 have to be multiples of 2; mesh:4x6 or mesh:6x6 would do");
  CHECK(exchange_pattern::why_not(torus{{16}}) ==
        "torus:16 has one dimension, and at least two are needed; torus:4x16 would do");
  CHECK(exchange_pattern::why_not(lockstep::hypercube{4}) ==
        "hypercube:4 is neither a torus nor a mesh; torus:12x12 or mesh:6x6 would do");
  CHECK_THROWS_AS(exchange_pattern(torus{{6, 6}}, 0), lockstep::invalid_argument);
}
