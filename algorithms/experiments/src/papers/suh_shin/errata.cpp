#include "papers/suh_shin/errata.hpp"

#include <algorithm>
#include <cstddef>

namespace lockstep {

namespace {

/// The first (n + 1)/2 dimensions, rounded up, are in use in every ring phase.
[[nodiscard]] bool has_largest_dimension_last(std::vector<int> const& sizes) {
  auto const always_in_use = static_cast<std::ptrdiff_t>(sizes.size() / 2 + 1);
  return std::max_element(sizes.begin(), sizes.end()) - sizes.begin() >= always_in_use;
}

}  // namespace

erratum too_few_rearrangements() {
  return {8,
          "no order of the data array makes the pieces of three exchange steps contiguous, so that "
          "one rearrangement for each phase is too few in three dimensions and more"};
}

erratum outside_validity_of_13() {
  return {13, "the formulas of [13] hold on tori for d >= 3 only, on meshes for d >= 2 only"};
}

erratum largest_dimension_last() {
  return {
      18,
      "the largest dimension is in use in every ring phase only if it is one of the first "
      "(n + 1)/2, rounded up; the formulas hold for that, the worst order, and others cost less"};
}

std::optional<erratum> erratum_of_table_1(std::vector<int> const& sizes,
                                          measured_figure const& figure) {
  if (sizes.size() <= 2 || !figure.is_as_we_claim) return std::nullopt;
  if (figure.name == "rearranged") return too_few_rearrangements();
  if (has_largest_dimension_last(sizes) && figure.measured < figure.claimed)
    return largest_dimension_last();
  return std::nullopt;
}

bool is_as_we_claim(experiment_result const& result, std::string_view figure) {
  return std::ranges::any_of(result.claims, [&](claim const& one) {
    return one.figure == figure && one.bound == comparison::equal &&
           one.source.starts_with("lockstep") && one.erratum.empty() &&
           holds(one, result.record.counts());
  });
}

}  // namespace lockstep
