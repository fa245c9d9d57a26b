#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "handout/step_log.hpp"

namespace lockstep::cli {

/// Names a block as pages of runs do: C5 is from processor 2 for 5; of more processors than letters
/// with an arrow, and with none for an empty place.
[[nodiscard]] std::string block_text(block_label const& block, int processors);

/// A cell of a table.
struct held_cell {
  std::string text{};
  double width = 0;   ///< of the text at size 1
  double number = 0;  ///< that it shows; of a block its destination, -1 of an empty place
};

/// A value that a processor holds under a name, in cells.
struct held_table {
  enum class form { words, numbers, matrix, blocks };

  std::string name{};
  form is = form::words;
  std::vector<held_cell> cells{};
  std::size_t columns = 0;  ///< of a matrix
  std::string rest{};       ///< which part of a longer array it is, if it is one

  /// The width of the widest text at size 1.
  [[nodiscard]] double widest() const;
  /// The number that is the largest, without its sign.
  [[nodiscard]] double largest() const;
};

/// A light colour for the blocks of a destination; white for an empty place.
[[nodiscard]] std::string colour_of_block(double destination, int processors);

/// Whether it is an array without an element.
[[nodiscard]] bool is_nothing(held_value const& held);

[[nodiscard]] held_table table_of(std::string const& name, held_value const& held, int processors);

}  // namespace lockstep::cli
