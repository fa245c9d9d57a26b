#include <lockstep/experiments/papers.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include <lockstep/lower_bounds.hpp>

#include "papers/entries.hpp"

namespace lockstep {

paper_cell judged_cell(claim const& claimed, std::uint64_t measured, int erratum_number) {
  auto whole = claimed;
  bool const is_equality = claimed.bound == comparison::equal;
  if (is_equality) whole.value = std::floor(claimed.value());
  paper_cell cell{.figure = claimed.figure,
                  .formula = claimed.formula,
                  .claimed = static_cast<std::uint64_t>(std::floor(claimed.value())),
                  .measured = measured,
                  .judged = judge(whole, static_cast<double>(measured)),
                  .bound = claimed.bound,
                  .where = claimed.where};
  using enum claim_verdict;
  auto const verdict = cell.verdict();
  // Outside its validity a formula may be equal to nothing that is counted.
  bool const is_fraction = is_equality && whole.value() != claimed.value();
  if (is_fraction && verdict == outside_the_claim) cell.claimed.reset();
  bool const is_beyond = verdict == refuted || verdict == our_program_exceeds ||
                         (verdict == decides_nothing && !claimed.erratum.empty());
  if (is_beyond && !cell.judged.is_fault)
    cell.explanation = erratum{erratum_number, cell.judged.reason};
  return cell;
}

void set_beside_bound(paper_cell& cell, experiment_result const& run) {
  auto const* const found = strongest(run.bounds, cell.figure);
  if (found == nullptr) return;
  cell.least = found->value;
  if (cell.measured && *cell.measured < found->value) cell.judged.is_fault = true;
}

bool all_right(std::vector<paper_table> const& tables) {
  auto const is_right = [](paper_row const& row) {
    return row.correct.value_or(true) &&
           std::ranges::none_of(row.cells,
                                [](paper_cell const& cell) { return cell.judged.is_fault; });
  };
  return std::ranges::all_of(
      tables, [&](paper_table const& table) { return std::ranges::all_of(table.rows, is_right); });
}

bool all_right(std::vector<printed_figure> const& figures) {
  return std::ranges::all_of(
      figures, [](printed_figure const& figure) { return figure.is_as_printed.value_or(true); });
}

bool all_right(paper_figure const& figure) {
  return std::ranges::none_of(figure.checks,
                              [](figure_check const& check) { return check.judged.is_fault; });
}

std::span<paper_entry const> papers() {
  static std::array const all{suh_shin_entry(), mayr_plaxton_entry(), bader_helman_jaja_entry(),
                              shankar_ranka_entry(), jaja_ryu_entry()};
  return all;
}

std::span<figure_entry const> figures() {
  static std::vector const all = [] {
    std::vector<figure_entry> entries;
    std::ranges::move(suh_shin_figure_entries(), std::back_inserter(entries));
    entries.push_back(mayr_plaxton_figure_entry());
    std::ranges::move(bader_helman_jaja_figure_entries(), std::back_inserter(entries));
    std::ranges::move(jaja_ryu_figure_entries(), std::back_inserter(entries));
    std::ranges::move(shankar_ranka_figure_entries(), std::back_inserter(entries));
    return entries;
  }();
  return all;
}

}  // namespace lockstep
