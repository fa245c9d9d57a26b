#pragma once

#include <vector>

#include <lockstep/algorithms/random_access/random_access_read_options.hpp>
#include <lockstep/experiments/papers.hpp>

#include "papers/shankar_ranka/bucket_drawings.hpp"
#include "papers/shankar_ranka/drawn_write.hpp"
#include "papers/told_run.hpp"

namespace lockstep {

/// Draws Figures 10 and 11 of Shankar and Ranka: the segments of a monotonic write, and its
/// messages step by step, from a write of Figure 4's pointers in order. Errors: those of
/// machine::run.
[[nodiscard]] std::vector<printed_figure> sorted_drawings();
/// Does the same for any monotonic write, and the pointers that each processor has `left` to send.
[[nodiscard]] std::vector<printed_figure> sorted_drawings(drawn_write const& write,
                                                          std::vector<bucket_numbers> const& left);

/// Lists the pointers that each processor shows that it has left.
[[nodiscard]] std::vector<bucket_numbers> pointers_left(told_run const& told);

/// Draws Figure 13: what goes from where to where in a write and in both reads of Figure 4's
/// elements, with the words that were counted. Errors: those of machine::run.
[[nodiscard]] printed_figure movement_drawing();
/// Does the same for any write, and any reads with requests and without.
[[nodiscard]] printed_figure movement_drawing(told_run const& write, told_run const& requested,
                                              told_run const& whole_buckets);

/// Runs a read of Figure 4's elements, of values of one word.
/// Errors: those of machine::run; broken_invariant for a wrong result.
[[nodiscard]] told_run told_read(read_variant variant);

}  // namespace lockstep
