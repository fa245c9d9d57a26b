#include "papers/jaja_ryu/growth_sweep.hpp"

#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/judgement.hpp>

#include "papers/claimed_cells.hpp"

namespace lockstep {

namespace {

[[nodiscard]] claimed_cells letters_of(sweep_of_paper const& of, run_of_sweep const& run) {
  auto letters = of.letters;
  letters[of.letter] = run.n;
  return run.on.cells(std::move(letters));
}

/// Makes the cell of a run, which by itself decides no order, and says whether its hypotheses are met.
[[nodiscard]] paper_cell cell_of_run(sweep_of_paper const& of, run_of_sweep const& run,
                                     std::uint64_t operations) {
  auto cells = letters_of(of, run);
  for (auto const& supposed : of.where)
    if (auto const* const text = std::get_if<std::string>(&supposed))
      cells.where(*text);
    else
      cells.where(std::get<1>(supposed)(run));
  cells.about("operations", of.formula, operations);
  auto cell = cells.cells().front();
  cell.bound = comparison::order;
  return cell;
}

}  // namespace

paper_row judged_growth(sweep_of_paper const& of) {
  std::vector<order_point> points;
  paper_cell cell;
  judgement beyond;
  bool is_correct = true;
  for (auto const& one : of.runs) {
    auto given = of.given;
    given.insert(one.also.begin(), one.also.end());
    given[of.size_parameter] = one.given;
    auto const run = measured_on(one.on, of.algorithm, std::move(given));
    is_correct = is_correct && run.result.correct;
    auto const operations = run.counted().work;
    cell = cell_of_run(of, one, operations);
    if (cell.verdict() == claim_verdict::outside_the_claim) beyond = cell.judged;
    auto const claimed = letters_of(of, one).value(of.formula);
    points.push_back({one.size, static_cast<double>(operations) / claimed});
  }
  cell.judged = beyond.verdict == claim_verdict::outside_the_claim ? beyond : judge_order(points);
  return {of.input, of.statement + ", " + of.algorithm, {std::move(cell)}, is_correct};
}

std::string text_of_processors(std::vector<run_of_sweep> const& runs, std::string const& n) {
  auto const& first = runs.front().on;
  auto const& last = runs.back().on;
  return fmt::format("p = {} .. {}, tau = {}, m = {}, n = {}", first.p, last.p, last.tau, last.m,
                     n);
}

}  // namespace lockstep
