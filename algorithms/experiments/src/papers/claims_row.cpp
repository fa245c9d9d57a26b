#include "papers/claims_row.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

[[nodiscard]] claim const& claim_of(claimed_figure const& column, experiment_result const& result,
                                    std::string_view paper) {
  auto const found = std::ranges::find_if(result.claims, [&](claim const& claimed) {
    return claimed.figure == column.figure &&
           claimed.source.starts_with(paper) == column.is_papers &&
           claimed.source.ends_with(column.place);
  });
  if (found == result.claims.end()) throw own_mistake("nothing is claimed of " + column.figure);
  return *found;
}

}  // namespace

claim const& claim_about(std::span<claim const> claims, std::string_view figure) {
  auto const found = std::ranges::find(claims, figure, &claim::figure);
  if (found == claims.end()) throw own_mistake(fmt::format("nothing is claimed of {}", figure));
  return *found;
}

paper_row row_of_claims(std::string input, std::string run, experiment_result const& result,
                        std::string_view paper, int erratum_number,
                        std::span<claimed_figure const> columns) {
  paper_row row{std::move(input), std::move(run), {}, result.correct};
  for (auto const& column : columns) {
    auto const& claimed = claim_of(column, result, paper);
    auto const measured = static_cast<std::uint64_t>(measured_for(claimed, result));
    auto& cell = row.cells.emplace_back(judged_cell(claimed, measured, erratum_number));
    cell.is_ours = !column.is_papers;
    set_beside_bound(cell, result);
    if (!column.heading.empty()) cell.figure = column.heading;
  }
  return row;
}

}  // namespace lockstep
