#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <lockstep/algorithms/exchange/exchange_search.hpp>

#include "catch.hpp"
#include "complaint_of.hpp"
#include "exchange/choice_text.hpp"
#include "exchange/exchanged_blocks.hpp"

using lockstep::best_groups;
using lockstep::exchange_choice;
using lockstep::exchange_schedule;
using lockstep::exchange_scheme;
using groups = std::vector<std::vector<int>>;

namespace {

/// The fewest ring steps of one group over all orders of its dimensions.
int fewest_over_all_orders(std::string const& spec, int dimensions) {
  auto const network = lockstep::parse(spec);
  std::vector<int> order(static_cast<std::size_t>(dimensions));
  std::iota(order.begin(), order.end(), 0);
  int fewest = 1'000'000;
  do {
    fewest = std::min(fewest, exchange_schedule(*network, {.groups = {order}}).logical_steps());
  } while (std::ranges::next_permutation(order).found);
  return fewest;
}

std::string sizes_of_best(std::vector<int> const& sizes, int stride) {
  return lockstep::text_of(best_groups(sizes, stride), sizes);
}

}  // namespace

TEST_CASE("what an exchange is said to cost is what the machine counts") {
  exchange_choice const by_twos{.scheme = exchange_scheme::stride_2};
  for (auto const* spec : {"torus:4x8", "torus:5x5", "torus:7x10", "torus:3x2x5", "torus:13",
                           "torus:1x6", "mesh:4x6", "mesh:5x3", "mesh:9", "mesh:3x2x5", "mesh:1x1",
                           "torus:4x4x8", "torus:4x8x4x4", "mesh:2x4x2x6"}) {
    auto const network = lockstep::parse(spec);
    std::vector<exchange_choice> choices{{}};
    if (std::string(spec).starts_with("torus")) choices.push_back(by_twos);
    choices.push_back(lockstep::cheapest_exchange(*network).choice);
    for (auto const& choice : choices) {
      auto const counts = reference::exchanged(spec, 1, choice).counts();
      auto const said = lockstep::traffic_of(exchange_schedule(*network, choice));
      INFO(spec << ", " << lockstep::name_of(choice.scheme));
      CHECK(said.steps == counts.steps);
      CHECK(said.blocks == counts.words);
    }
  }
}

TEST_CASE("shorter dimensions first is the best order of a group") {
  auto const [spec, shorter_first] = GENERATE(table<std::string, std::vector<int>>(
      {{"torus:12x8x4", {2, 1, 0}}, {"mesh:2x8x4x6", {0, 2, 3, 1}}}));
  CHECK(fewest_over_all_orders(spec, static_cast<int>(shorter_first.size())) ==
        exchange_schedule(*lockstep::parse(spec), {.groups = {shorter_first}}).logical_steps());
}

TEST_CASE("the best groups keep long dimensions among themselves") {
  CHECK(sizes_of_best({8, 8, 4, 4}, 4) == "4x4,8x8");
  CHECK(sizes_of_best({12, 8, 4, 4}, 4) == "4x4,8x12");
  CHECK(sizes_of_best({4, 8, 12}, 4) == "4x8x12");
  CHECK(sizes_of_best({12, 4, 8, 16, 4, 4}, 4) == "4x4x4x8,12x16");
  CHECK(best_groups({8, 4}, 4).empty());
  CHECK(best_groups({8}, 4).empty());
  CHECK_THROWS_AS(best_groups({4, 4, 4}, 0), lockstep::invalid_argument);
  CHECK_THROWS_AS(best_groups({4, 0, 4}, 4), lockstep::invalid_argument);
}

TEST_CASE("the cheapest exchange takes no more steps than any of the others") {
  using enum exchange_scheme;
  auto const [spec, expected, scheme] =
      GENERATE(table<std::string, lockstep::exchange_traffic, exchange_scheme>({
          {"torus:8x8", {6, 192}, paper},
          {"torus:14x14", {12, 1412}, virtual_nodes},
          {"torus:5x5", {8, 121}, stride_2},
          {"torus:10x10", {10, 500}, stride_2},
          {"torus:8x8x4x4", {10, 5120}, paper},
          {"torus:12x8x4x4", {12, 9216}, paper},
          {"torus:12x8x4", {11, 2112}, paper},
          {"torus:16", {8, 64}, stride_2},
      }));
  auto const network = lockstep::parse(spec);
  auto const [choice, traffic, in_paper_order] = lockstep::cheapest_exchange(*network);
  CHECK(traffic == lockstep::traffic_of(exchange_schedule(*network, choice)));
  CHECK(in_paper_order == lockstep::traffic_of(exchange_schedule(*network)));
  INFO(spec << ": " << traffic.steps << " steps, " << traffic.blocks << " blocks");
  CHECK(traffic == expected);
  CHECK(choice.scheme == scheme);
}

TEST_CASE("dimensions that are filled up come last among partners at distance 2") {
  auto const network = lockstep::parse("torus:22x16x16");
  auto const choice = lockstep::cheapest_exchange(*network).choice;
  CHECK(choice.partner_order == std::vector{1, 2, 0});
  auto const steps_with = [&](std::vector<int> order) {
    exchange_choice with = choice;
    with.partner_order = std::move(order);
    return lockstep::traffic_of(exchange_schedule(*network, with)).steps;
  };
  CHECK(steps_with({1, 2, 0}) + 1 == steps_with({0, 1, 2}));
}

TEST_CASE("groups are read by the sizes of their dimensions") {
  using lockstep::groups_in;
  CHECK(groups_in("4x4,8x8", {8, 8, 4, 4}) == groups{{2, 3}, {0, 1}});
  CHECK(groups_in("8x4x4x8", {8, 8, 4, 4}) == groups{{0, 2, 3, 1}});
  auto const refusal = [](std::string const& text) {
    return reference::complaint_of([&] { return groups_in(text, {8, 8, 4}); });
  };
  CHECK_THAT(refusal("8x8,5"), has_text("size 5 too many"));
  CHECK_THAT(refusal("8x4x4"), has_text("size 4 too many"));
  CHECK_THAT(refusal("8x8"), has_text("leaves out"));
  CHECK_THAT(refusal("8x8,,4"), has_text("'' in '8x8,,4' is not a size"));
  CHECK_THAT(refusal("8xa"), has_text("'a' in '8xa' is not a size"));
}
