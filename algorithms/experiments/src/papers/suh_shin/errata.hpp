#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// The errata of Suh and Shin's paper that its tables meet, by their numbers.
[[nodiscard]] erratum too_few_rearrangements();  // 8
[[nodiscard]] erratum outside_validity_of_13();  // 13
[[nodiscard]] erratum largest_dimension_last();  // 18

/// A figure of one run of the complete exchange.
struct measured_figure {
  std::string_view name;      ///< as in `counts`
  std::uint64_t claimed = 0;  ///< by the paper
  std::uint64_t measured = 0;
  bool is_as_we_claim = false;  ///< lockstep's own exact claim holds
};

/// The erratum of Table 1 that applies to this figure on a network of these sizes, if one does.
/// Number 8: rearrangements in three dimensions and more, if they are as many as we claim.
/// Number 18: anything else in three dimensions and more, where a dimension after the first two is
/// larger than these, if it is less than the paper claims, and what we claim.
[[nodiscard]] std::optional<erratum> erratum_of_table_1(std::vector<int> const& sizes,
                                                        measured_figure const& figure);

/// Whether an exact claim of lockstep's own, not the paper's, is made for this figure and holds.
[[nodiscard]] bool is_as_we_claim(experiment_result const& result, std::string_view figure);

}  // namespace lockstep
