#pragma once

#include <cstddef>

#include <lockstep/algorithms/collectives/pieces.hpp>

namespace lockstep::detail {

/// The q x p array of rotate sort, a column in each processor, as it is cut up: into slices of a
/// rows, and these into blocks of b columns, ab = p. Pure: every processor knows all of it.
class rotate_plan {
 public:
  /// `rows`: q, a multiple of a; `whole_slices`: whether a slice goes to one processor in step 4.
  rotate_plan(std::size_t rows, int processors, std::size_t block_rows, bool whole_slices)
      : m_rows(rows),
        m_columns(static_cast<std::size_t>(processors)),
        m_block_rows(block_rows),
        m_even(rows, processors),
        m_slices(rows / block_rows, processors),
        m_whole_slices(whole_slices) {}

  [[nodiscard]] std::size_t rows() const { return m_rows; }
  [[nodiscard]] std::size_t columns() const { return m_columns; }
  [[nodiscard]] std::size_t block_rows() const { return m_block_rows; }
  [[nodiscard]] std::size_t block_columns() const { return m_columns / m_block_rows; }

  /// Rows before those that processor `rank` has when the array is dealt out by rows.
  [[nodiscard]] std::size_t rows_before(int rank) const { return m_even.before(rank); }
  /// The same in step 4.
  [[nodiscard]] std::size_t slice_rows_before(int rank) const {
    return m_whole_slices ? m_slices.before(rank) * m_block_rows : m_even.before(rank);
  }
  /// Whether some slice lies in several processors in step 4, so that turning its columns takes a
  /// phase more.
  [[nodiscard]] bool has_cut_slices() const {
    for (int rank = 1; rank < m_even.count(); ++rank)
      if (slice_rows_before(rank) % m_block_rows != 0) return true;
    return false;
  }

  /// Step 1: the column to which row i of a column is turned.
  [[nodiscard]] std::size_t balanced(std::size_t row, std::size_t column) const {
    return (column + row) % m_columns;
  }
  /// Steps 3 and 5: the same.
  [[nodiscard]] std::size_t unblocked(std::size_t row, std::size_t column) const {
    return (column + row % m_block_rows * block_columns()) % m_columns;
  }
  /// Step 4: the row of its slice to which a column's element is turned.
  [[nodiscard]] std::size_t turned(std::size_t row, std::size_t column) const {
    auto const in_slice = row % m_block_rows;
    return row - in_slice + (in_slice + column) % m_block_rows;
  }

 private:
  std::size_t m_rows;
  std::size_t m_columns;
  std::size_t m_block_rows;
  pieces m_even;
  pieces m_slices;
  bool m_whole_slices;
};

}  // namespace lockstep::detail
