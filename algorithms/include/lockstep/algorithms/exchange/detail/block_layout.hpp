#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

/// One digit of a copy: its values follow each other at these distances, counted in blocks.
struct copy_loop {
  std::size_t count = 1;
  std::size_t from_stride = 0;
  std::size_t to_stride = 0;

  friend bool operator==(copy_loop const&, copy_loop const&) = default;
};

/// The blocks of a box, from one array into another.
struct copy_plan {
  std::vector<copy_loop> loops;  ///< slowest first; what can be one loop is one
  std::size_t run = 1;           ///< blocks that lie together on both sides
  std::size_t from_array = 0;
  std::size_t from = 0;  ///< in that array
  std::size_t to_array = 0;
  std::size_t to = 0;

  friend bool operator==(copy_plan const&, copy_plan const&) = default;
};

/// Copies elements that lie together, mostly one.
template <class T>
void copy_run(T const* from, T* to, std::size_t elements) {
  if (elements == 1)
    *to = *from;
  else
    std::copy_n(from, elements, to);
}

/// Copies along one loop, whose distances are of elements here.
template <class T>
void copy_loop_of_runs(copy_loop const& loop, T const* from, T* to, std::size_t run) {
  auto const [count, from_stride, to_stride] = loop;
  if (run == 1)  // most of a rearrangement
    for (std::size_t i = 0; i < count; ++i, from += from_stride, to += to_stride) *to = *from;
  else
    for (std::size_t i = 0; i < count; ++i, from += from_stride, to += to_stride)
      std::copy_n(from, run, to);
}

/// Copies runs of elements; the loops' distances are of blocks.
template <class T>
void copy_along(std::span<copy_loop const> loops, T const* from, T* to, std::size_t run,
                std::size_t block) {
  if (loops.empty()) return copy_run(from, to, run);
  auto const in_elements = [&](copy_loop const& loop) {
    return copy_loop{loop.count, loop.from_stride * block, loop.to_stride * block};
  };
  auto const [count, from_stride, to_stride] = in_elements(loops.front());
  if (loops.size() == 1) return copy_loop_of_runs({count, from_stride, to_stride}, from, to, run);
  if (loops.size() == 2) {
    auto const inner = in_elements(loops.back());
    for (std::size_t i = 0; i < count; ++i, from += from_stride, to += to_stride)
      copy_loop_of_runs(inner, from, to, run);
    return;
  }
  for (std::size_t i = 0; i < count; ++i, from += from_stride, to += to_stride)
    copy_along(loops.subspan(1), from, to, run, block);
}

/// Copies blocks of that many elements.
template <class T>
void copy_blocks(copy_plan const& plan, T const* from, T* to, std::size_t block) {
  copy_along<T>(plan.loops, from + plan.from * block, to + plan.to * block, plan.run * block,
                block);
}

/// One digit of a walk through a box, block by block.
struct walk_loop {
  std::size_t stride = 0;  ///< in the array
  int weight = 1;          ///< of a coordinate, in a rank
  std::span<int const> coordinates{};
};

/// The blocks of a box, and the ranks that they belong to, nearly in rank order: so writers and
/// readers of blocks go through their own memory nearly in order.
struct rank_walk {
  static constexpr std::size_t most_loops = 8;
  std::array<walk_loop, most_loops> loops{};  ///< slowest first
  std::size_t loop_count = 0;
  std::size_t array = 0;
  std::size_t place = 0;  ///< in that array
};

/// Calls visit(rank, place) for each block.
template <class Visit>
void walk_along(std::span<walk_loop const> loops, int rank, std::size_t place, Visit const& visit) {
  if (loops.empty()) return visit(rank, place);
  auto const& loop = loops.front();
  if (loops.size() == 1)
    for (std::size_t i = 0; i < loop.coordinates.size(); ++i)
      visit(rank + loop.coordinates[i] * loop.weight, place + i * loop.stride);
  else
    for (std::size_t i = 0; i < loop.coordinates.size(); ++i)
      walk_along(loops.subspan(1), rank + loop.coordinates[i] * loop.weight,
                 place + i * loop.stride, visit);
}
template <class Visit>
void walk_along(rank_walk const& walk, Visit const& visit) {
  walk_along(std::span(walk.loops).first(walk.loop_count), 0, walk.place, visit);
}

/// Blocks in each of the arrays of a node.
using array_sizes = std::array<std::size_t, 3>;

/// Blocks in boxes, which lie one after another in arrays. A block's indices are two digits for
/// each dimension: 2a says from which of the sources along dimension a it is, 2a + 1 for which of
/// the destinations. A box holds all blocks whose digits are in its ranges.
struct block_layout {
  static constexpr int most_digits = 16;
  struct range {
    int first = 0;
    int count = 1;

    friend bool operator==(range const&, range const&) = default;
  };
  struct box {
    std::array<range, most_digits> digits{};
    std::vector<int> order{};  ///< of the digits, slowest first
    std::size_t array = 0;

    [[nodiscard]] std::size_t size() const;  ///< in blocks
    /// How far apart the values of each digit are.
    [[nodiscard]] std::array<std::size_t, most_digits> strides() const;

    friend bool operator==(box const&, box const&) = default;
  };

  std::vector<box> boxes;

  /// Blocks in that array, and in each of the three.
  [[nodiscard]] std::size_t size(std::size_t array) const;
  [[nodiscard]] array_sizes sizes() const;
  /// Where that box begins in its array.
  [[nodiscard]] std::size_t begin(box const& of) const;

  friend bool operator==(block_layout const&, block_layout const&) = default;
};

/// How to copy all blocks that both have to where the second has them.
[[nodiscard]] std::vector<copy_plan> copies(block_layout const& from, block_layout const& to);

}  // namespace lockstep::detail
