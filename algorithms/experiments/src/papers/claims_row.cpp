#include "papers/claims_row.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include <lockstep/claim.hpp>

#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

[[nodiscard]] cell_verdict verdict_of(claim const& claimed, double measured) {
  if (holds(claimed, measured))
    return claimed.bound == comparison::at_most && measured < claimed.value() ? cell_verdict::holds
                                                                              : cell_verdict::equal;
  return claimed.erratum.empty() ? cell_verdict::wrong : cell_verdict::explained;
}

[[nodiscard]] paper_cell cell_of(claim const& claimed, double measured, int erratum_number) {
  paper_cell cell{.figure = claimed.figure,
                  .formula = claimed.formula,
                  .claimed = static_cast<std::uint64_t>(std::floor(claimed.value())),
                  .measured = static_cast<std::uint64_t>(measured),
                  .verdict = verdict_of(claimed, measured)};
  cell.bound = claimed.bound;
  if (cell.verdict == cell_verdict::explained)
    cell.explanation = erratum{erratum_number, claimed.erratum};
  return cell;
}

[[nodiscard]] claim const& claim_of(claimed_figure const& column, experiment_result const& result,
                                    std::string_view paper) {
  auto const found = std::ranges::find_if(result.claims, [&](claim const& claimed) {
    return claimed.figure == column.figure && claimed.source.starts_with(paper) == column.is_papers;
  });
  if (found == result.claims.end()) throw own_mistake("nothing is claimed of " + column.figure);
  return *found;
}

}  // namespace

paper_row row_of_claims(std::string input, std::string run, experiment_result const& result,
                        std::string_view paper, int erratum_number,
                        std::span<claimed_figure const> columns) {
  paper_row row{std::move(input), std::move(run), {}, result.correct};
  for (auto const& column : columns) {
    auto const& claimed = claim_of(column, result, paper);
    row.cells.push_back(cell_of(claimed, measured_for(claimed, result), erratum_number));
  }
  return row;
}

}  // namespace lockstep
