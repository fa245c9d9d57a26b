#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <vector>

#include <lockstep/algorithms/exchange/detail/block_layout.hpp>

#include "catch.hpp"

using lockstep::detail::block_layout;
using lockstep::detail::copies;
using lockstep::detail::copy_blocks;

namespace {

constexpr std::array<int, 4> counts{3, 4, 2, 5};
constexpr int all_indices = 3 * 4 * 2 * 5;
using arrays = std::array<std::vector<int>, 3>;

block_layout::box whole() {
  block_layout::box all{.order = {0, 1, 2, 3}};
  for (std::size_t digit = 0; digit < counts.size(); ++digit)
    all.digits[digit].count = counts[digit];
  return all;
}

/// Cuts along one digit into two boxes, and one of them along another; anywhere, in any order.
block_layout random_layout(std::mt19937& random) {
  auto const any = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  auto const cut = [&](block_layout::box const& of) {
    auto const digit = static_cast<std::size_t>(any(4));
    auto const [first, count] = of.digits[digit];
    int const here = any(count + 1);
    std::array<block_layout::box, 2> parts{of, of};
    parts[0].digits[digit] = {first, here};
    parts[1].digits[digit] = {first + here, count - here};
    return parts;
  };
  block_layout made;
  auto const halves = cut(whole());
  auto const quarters = cut(halves[1]);
  made.boxes = {halves[0], quarters[0], quarters[1]};
  std::ranges::shuffle(made.boxes, random);
  for (auto& box : made.boxes) {
    std::ranges::shuffle(box.order, random);
    box.array = static_cast<std::size_t>(any(3));
  }
  return made;
}

/// Each element says which indices it has, box by box and digit by digit in the box's order.
arrays filled(block_layout const& layout, int block) {
  arrays made;
  for (auto const& box : layout.boxes) {
    std::array<int, 4> at{};
    auto const fill = [&](auto const& self, std::size_t slowest) -> void {
      if (slowest == box.order.size()) {
        int number = 0;
        for (std::size_t digit = 0; digit < at.size(); ++digit)
          number = number * counts[digit] + at[digit];
        for (int i = 0; i < block; ++i) made[box.array].push_back(number * block + i);
        return;
      }
      auto const digit = static_cast<std::size_t>(box.order[slowest]);
      for (int i = 0; i < box.digits[digit].count; ++i) {
        at[digit] = box.digits[digit].first + i;
        self(self, slowest + 1);
      }
    };
    fill(fill, 0);
  }
  return made;
}

}  // namespace

TEST_CASE("blocks are copied from any boxes to any others", "[sanitize]") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 300; ++trial)
    for (int block : {0, 1, 3}) {
      auto const from = random_layout(random);
      auto const to = random_layout(random);
      auto const source = filled(from, block);
      auto const expected = filled(to, block);
      arrays target;
      for (std::size_t array = 0; array < target.size(); ++array) {
        CHECK(to.size(array) * static_cast<std::size_t>(block) == expected[array].size());
        target[array].assign(expected[array].size(), -1);
      }
      for (auto const& plan : copies(from, to))
        copy_blocks(plan, source[plan.from_array].data(), target[plan.to_array].data(),
                    static_cast<std::size_t>(block));
      REQUIRE(target == expected);
    }
}

TEST_CASE("a box of nothing has no blocks, and nothing is copied from it") {
  block_layout empty{{whole()}};
  empty.boxes[0].digits[2].count = 0;
  CHECK(empty.size(0) == 0);
  CHECK(copies(empty, {{whole()}}).empty());
  CHECK(whole().size() == all_indices);
}
