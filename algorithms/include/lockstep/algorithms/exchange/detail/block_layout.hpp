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
};

/// The blocks of a box, from one array into another.
struct copy_plan {
  std::vector<copy_loop> loops;  ///< slowest first
  std::size_t from_array = 0;
  std::size_t from = 0;  ///< in that array
  std::size_t to_array = 0;
  std::size_t to = 0;
};

/// Copies runs of elements; the loops' distances are of blocks.
template <class T>
void copy_along(std::span<copy_loop const> loops, T const* from, T* to, std::size_t run,
                std::size_t block) {
  if (loops.empty()) {
    std::copy_n(from, run, to);
    return;
  }
  auto const& loop = loops.front();
  auto const from_stride = loop.from_stride * block;
  auto const to_stride = loop.to_stride * block;
  bool const by_ones = loops.size() == 1 && run == 1;  // most of a rearrangement
  if (by_ones)
    for (std::size_t i = 0; i < loop.count; ++i) to[i * to_stride] = from[i * from_stride];
  else
    for (std::size_t i = 0; i < loop.count; ++i)
      copy_along(loops.subspan(1), from + i * from_stride, to + i * to_stride, run, block);
}

/// Copies blocks of that many elements.
template <class T>
void copy_blocks(copy_plan const& plan, T const* from, T* to, std::size_t block) {
  std::span<copy_loop const> loops = plan.loops;
  std::size_t run = 1;
  while (!loops.empty() && loops.back().from_stride == run && loops.back().to_stride == run) {
    run *= loops.back().count;
    loops = loops.first(loops.size() - 1);
  }
  copy_along(loops, from + plan.from * block, to + plan.to * block, run * block, block);
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
  std::vector<walk_loop> loops;  ///< slowest first
  std::size_t array = 0;
  std::size_t place = 0;  ///< in that array
};

/// Calls visit(rank, place) for each block.
template <class Visit>
void walk_along(std::span<walk_loop const> loops, int rank, std::size_t place, Visit const& visit) {
  if (loops.empty()) return visit(rank, place);
  auto const& loop = loops.front();
  for (std::size_t i = 0; i < loop.coordinates.size(); ++i)
    walk_along(loops.subspan(1), rank + loop.coordinates[i] * loop.weight, place + i * loop.stride,
               visit);
}

/// Blocks in boxes, which lie one after another in arrays. A block's indices are two digits for
/// each dimension: 2a says from which of the sources along dimension a it is, 2a + 1 for which of
/// the destinations. A box holds all blocks whose digits are in its ranges.
struct block_layout {
  static constexpr int most_digits = 16;
  struct range {
    int first = 0;
    int count = 1;
  };
  struct box {
    std::array<range, most_digits> digits{};
    std::vector<int> order{};  ///< of the digits, slowest first
    std::size_t array = 0;

    [[nodiscard]] std::size_t size() const;  ///< in blocks
    /// How far apart the values of each digit are.
    [[nodiscard]] std::array<std::size_t, most_digits> strides() const;
  };

  std::vector<box> boxes;

  /// Blocks in that array.
  [[nodiscard]] std::size_t size(std::size_t array) const;
  /// Where that box begins in its array.
  [[nodiscard]] std::size_t begin(box const& of) const;
};

/// How to copy all blocks that both have to where the second has them.
[[nodiscard]] std::vector<copy_plan> copies(block_layout const& from, block_layout const& to);

}  // namespace lockstep::detail
