#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"

using lockstep::axis_and_sign;
using lockstep::exchange_schedule;
using lockstep::exchange_scheme;
using lockstep::mesh;
using lockstep::torus;
using coordinates = exchange_schedule::coordinates;
using direction = exchange_schedule::direction;

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

std::vector<int> first_numbers(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<int> steps_of(exchange_schedule const& schedule) {
  std::vector<int> steps;
  for (auto const& phase : schedule.phases()) steps.push_back(phase.steps);
  return steps;
}

std::string refusal(lockstep::topology const& network, exchange_scheme scheme,
                    std::vector<std::vector<int>> groups = {}) {
  return exchange_schedule::unsupported_reason(network,
                                               {.scheme = scheme, .groups = std::move(groups)});
}

using enum exchange_scheme;

}  // namespace

TEST_CASE("in two dimensions nodes go as conditions (1) to (8) say") {
  std::vector const columns_first{column, row};
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 12; ++c)
      for (int phase : {1, 2})
        CHECK(axis_and_sign(coordinates{r, c}, columns_first, phase) == as_printed(r, c, phase));
}

TEST_CASE("in three dimensions planes follow patterns A, B, C or C, A, B") {
  std::vector const in_order{0, 1, 2};
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y)
      for (int z = 0; z < 8; ++z)
        for (int phase : {1, 2, 3})
          CHECK(axis_and_sign(coordinates{x, y, z}, in_order, phase) ==
                three_dimensional(x, y, z, phase));
}

TEST_CASE("every node takes every dimension once") {
  auto const order = first_numbers(5);
  for (int node = 0; node < 1 << 10; ++node) {
    coordinates at{};
    for (std::size_t a = 0; a < 5; ++a) at[a] = node >> (2 * a) & 3;
    std::vector<int> taken;
    for (int phase = 1; phase <= 5; ++phase)
      taken.push_back(axis_and_sign(at, order, phase).dimension);
    std::ranges::sort(taken);
    REQUIRE(taken == order);
  }
}

TEST_CASE("a ring phase has as many steps as the longest ring that is in use") {
  for (auto const& sizes : {std::vector{4, 8, 12}, std::vector{12, 8, 4}, std::vector{8, 4, 16, 4},
                            std::vector{4, 8, 4, 12, 16}}) {
    torus const network{sizes};
    exchange_schedule const schedule(network);
    for (auto const& phase : schedule.phases()) {
      if (!phase.in_rings) continue;
      int longest = 0;
      for (int rank = 0; rank < network.size(); ++rank) {
        auto const at = schedule.hosted_by(rank).front();
        longest = std::max(longest, schedule.ring_length(schedule.way(at, phase).dimension));
      }
      CHECK(phase.steps == longest - 1);
    }
  }
}

TEST_CASE("the longest rings of a group, phase by phase") {
  using lockstep::longest_rings;
  CHECK(longest_rings({3, 2, 1}) == std::vector{3, 3, 3});
  CHECK(longest_rings({1, 2, 3}) == std::vector{3, 2, 3});
  CHECK(longest_rings({1, 1, 2, 1}) == std::vector{2, 2, 2, 2});
  CHECK(longest_rings({1, 1, 1, 2, 1}) == std::vector{2, 2, 1, 2, 2});
}

TEST_CASE("phases of the schemes") {
  CHECK(steps_of(exchange_schedule(torus{{8, 16}})) == std::vector{3, 3, 2, 2});
  CHECK(steps_of(exchange_schedule(mesh{{6, 4}})) == std::vector{2, 2, 2});
  CHECK(steps_of(exchange_schedule(torus{{5, 6}})) == std::vector{1, 1, 2, 2});
  CHECK(steps_of(exchange_schedule(torus{{6, 10}}, {.scheme = stride_2})) == std::vector{4, 2, 2});
  CHECK(steps_of(exchange_schedule(torus{{16}}, {.scheme = stride_2})) == std::vector{7, 1});
  CHECK(steps_of(exchange_schedule(torus{{16}})) == std::vector{3, 3, 2, 1});
  CHECK(steps_of(exchange_schedule(torus{{8, 8, 4, 4}}, {.groups = {{2, 3}, {0, 1}}})) ==
        std::vector{0, 0, 1, 1, 4, 4});
  CHECK(exchange_schedule(torus{{5, 5}}).logical_steps() == 6);
  CHECK(exchange_schedule(torus{{10, 10}}).logical_steps() == 8);
}

