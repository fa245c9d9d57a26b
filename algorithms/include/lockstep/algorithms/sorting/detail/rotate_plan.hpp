#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <lockstep/algorithms/collectives/pieces.hpp>

namespace lockstep::detail {

/// Rows from the first on, up to the one before the end.
struct row_range {
  std::size_t first = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - first; }
};

/// The q x p array of rotate sort, a column in each processor, as it is cut up: into slices of a
/// rows, and these into blocks of b columns, ab = p. Pure: every processor knows all of it.
class rotate_plan {
 public:
  /// Which processors get a slice in step 4.
  enum class slice_holders : std::uint8_t {
    by_rows,     ///< each of its rows goes to the processor of that row
    one,         ///< all rows go to one processor
    all_by_rows  ///< all rows go to each processor that one of them belongs to
  };

  /// `rows`: q, a multiple of a.
  rotate_plan(std::size_t rows, int processors, std::size_t block_rows, slice_holders holders)
      : m_rows(rows),
        m_columns(static_cast<std::size_t>(processors)),
        m_block_rows(block_rows),
        m_even(rows, processors),
        m_slices(rows / block_rows, processors),
        m_holders(holders) {}

  [[nodiscard]] std::size_t rows() const { return m_rows; }
  [[nodiscard]] std::size_t columns() const { return m_columns; }
  [[nodiscard]] std::size_t block_rows() const { return m_block_rows; }
  [[nodiscard]] std::size_t block_columns() const { return m_columns / m_block_rows; }

  /// Rows before those that processor `rank` has when the array is dealt out by rows.
  [[nodiscard]] std::size_t rows_before(int rank) const { return m_even.before(rank); }
  /// The same after step 4.
  [[nodiscard]] std::size_t slice_rows_before(int rank) const {
    return m_holders == slice_holders::one ? m_slices.before(rank) * m_block_rows
                                           : m_even.before(rank);
  }
  /// The rows that a processor takes in in step 4: those that it keeps, or all rows of their slices.
  [[nodiscard]] row_range rows_taken_in(int rank) const {
    row_range const kept{slice_rows_before(rank), slice_rows_before(rank + 1)};
    if (m_holders != slice_holders::all_by_rows || kept.size() == 0) return kept;
    return {kept.first / m_block_rows * m_block_rows,
            (kept.end + m_block_rows - 1) / m_block_rows * m_block_rows};
  }
  /// The most rows that a processor takes in in step 4.
  [[nodiscard]] std::size_t most_rows_taken_in() const {
    std::size_t most = 0;
    for (int rank = 0; rank < m_even.count(); ++rank)
      most = std::max(most, rows_taken_in(rank).size());
    return most;
  }
  /// Whether some processor takes in a slice in part, so that turning its columns takes a phase more.
  [[nodiscard]] bool has_cut_slices() const {
    if (m_holders == slice_holders::all_by_rows) return false;
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
  slice_holders m_holders;
};

}  // namespace lockstep::detail
