#pragma once

#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// A processor's place on a torus of q x q: rank = row * q + column.
class torus_square {
 public:
  /// `operation`: for messages.
  /// Errors: invalid_argument unless the network is a torus of two equal dimensions.
  torus_square(processor const& me, char const* operation);

  [[nodiscard]] int side() const { return m_side; }
  [[nodiscard]] int row() const { return m_row; }
  [[nodiscard]] int column() const { return m_column; }

  /// The rank of the processor that many rows down and columns to the right.
  [[nodiscard]] int rank_at(int rows_down, int columns_right) const {
    return (m_row + rows_down + m_side) % m_side * m_side +
           (m_column + columns_right + m_side) % m_side;
  }

 private:
  int m_side;
  int m_row;
  int m_column;
};

}  // namespace lockstep::detail
