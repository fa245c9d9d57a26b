#include "explain/steady_state.hpp"

#include "../catch.hpp"

using lockstep::cli::longest_unbroken;
using lockstep::cli::steady_part;
using lockstep::cli::steady_state;
using lockstep::cli::step_range;

TEST_CASE("the longest stretch without a pause is found, the first of several", "[steady_state]") {
  CHECK(longest_unbroken("lr..plrp.", '.', 1) == step_range{5, 8});
  CHECK(longest_unbroken("lr.lr", '.', 11) == step_range{11, 12});
  CHECK(longest_unbroken("..l", '.', 1) == step_range{3, 3});
  CHECK(longest_unbroken("...", '.', 1).count() == 0);
  CHECK(longest_unbroken("", '.', 1).count() == 0);
}

TEST_CASE("rounds that come three times are steady, with part of a fourth", "[steady_state]") {
  CHECK(steady_part("plrplrplrp", 13) == steady_state{.steps = {13, 22}, .round = "plr"});
  CHECK(steady_part("pppp", 1) == steady_state{.steps = {1, 4}, .round = "p"});
  CHECK_FALSE(steady_part("plrplr", 1));
  CHECK_FALSE(steady_part("abcdabcdxyzuv", 1));
  CHECK_FALSE(steady_part("", 1));
}

TEST_CASE("what comes before and after the rounds does not count", "[steady_state]") {
  CHECK(steady_part("lrlrplrplrplrss", 1) == steady_state{.steps = {3, 13}, .round = "lrp"});
  CHECK_FALSE(steady_part("aaabcdef", 1));  // three, but less than half
  CHECK_FALSE(steady_part("aaabcd", 1));    // no more than half
  CHECK(steady_part("aaabc", 1) == steady_state{.steps = {1, 3}, .round = "a"});
}

TEST_CASE("of rounds of different lengths the shortest that fits is named", "[steady_state]") {
  CHECK(steady_part("lrlrlrlrlrlr", 1) == steady_state{.steps = {1, 12}, .round = "lr"});
}
