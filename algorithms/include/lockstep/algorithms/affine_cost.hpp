#pragma once

#include <optional>

#include <lockstep/cost_models.hpp>
#include <lockstep/counts.hpp>

namespace lockstep {

/// Completion time as a function of the block size: start-ups, hops and barriers cost the same
/// whatever it is, words and rearranged words grow with it.
struct affine_cost {
  double fixed_us = 0;
  double us_per_byte = 0;

  [[nodiscard]] double at(double block_bytes) const { return fixed_us + us_per_byte * block_bytes; }
};
using cost_line = affine_cost;  ///< its former name

/// The line of a program whose counts with blocks of one word are `of_one_word`, and in
/// which all blocks are of one size. A block of m bytes is m words of the model's `word_bytes` = 1.
/// `processors` is what the model's t_b goes by.
[[nodiscard]] affine_cost line_of(counts const& of_one_word, suh_shin_model const& model,
                                  int processors);

/// The block size, in bytes, from which on `ours` takes less time than `theirs`: 0 where it does
/// for every size, nothing where it never does for large ones.
[[nodiscard]] std::optional<double> break_even_block_size(affine_cost const& ours,
                                                          affine_cost const& theirs);
/// The former name of `break_even_block_size`.
[[nodiscard]] inline std::optional<double> faster_from(affine_cost const& ours,
                                                       affine_cost const& theirs) {
  return break_even_block_size(ours, theirs);
}

}  // namespace lockstep
