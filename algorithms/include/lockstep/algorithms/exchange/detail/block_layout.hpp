#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace lockstep::detail {

/// One digit of a copy: its values follow each other at these distances, counted in blocks.
struct copy_loop {
  std::size_t count = 1;
  std::size_t from_stride = 0;
  std::size_t to_stride = 0;
  int const* from_places = nullptr;  ///< where each value lies, in strides; else one after another
  int const* to_places = nullptr;

  [[nodiscard]] std::size_t from(std::size_t i) const {
    return from_stride * (from_places == nullptr ? i : static_cast<std::size_t>(from_places[i]));
  }
  [[nodiscard]] std::size_t to(std::size_t i) const {
    return to_stride * (to_places == nullptr ? i : static_cast<std::size_t>(to_places[i]));
  }
  /// Whether its values lie one after another, `run` blocks each, on both sides.
  [[nodiscard]] bool goes_on_from(std::size_t run) const {
    return from_stride == run && to_stride == run && from_places == nullptr && to_places == nullptr;
  }
};

/// The blocks of a box, from one array into another.
struct copy_plan {
  std::vector<copy_loop> loops;  ///< slowest first
  std::size_t from_array = 0;
  std::size_t from = 0;  ///< in that array
  std::size_t to_array = 0;
  std::size_t to = 0;
};

/// Runs of elements, which follow each other at distances that are counted in blocks.
template <class T>
void copy_runs(copy_loop const& loop, T const* from, T* to, std::size_t run, std::size_t block) {
  if (run != 1 || loop.from_places != nullptr || loop.to_places != nullptr) {
    for (std::size_t i = 0; i < loop.count; ++i)
      std::copy_n(from + loop.from(i) * block, run, to + loop.to(i) * block);
    return;
  }
  // single numbers, most of a rearrangement's
  auto const from_stride = loop.from_stride * block;
  auto const to_stride = loop.to_stride * block;
  for (std::size_t i = 0; i < loop.count; ++i, from += from_stride, to += to_stride) *to = *from;
}

template <class T>
void copy_along(std::span<copy_loop const> loops, T const* from, T* to, std::size_t run,
                std::size_t block) {
  if (loops.empty()) {
    std::copy_n(from, run, to);
    return;
  }
  auto const& loop = loops.front();
  if (loops.size() == 1) return copy_runs(loop, from, to, run, block);
  for (std::size_t i = 0; i < loop.count; ++i)
    copy_along(loops.subspan(1), from + loop.from(i) * block, to + loop.to(i) * block, run, block);
}

/// Copies blocks of that many elements.
template <class T>
void copy_blocks(copy_plan const& plan, T const* from, T* to, std::size_t block) {
  std::span<copy_loop const> loops = plan.loops;
  std::size_t run = 1;
  while (!loops.empty() && loops.back().goes_on_from(run)) {
    run *= loops.back().count;
    loops = loops.first(loops.size() - 1);
  }
  copy_along(loops, from + plan.from * block, to + plan.to * block, run * block, block);
}

/// Blocks in boxes, which lie one after another in arrays. A block's indices are two digits for
/// each dimension: 2a says from which of the sources along dimension a it is, 2a + 1 for which of the
/// destinations. A box holds all blocks whose digits are in its ranges.
struct block_layout {
  static constexpr int most_digits = 16;
  struct range {
    int first = 0;
    int count = 1;
  };
  struct box {
    std::array<range, most_digits> digits{};
    std::size_t array = 0;

    [[nodiscard]] std::size_t size() const;  ///< in blocks
  };

  std::vector<int> order;  ///< of the digits in each box, slowest first
  std::vector<box> boxes;

  /// Blocks in that array.
  [[nodiscard]] std::size_t size(std::size_t array) const;
  /// Where that box begins in its array.
  [[nodiscard]] std::size_t begin(box const& of) const;
  /// How far apart the values of each digit are in that box.
  [[nodiscard]] std::array<std::size_t, most_digits> strides(box const& of) const;
};

/// How to copy all blocks that both have to where the second has them.
[[nodiscard]] std::vector<copy_plan> copies(block_layout const& from, block_layout const& to);

}  // namespace lockstep::detail
