#pragma once

#include <span>
#include <string>
#include <string_view>

#include <lockstep/claim.hpp>
#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// A column of a table: the claim about a figure, by the paper or by lockstep.
struct claimed_figure {
  std::string figure;
  bool is_papers = true;
  std::string heading{};  ///< of the table; the figure's name where it is empty
  std::string place{};    ///< what the claim's source ends with, where the first claim is not meant
};

/// Finds the first of these claims about a figure. Errors: broken_invariant if there is none.
[[nodiscard]] claim const& claim_about(std::span<claim const> claims, std::string_view figure);

/// The row of a run: for each column the first claim of that figure and place, beside what was measured. A
/// claim that need not hold here has the number of docs/errata, and the claim's own words.
/// `paper`: what the paper's sources begin with.
/// Errors: broken_invariant where the run lacks such a claim.
[[nodiscard]] paper_row row_of_claims(std::string input, std::string run,
                                      experiment_result const& result, std::string_view paper,
                                      int erratum_number, std::span<claimed_figure const> columns);

}  // namespace lockstep