TEST_CASE("a virtual node is hosted by the node before it in its ring") {
  exchange_schedule const schedule(torus{{5, 7}});
  CHECK(schedule.has_virtual_nodes());
  CHECK(schedule.filled_up(0) == 8);
  CHECK(schedule.filled_up(1) == 8);
  CHECK(schedule.host(0, 4) == 4);
  CHECK(schedule.host(0, 5) == 1);
  CHECK(schedule.host(0, 7) == 3);
  CHECK(schedule.host(1, 7) == 3);
  auto const at = [](int r, int c) { return coordinates{r, c}; };
  CHECK(schedule.hosted_by(0) == std::vector{at(0, 0)});
  CHECK(schedule.hosted_by(1 * 7 + 3) == std::vector{at(1, 3), at(1, 7), at(5, 3), at(5, 7)});
  CHECK(schedule.host_rank(at(5, 7)) == 1 * 7 + 3);
  CHECK(schedule.is_real(at(4, 6)));
  CHECK_FALSE(schedule.is_real(at(4, 7)));
}

TEST_CASE("where a ring has no node before it, the partner is the host, or nobody") {
  exchange_schedule const three(torus{{3, 4}});
  CHECK(three.host(0, 3) == 1);
  for (int size : {1, 2}) {
    exchange_schedule const tiny(torus{{size, 4}});
    CHECK(tiny.host(0, 3) == exchange_schedule::nobody);
    CHECK(tiny.host_rank(coordinates{3, 0}) == exchange_schedule::nobody);
  }
  CHECK(exchange_schedule(mesh{{1, 4}}).host(0, 1) == exchange_schedule::nobody);
  CHECK(exchange_schedule(mesh{{3, 4}}).host(0, 3) == 1);
  CHECK(exchange_schedule(torus{{3, 4}}, {.scheme = stride_2}).host(0, 3) == 1);
}

TEST_CASE("messages go round their ring, partners the shorter way") {
  using lockstep::along;
  exchange_schedule const padded(torus{{4, 10}});
  auto const& ring = padded.phases().front();
  CHECK(padded.route(ring, {column, +1}, 0, 4) == along{column, 4});
  CHECK(padded.route(ring, {column, +1}, 10, 2) == along{column, 6});  // 10 is hosted by 6
  CHECK(padded.route(ring, {column, -1}, 1, 9) == along{column, -2});
  exchange_schedule const five(torus{{4, 5}});
  auto const& last = five.phases().back();
  CHECK(five.route(last, {column, +1}, 4, 5) == along{column, +2});  // 5 is hosted by 1
  CHECK(five.route(last, {column, +1}, 5, 4) == along{column, -2});
  exchange_schedule const lines(mesh{{4, 6}});
  CHECK(lines.route(lines.phases().front(), {column, +1}, 4, 0) == along{column, -4});
  exchange_schedule const line(mesh{{8}});
  CHECK(line.route(line.phases().front(), {1, +1}, 0, 2) == along{0, 2});  // of 1 x 8
}

TEST_CASE("networks and choices that do not fit are refused with examples that fit") {
  for (auto const scheme : {paper, virtual_nodes}) CHECK(refusal(torus{{12, 8}}, scheme).empty());
  CHECK(refusal(mesh{{6, 2}}, paper).empty());
  CHECK(refusal(torus{{5, 7, 1}}, virtual_nodes).empty());
  CHECK(refusal(torus{{5}}, stride_2).empty());
  CHECK_THAT(refusal(torus{{6, 6}}, paper),
             has_text("multiples of 4") && has_text("torus:4x4 or torus:8x8"));
  CHECK_THAT(refusal(torus{{2, 8}}, paper), has_text("for example torus:4x8; the other schemes"));
  CHECK_THAT(refusal(mesh{{5, 6}}, paper), has_text("mesh:4x6 or mesh:6x6"));
  CHECK_THAT(refusal(torus{{16}}, paper), has_text("one dimension"));
  CHECK_THAT(refusal(mesh{{6, 6}}, stride_2), has_text("torus:6x6"));
  CHECK(refusal(lockstep::hypercube{4}, virtual_nodes) ==
        "hypercube:4 is neither a torus nor a mesh; for example torus:12x12 or mesh:6x6");
  torus const four{{4, 4, 8, 8}};
  CHECK(refusal(four, paper, {{0, 3}, {2, 1}}).empty());
  CHECK_THAT(refusal(four, virtual_nodes, {{0, 1}, {2}, {3}}), has_text("two or more"));
  CHECK_THAT(refusal(four, virtual_nodes, {{0, 1}, {2, 2}}), has_text("each dimension"));
  CHECK_THAT(refusal(four, virtual_nodes, {{0, 1}}), has_text("each dimension"));
  CHECK_THAT(refusal(four, virtual_nodes, {{0, 1}, {2, 4}}), has_text("each dimension"));
  CHECK_THAT(refusal(four, stride_2, {{0, 1}, {2, 3}}), has_text("leave out the groups"));
  CHECK_FALSE(exchange_schedule::unsupported_reason(four, {.partner_order = {0, 1, 2}}).empty());
  CHECK_FALSE(
      exchange_schedule::unsupported_reason(mesh{{4, 4}}, {.partner_order = {0, 1}}).empty());
  CHECK_THROWS_AS(exchange_schedule(torus{{6, 6}}, {.scheme = paper}), lockstep::invalid_argument);
}
