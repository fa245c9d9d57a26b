#include "sorting/sorted_keys.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "catch.hpp"

using lockstep::key_blocks;
using lockstep::sort_promises;

namespace {

using blocks = key_blocks<int>;

std::vector<int> const keys{3, 1, 3, 0, 1};
blocks const stably_sorted{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {{3, 2}}};

bool keeps(sort_promises const& promises, blocks const& sorted) {
  return lockstep::is_sorted_as_promised(std::span<int const>(keys), sorted, promises);
}

constexpr sort_promises stable_and_even{};
constexpr sort_promises stable{.even_blocks = false};
constexpr sort_promises even{.stable = false};
constexpr sort_promises neither{.stable = false, .even_blocks = false};

}  // namespace

TEST_CASE("a sort is held to what it promises", "[sorting]") {
  for (auto const& promises : {stable_and_even, stable, even, neither})
    CHECK(keeps(promises, stably_sorted));

  blocks const uneven{{{0, 3}}, {}, {{1, 1}, {1, 4}, {3, 0}, {3, 2}}};
  CHECK(keeps(stable, uneven));
  CHECK(keeps(neither, uneven));
  CHECK_FALSE(keeps(stable_and_even, uneven));
  CHECK_FALSE(keeps(even, uneven));

  blocks const unstable{{{0, 3}, {1, 4}}, {{1, 1}, {3, 2}}, {{3, 0}}};
  CHECK(keeps(even, unstable));
  CHECK(keeps(neither, unstable));
  CHECK_FALSE(keeps(stable_and_even, unstable));
  CHECK_FALSE(keeps(stable, unstable));
}

TEST_CASE("keys that are lost, doubled, changed or out of order are found", "[sorting]") {
  blocks const lost{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {}};
  blocks const more{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {{3, 2}, {3, 2}}};
  blocks const doubled{{{0, 3}, {1, 1}}, {{1, 1}, {3, 0}}, {{3, 2}}};
  blocks const changed{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {{4, 2}}};
  blocks const another{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {{3, 1}}};
  blocks const beyond{{{0, 3}, {1, 1}}, {{1, 4}, {3, 0}}, {{3, 5}}};
  blocks const disordered{{{1, 1}, {0, 3}}, {{1, 4}, {3, 0}}, {{3, 2}}};
  for (auto const& promises : {stable_and_even, stable, even, neither})
    for (auto const& wrong : {lost, more, doubled, changed, another, beyond, disordered})
      CHECK_FALSE(keeps(promises, wrong));
}

TEST_CASE("a zero that has lost its sign is found, which compares equal", "[sorting]") {
  std::vector<double> const zeros{0.0, -0.0, 1.0};
  auto const keeps_zeros = [&](double first, double second, sort_promises const& promises) {
    key_blocks<double> const sorted{{{first, 0}, {second, 1}}, {{1.0, 2}}};
    return lockstep::is_sorted_as_promised(std::span<double const>(zeros), sorted, promises);
  };
  for (auto const& promises : {stable_and_even, stable, even, neither}) {
    CHECK(keeps_zeros(0.0, -0.0, promises));
    CHECK_FALSE(keeps_zeros(0.0, 0.0, promises));
    CHECK_FALSE(keeps_zeros(-0.0, -0.0, promises));
    CHECK_FALSE(keeps_zeros(-0.0, 0.0, promises));
  }
}

TEST_CASE("what every sort moves is what a processor lacks of its block", "[sorting]") {
  auto const moves = [](std::vector<std::vector<int>> const& sorted) {
    return lockstep::keys_that_move(std::span<int const>(keys), sorted);
  };
  auto const needed = moves({{0, 1}, {1, 3}, {3}});  // of {3, 1}, {3, 0}, {1}
  CHECK(needed.taken_in == 1);
  CHECK(needed.moved == 3);
  CHECK(needed.distance == 1);
  auto const all_to_one = moves({{}, {}, {0, 1, 1, 3, 3}});
  CHECK(all_to_one.taken_in == 4);
  CHECK(all_to_one.moved == 4);
  CHECK(moves({{1, 3}, {0, 3}, {1}}).moved == 0);
}
