#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/experiments/papers.hpp>

#include "papers/shankar_ranka/drawn_write.hpp"
#include "papers/shankar_ranka/text_rows.hpp"
#include "papers/told_run.hpp"

namespace lockstep {

/// The matrix that the paper prints in Figure 4.
[[nodiscard]] element_matrix printed_in_figure_4();

using bucket_numbers = std::vector<std::uint64_t>;

/// The values that the processors of a write show of its buckets, by rank.
struct shown_buckets {
  std::vector<bucket_numbers> hits;        ///< of each processor's elements, by bucket
  std::vector<bucket_numbers> totals;      ///< of all, as each processor has them
  std::vector<bucket_numbers> before;      ///< of lower ranks; rank 0 shows none
  std::vector<bucket_numbers> slots;       ///< the bucket of each slot of a processor
  std::vector<bucket_numbers> for_owners;  ///< the bucket of each value that a processor sends on
};

/// Finds them in the record of a run. Errors: broken_invariant where they were not shown.
[[nodiscard]] shown_buckets buckets_in(told_run const& told);

/// Draws Figures 5 to 9 of Shankar and Ranka: where buckets lie, from what the processors of writes
/// of Figure 4's elements show. Our text of the paper lacks these drawings: what it says of them is
/// compared. Errors: those of machine::run.
[[nodiscard]] std::vector<printed_figure> bucket_drawings();
/// Does the same for a write, with values that it and a hybrid one of the same layout show.
[[nodiscard]] std::vector<printed_figure> bucket_drawings(drawn_write const& write,
                                                          shown_buckets const& of_write,
                                                          shown_buckets const& of_hybrid);

}  // namespace lockstep
