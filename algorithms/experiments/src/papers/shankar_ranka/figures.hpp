#pragma once

#include <span>
#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Measures the claim of section 4.5 as ratios of counts: a random access write's words by the
/// busiest ports over 3n/p, for n/p^3 from 1/4 on, on crossbars with that many processors.
/// `sizes`: of n in p^3/4. Errors: those of machine::run.
[[nodiscard]] paper_figure total_over_elements(std::span<int const> processors,
                                               std::vector<int> const& sizes);

/// The same over n/p for n = p^3, beside elements that go straight to their owners, over processors;
/// a panel for each pattern. Errors: those of machine::run.
[[nodiscard]] paper_figure hot_spots_over_processors(std::span<int const> processors);

/// The words of a transportation over 2t, for t/p^2 a little above each of these numbers.
/// Errors: those of machine::run.
[[nodiscard]] paper_figure square_term(std::span<int const> processors,
                                       std::vector<int> const& squares);

}  // namespace lockstep
