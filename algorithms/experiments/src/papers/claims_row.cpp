#include "papers/claims_row.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include <lockstep/claim.hpp>

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

}  // namespace

paper_row row_of_claims(std::string input, std::string run, experiment_result const& result,
                        std::string_view paper, int erratum_number) {
  paper_row row{std::move(input), std::move(run), {}, result.correct};
  for (auto const& claimed : result.claims) {
    bool const is_papers = claimed.source.starts_with(paper);
    if (claimed.bound == comparison::order || (!is_papers && claimed.bound != comparison::equal))
      continue;
    auto cell = cell_of(claimed, measured_for(claimed, result), erratum_number);
    if (!is_papers) cell.figure += ", by the schedule";
    row.cells.push_back(std::move(cell));
  }
  return row;
}

}  // namespace lockstep
