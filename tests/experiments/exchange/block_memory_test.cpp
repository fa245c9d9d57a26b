#include "exchange/block_memory.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"

namespace {

lockstep::torus const network({4, 4});

std::string layout_complaint(lockstep::block_memory const& held) {
  try {
    require_memory(network, held);
  } catch (lockstep::out_of_memory const& refused) {
    return refused.message();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("blocks that fit are let pass", "[memory]") {
  CHECK(layout_complaint({.words = 0, .bytes_of_a_word = 8}) == "nothing");
  CHECK(layout_complaint({.words = 1000, .bytes_of_a_word = 8, .copies = 2}) == "nothing");
}

TEST_CASE("blocks that do not are refused with the figures", "[memory]") {
  auto const message = layout_complaint(
      {.words = std::uint64_t{1} << 50U, .bytes_of_a_word = 4, .copies = 2, .bytes_besides = 1});
  CHECK_THAT(message, Catch::Matchers::StartsWith("torus:4x4 has 16 processors, and blocks of "
                                                  "1125899906842624 words from each to each need "
                                                  "2199023255552 MiB, and "));
  CHECK_THAT(message, Catch::Matchers::EndsWith(
                          " MiB are available: take a smaller machine or smaller blocks"));
}

TEST_CASE("no product is too large to be refused, and what is besides counts", "[memory]") {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  CHECK(layout_complaint({.words = most, .bytes_of_a_word = most, .copies = 3}) != "nothing");
  CHECK(layout_complaint({.words = 0, .bytes_of_a_word = 8, .bytes_besides = most / 2}) !=
        "nothing");
}
