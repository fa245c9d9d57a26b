#include <lockstep/algorithms/exchange/detail/block_layout.hpp>

#include <algorithm>
#include <optional>
#include <ranges>

#include "exchange/as_size.hpp"

namespace lockstep::detail {

namespace {

using box = block_layout::box;

/// Intersects two boxes, if they have anything in common.
[[nodiscard]] std::optional<box> common(box const& one, box const& other) {
  box both;
  for (std::size_t digit = 0; digit < both.digits.size(); ++digit) {
    auto const [first, count] = one.digits[digit];
    auto const [other_first, other_count] = other.digits[digit];
    int const begin = std::max(first, other_first);
    int const end = std::min(first + count, other_first + other_count);
    if (begin >= end) return std::nullopt;
    both.digits[digit] = {begin, end - begin};
  }
  return both;
}

/// Appends a loop inside of those that are there, as a part of the innermost one where the two are
/// one.
void append_loop(std::vector<copy_loop>& loops, copy_loop const& inner) {
  if (inner.count == 1) return;
  if (!loops.empty() && loops.back().from_stride == inner.count * inner.from_stride &&
      loops.back().to_stride == inner.count * inner.to_stride)
    loops.back() = {loops.back().count * inner.count, inner.from_stride, inner.to_stride};
  else
    loops.push_back(inner);
}

[[nodiscard]] copy_plan copy_of(box const& both, block_layout const& from, box const& source,
                                block_layout const& to, box const& target) {
  auto const from_strides = source.strides();
  auto const to_strides = target.strides();
  copy_plan plan{.loops = {},
                 .from_array = source.array,
                 .from = from.begin(source),
                 .to_array = target.array,
                 .to = to.begin(target)};
  for (int const each : target.order) {
    auto const digit = as_size(each);
    auto const [first, count] = both.digits[digit];
    plan.from += as_size(first - source.digits[digit].first) * from_strides[digit];
    plan.to += as_size(first - target.digits[digit].first) * to_strides[digit];
    append_loop(plan.loops, {as_size(count), from_strides[digit], to_strides[digit]});
  }
  if (plan.loops.empty()) return plan;
  auto const& innermost = plan.loops.back();
  if (innermost.from_stride != 1 || innermost.to_stride != 1) return plan;
  plan.run = innermost.count;
  plan.loops.pop_back();
  return plan;
}

}  // namespace

std::size_t block_layout::box::size() const {
  std::size_t blocks = 1;
  for (auto const& digit : digits) blocks *= as_size(digit.count);
  return blocks;
}

std::size_t block_layout::size(std::size_t array) const {
  std::size_t blocks = 0;
  for (auto const& each : boxes)
    if (each.array == array) blocks += each.size();
  return blocks;
}

array_sizes block_layout::sizes() const { return {size(0), size(1), size(2)}; }

std::size_t block_layout::begin(box const& of) const {
  std::size_t blocks = 0;
  for (auto const& each : boxes) {
    if (&each == &of) break;
    if (each.array == of.array) blocks += each.size();
  }
  return blocks;
}

std::array<std::size_t, block_layout::most_digits> block_layout::box::strides() const {
  std::array<std::size_t, most_digits> strides{};
  std::size_t stride = 1;
  for (int const digit : std::views::reverse(order)) {
    strides[as_size(digit)] = stride;
    stride *= as_size(digits[as_size(digit)].count);
  }
  return strides;
}

std::vector<copy_plan> copies(block_layout const& from, block_layout const& to) {
  std::vector<copy_plan> plans;
  for (auto const& source : from.boxes)
    for (auto const& target : to.boxes)
      if (auto const both = common(source, target))
        plans.push_back(copy_of(*both, from, source, to, target));
  return plans;
}

}  // namespace lockstep::detail
