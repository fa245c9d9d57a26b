#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// The kinds of networks between which collectives tell.
enum class network_kind : std::uint8_t {
  crossbar,   ///< anybody reaches anybody; also any part of a machine that is nothing better
  hypercube,  ///< axes of two processors
  grid,       ///< a torus or mesh, of any number of dimensions
  other       ///< neighbours only: a tree spans it
};

/// The processors of a line differ in one coordinate: position j is `stride` ranks from position
/// j - 1.
struct rank_axis {
  int size = 1;
  int stride = 1;

  /// Finds the position of a rank. Powers of two need no divisions.
  [[nodiscard]] int position_of(int rank) const {
    if (is_of_powers()) return rank >> std::countr_zero(static_cast<unsigned>(stride)) & (size - 1);
    return rank / stride % size;
  }
  /// Finds the place of a rank among those between two positions.
  [[nodiscard]] int offset_in_stride(int rank) const {
    return is_of_powers() ? rank & (stride - 1) : rank % stride;
  }

  /// Whether size and stride are powers of two.
  [[nodiscard]] bool is_of_powers() const {
    return (size & (size - 1)) == 0 && (stride & (stride - 1)) == 0;
  }
};

/// The axes of a network, of more than one processor each, whose strides fall: rank = sum of
/// position times stride. A crossbar has one.
struct rank_axes {
  network_kind kind = network_kind::other;
  std::vector<rank_axis> list;
};

/// Finds the axes of a network, once for all processors.
[[nodiscard]] rank_axes const& axes_of(topology const& network);

/// The axes of two of the first 2^floor(log2 p) of p processors.
[[nodiscard]] std::vector<rank_axis> pair_axes(int processors);

/// 2^floor(log2 p).
[[nodiscard]] int power_of_two_within(int processors);

/// A line of processors along an axis, seen from one of them, and the blocks of a vector that belong
/// to them: those of `stride` successive ranks to each.
class rank_line {
 public:
  rank_line(int rank, rank_axis const& axis)
      : m_axis(axis),
        m_position(axis.position_of(rank)),
        m_first(rank - m_position * axis.stride),
        m_first_block(m_first - axis.offset_in_stride(rank)) {}

  /// All processors of a hypercube, each beside the next one, in the order of Gray's code.
  [[nodiscard]] static rank_line in_gray_order(int rank, int processors) {
    rank_line all(rank, {processors, 1});
    all.m_is_gray = true;
    all.m_position = position_in_gray(static_cast<unsigned>(rank));
    return all;
  }

  [[nodiscard]] int size() const { return m_axis.size; }
  [[nodiscard]] int position() const { return m_position; }
  [[nodiscard]] int stride() const { return m_axis.stride; }

  /// Has rank r of the line stand for processor 2r where r < pairs, else for r + pairs.
  void spread_pairs(int pairs) { m_pairs = pairs; }

  /// Finds the processor at a position; position 0 follows the last one.
  [[nodiscard]] int rank_at(int position) const {
    auto const rank = m_first + steps_to(position);
    return rank < m_pairs ? 2 * rank : rank + m_pairs;
  }
  /// Finds the first of the `stride` blocks of a position.
  [[nodiscard]] int first_block(int position) const { return m_first_block + steps_to(position); }

 private:
  [[nodiscard]] int steps_to(int position) const {
    bool const is_within = static_cast<unsigned>(position) < static_cast<unsigned>(m_axis.size);
    auto const within = is_within ? position : (position % m_axis.size + m_axis.size) % m_axis.size;
    if (m_is_gray)
      return static_cast<int>(static_cast<unsigned>(within) ^
                              (static_cast<unsigned>(within) >> 1U));
    return within * m_axis.stride;
  }
  [[nodiscard]] static int position_in_gray(unsigned rank) {
    unsigned position = 0;
    for (; rank != 0; rank >>= 1U) position ^= rank;
    return static_cast<int>(position);
  }

  rank_axis m_axis;
  int m_position;
  int m_first;
  int m_first_block;
  int m_pairs = 0;
  bool m_is_gray = false;
};

/// Lists the lines through a processor, the slowest axis first.
[[nodiscard]] std::vector<rank_line> lines_through(int rank, std::vector<rank_axis> const& axes);

}  // namespace lockstep::detail
