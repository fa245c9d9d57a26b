#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

#include "papers/shankar_ranka/text_rows.hpp"

namespace lockstep {

/// The matrix that the paper prints in Figure 4.
[[nodiscard]] element_matrix printed_in_figure_4();

/// Figures 5 to 9 of Shankar and Ranka: where buckets lie, from what the processors of a write of Figure
/// 4's elements show. Our text of the paper lacks these drawings: what it says of them is compared.
/// Errors: those of machine::run.
[[nodiscard]] std::vector<printed_figure> bucket_drawings();

}  // namespace lockstep
