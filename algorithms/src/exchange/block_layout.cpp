#include <lockstep/algorithms/exchange/detail/block_layout.hpp>

#include <algorithm>
#include <optional>
#include <ranges>

namespace lockstep::detail {

namespace {

using range = block_layout::range;
using box = block_layout::box;

[[nodiscard]] std::size_t as_size(int number) { return static_cast<std::size_t>(number); }

/// What both boxes hold, if anything.
[[nodiscard]] std::optional<box> common(box const& one, box const& other) {
  box both;
  for (std::size_t digit = 0; digit < both.size(); ++digit) {
    int const first = std::max(one[digit].first, other[digit].first);
    int const last =
        std::min(one[digit].first + one[digit].count, other[digit].first + other[digit].count);
    if (first >= last) return std::nullopt;
    both[digit] = {first, last - first};
  }
  return both;
}

[[nodiscard]] copy_plan copy_of(box const& both, block_layout const& from, box const& source,
                                block_layout const& to, box const& target) {
  auto const from_strides = from.strides(source);
  auto const to_strides = to.strides(target);
  copy_plan plan;
  for (int const each : to.order) {
    auto const digit = as_size(each);
    plan.from += as_size(both[digit].first - source[digit].first) * from_strides[digit];
    plan.to += as_size(both[digit].first - target[digit].first) * to_strides[digit];
    if (both[digit].count > 1)
      plan.loops.push_back({.count = as_size(both[digit].count),
                            .from_stride = from_strides[digit],
                            .to_stride = to_strides[digit]});
  }
  return plan;
}

}  // namespace

std::size_t block_layout::size(box const& of) {
  std::size_t blocks = 1;
  for (auto const& digit : of) blocks *= as_size(digit.count);
  return blocks;
}

std::size_t block_layout::size(std::size_t first, std::size_t last) const {
  std::size_t blocks = 0;
  for (auto const& each : std::span(boxes).subspan(first, last - first)) blocks += size(each);
  return blocks;
}

std::array<std::size_t, block_layout::most_digits> block_layout::strides(box const& of) const {
  std::array<std::size_t, most_digits> strides{};
  std::size_t stride = 1;
  for (int const digit : std::views::reverse(order)) {
    strides[as_size(digit)] = stride;
    stride *= as_size(of[as_size(digit)].count);
  }
  return strides;
}

std::vector<copy_plan> copies(block_layout const& from, block_layout const& to) {
  std::vector<copy_plan> plans;
  std::size_t from_start = 0;
  for (auto const& source : from.boxes) {
    std::size_t to_start = 0;
    for (auto const& target : to.boxes) {
      if (auto const both = common(source, target)) {
        plans.push_back(copy_of(*both, from, source, to, target));
        plans.back().from += from_start;
        plans.back().to += to_start;
      }
      to_start += block_layout::size(target);
    }
    from_start += block_layout::size(source);
  }
  return plans;
}

}  // namespace lockstep::detail
