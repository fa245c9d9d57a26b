#include <lockstep/topologies/butterfly.hpp>

#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "message_of.hpp"
#include "refusals.hpp"

using lockstep::butterfly;

namespace {

/// By the definition: processors are pairs (level, row).
std::vector<lockstep::neighbour> on_next_levels(int level, int row, int d) {
  auto const rank = [=](int l, int r) { return (l << d) + r; };
  std::vector<lockstep::neighbour> expected;
  if (level < d) {
    expected.push_back({rank(level + 1, row), "straight"});
    expected.push_back({rank(level + 1, row ^ 1 << level), "cross"});
  }
  if (level > 0) {
    expected.push_back({rank(level - 1, row), "back"});
    expected.push_back({rank(level - 1, row ^ 1 << (level - 1)), "uncross"});
  }
  return expected;
}

}  // namespace

TEST_CASE("every butterfly of up to 192 processors is as breadth-first search finds it",
          "[butterfly]") {
  for (int d = 0; d <= 5; ++d) {
    butterfly const network{d};
    INFO(network.spec());
    brute_force::expectation expected;
    expected.neighbours = [&](int rank) { return on_next_levels(rank >> d, rank % (1 << d), d); };
    CHECK(brute_force::contradiction(network, expected) == "");
  }
}

TEST_CASE("a butterfly's size, links, degree and diameter are those of the textbook",
          "[butterfly]") {
  for (int d = 0; d <= 26; ++d) {
    butterfly const network{d};
    INFO(network.spec());
    CHECK(network.size() == (d + 1) * (1 << d));
    CHECK(network.links() == 2LL * d * (2LL << d));  // d 2^(d+1) links, in both directions
    CHECK(network.degree() == (d == 0 ? 0 : d == 1 ? 2 : 4));
    CHECK(network.diameter() == 2 * d);
    CHECK(network.default_switching() == lockstep::switching::neighbour);
  }
}

TEST_CASE("a butterfly's bisection width is given as far as a search shows it", "[butterfly]") {
  for (int d = 0; d <= 2; ++d)
    CHECK(butterfly{d}.bisection_width() ==
          brute_force::bisection_width(brute_force::ends_of(butterfly{d})));
  for (int d = 1; d <= 3; ++d)
    CHECK(butterfly{d}.bisection_width() ==
          brute_force::layered_bisection_width(brute_force::ends_of(butterfly{d}), 1 << d));
  CHECK(butterfly{4}.bisection_width() == std::nullopt);
}

TEST_CASE("a route in a butterfly changes a bit where it first crosses its level", "[butterfly]") {
  butterfly const network{3};  // rank = level * 8 + row
  CHECK(network.route(0, 3 * 8 + 5) == std::vector{1 * 8 + 1, 2 * 8 + 1, 3 * 8 + 5});
  CHECK(network.route(3 * 8 + 5, 0) == std::vector{2 * 8 + 1, 1 * 8 + 1, 0});
  CHECK(network.route(1 * 8 + 0, 1 * 8 + 3) == std::vector{0 + 1, 1 * 8 + 1, 2 * 8 + 3, 1 * 8 + 3});
  CHECK(network.route(2 * 8 + 7, 1 * 8 + 7) == std::vector{1 * 8 + 7});
  CHECK(network.hops(0, 4) == 6);
  CHECK(network.level(19) == 2);
  CHECK(network.row(19) == 3);
  CHECK(network.coordinates(19) == std::vector{2, 3});
  CHECK(network.label(19) == "19 (2,3)");
}

TEST_CASE("a large butterfly numbers its links by formula", "[butterfly]") {
  butterfly const network{26};
  int const p = network.size();
  for (int const rank : {0, 1, (1 << 26) - 1, 1 << 26, p / 2, p - (1 << 26), p - 1})
    for (auto const& other : network.neighbours(rank)) {
      auto const number = network.number_of({rank, other.rank});
      REQUIRE(number >= 0);
      REQUIRE(number < network.links());
      REQUIRE(network.link_at(number) == lockstep::link{rank, other.rank});
    }
  CHECK(network.hops(0, p - 1) == 26);
  CHECK(network.hops(0, (1 << 26) - 1) == 52);
}

TEST_CASE("an FFT's data flow runs on a butterfly in d steps", "[butterfly]") {
  constexpr int d = 4;
  lockstep::machine const machine{butterfly{d}, {.ports = lockstep::ports::all, .strict = true}};
  auto const run = machine.run([](lockstep::processor& me) {
    auto const& network = dynamic_cast<butterfly const&>(me.topology());
    int const level = network.level(me.rank());
    int const rows = network.rows();
    std::int64_t sum = network.row(me.rank());
    if (level > 0) {
      sum = me.receive_value<std::int64_t>(me.rank() - rows);
      sum += me.receive_value<std::int64_t>((me.rank() - rows) ^ (1 << (level - 1)));
    }
    if (level == d) return sum;
    me.send(me.rank() + rows, sum);
    me.send((me.rank() + rows) ^ (1 << level), sum);
    return sum;
  });
  CHECK(run.counts().steps == d);
  CHECK(run.counts().contention == 1);
  for (int row = 0; row < 1 << d; ++row)
    CHECK(run.results()[static_cast<std::size_t>((d << d) + row)] == 120);  // 0 + 1 + ... + 15
}

TEST_CASE("a butterfly refuses what it does not have", "[butterfly]") {
  for (int const d : {-1, 27, 2147483647})
    CHECK(contains(message_of<lockstep::invalid_topology>([&] { return butterfly{d}; }),
                   "the dimension is 0 to 26"));
  butterfly const network{2};
  check_refuses_what_is_not_there(network);
  CHECK_THROWS_AS(network.level(-1), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.row(12), lockstep::invalid_rank);
  CHECK(network.links() == 32);
  for (auto const& nowhere : {std::vector{3, 0}, {0, 4}, {0, -1}, {1}, {1, 1, 1}})
    CHECK_THROWS_AS(network.rank_at(nowhere), lockstep::invalid_argument);
}
