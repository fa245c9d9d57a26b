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
  std::size_t from = 0;
  std::size_t to = 0;
};

template <class T>
void copy_along(std::span<copy_loop const> loops, T const* from, T* to, std::size_t run,
                std::size_t block) {
  if (loops.empty()) {
    std::copy_n(from, run, to);
    return;
  }
  auto const& loop = loops.front();
  if (loops.size() == 1 && run == 1) {  // single numbers, which std::copy_n is slow with
    for (std::size_t i = 0; i < loop.count; ++i) to[loop.to(i)] = from[loop.from(i)];
    return;
  }
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

/// An array of blocks as boxes, one after another. A block's indices are two digits for each
/// dimension: 2a says from which of the sources along dimension a it is, 2a + 1 for which of the
/// destinations. A box holds all blocks whose digits are in its ranges.
struct block_layout {
  static constexpr int most_digits = 16;
  struct range {
    int first = 0;
    int count = 1;
  };
  using box = std::array<range, most_digits>;

  std::vector<int> order;  ///< of the digits in each box, slowest first
  std::vector<box> boxes;

  [[nodiscard]] static std::size_t size(box const& of);  ///< in blocks
  /// Blocks of the boxes first .. last-1.
  [[nodiscard]] std::size_t size(std::size_t first, std::size_t last) const;
  /// How far apart the values of each digit are in that box.
  [[nodiscard]] std::array<std::size_t, most_digits> strides(box const& of) const;
};

/// How to copy all blocks that both have to where the second has them.
[[nodiscard]] std::vector<copy_plan> copies(block_layout const& from, block_layout const& to);

}  // namespace lockstep::detail
