#include <lockstep/topologies/shuffle_exchange.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "message_of.hpp"
#include "refusals.hpp"

using lockstep::shuffle_exchange;

namespace {

/// The rank as d binary digits, the highest first, and back.
std::string digits(int rank, int d) { return fmt::format("{:0{}b}", rank, d); }
int rank_of(std::string const& digits) { return std::stoi(digits, nullptr, 2); }

std::vector<lockstep::neighbour> turned_and_rotated(int rank, int d) {
  auto const bits = digits(rank, d);
  auto turned = bits;
  turned.back() = bits.back() == '0' ? '1' : '0';
  int const left = rank_of(bits.substr(1) + bits[0]);
  int const right = rank_of(bits.back() + bits.substr(0, bits.size() - 1));
  std::vector<lockstep::neighbour> expected{{rank_of(turned), "exchange"}};
  if (left != rank) expected.push_back({left, "shuffle"});
  if (right != rank && right != left) expected.push_back({right, "unshuffle"});
  return expected;
}

}  // namespace

TEST_CASE(
    "every shuffle-exchange network of up to 256 processors is as breadth-first search finds it",
    "[shuffle_exchange]") {
  for (int d = 1; d <= 8; ++d) {
    shuffle_exchange const network{d};
    INFO(network.spec());
    CHECK(network.size() == 1 << d);
    brute_force::expectation expected;
    expected.neighbours = [&](int rank) { return turned_and_rotated(rank, d); };
    CHECK(brute_force::contradiction(network, expected) == "");
    CHECK(network.bisection_width() == std::nullopt);
  }
}

TEST_CASE("shuffle rotates a rank to the left", "[shuffle_exchange]") {
  shuffle_exchange const network{4};
  CHECK(network.exchange(6) == 7);
  CHECK(network.exchange(7) == 6);
  CHECK(network.shuffle(6) == 12);
  CHECK(network.shuffle(12) == 9);
  CHECK(network.unshuffle(12) == 6);
  CHECK(network.unshuffle(9) == 12);
  CHECK(network.shuffle(5) == 10);
  CHECK(network.unshuffle(5) == 10);
  for (int const fixed : {0, 15}) {
    CHECK(network.shuffle(fixed) == std::nullopt);
    CHECK(network.unshuffle(fixed) == std::nullopt);
  }
  CHECK(network.coordinates(6) == std::vector{0, 1, 1, 0});
  CHECK(network.default_switching() == lockstep::switching::neighbour);
}

TEST_CASE("a large shuffle-exchange network numbers its links by formula", "[shuffle_exchange]") {
  for (int const d : {29, 30}) {
    shuffle_exchange const network{d};
    for (int const rank : {0, 1, 2, (1 << d) / 3, (1 << d) / 3 * 2, (1 << d) - 2, (1 << d) - 1})
      for (auto const& other : network.neighbours(rank)) {
        auto const number = network.number_of({rank, other.rank});
        REQUIRE(number >= 0);
        REQUIRE(number < network.links());
        REQUIRE(network.link_at(number) == lockstep::link{rank, other.rank});
      }
  }
}

TEST_CASE("what a shuffle-exchange network does not have is refused", "[shuffle_exchange]") {
  for (int const d : {0, -1, 31, 2147483647})
    CHECK(contains(message_of<lockstep::invalid_topology>([&] { return shuffle_exchange{d}; }),
                   "the dimension is 1 to 30"));
  shuffle_exchange const network{3};
  check_refuses_what_is_not_there(network);
  CHECK_THROWS_AS(network.exchange(8), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.shuffle(-1), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.unshuffle(8), lockstep::invalid_rank);
}
