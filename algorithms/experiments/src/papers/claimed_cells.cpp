#include "papers/claimed_cells.hpp"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>
#include <lockstep/judgement.hpp>

#include "papers/measured_algorithm.hpp"

namespace lockstep {

double claimed_cells::value(std::string const& formula) const {
  auto const found = value_of(formula, m_letters);
  if (!found) throw own_mistake("the formula " + formula + " cannot be read");
  return *found;
}

claimed_cells& claimed_cells::add(claim const& claimed, std::uint64_t measured,
                                  int erratum_number) {
  m_cells.push_back(judged_cell(claimed, measured, erratum_number));
  return *this;
}

claimed_cells& claimed_cells::add(std::string figure, std::string const& formula, comparison how,
                                  std::uint64_t measured, std::optional<erratum> const& known) {
  claim claimed{.figure = std::move(figure),
                .formula = formula,
                .value = value(formula),
                .bound = how,
                .erratum = known ? known->text : ""};
  claimed.where = m_where;
  return add(claimed, measured, known ? known->number : 0);
}

claimed_cells& claimed_cells::equal(std::string figure, std::string const& formula,
                                    std::uint64_t measured, std::optional<erratum> const& known) {
  return add(std::move(figure), formula, comparison::equal, measured, known);
}

claimed_cells& claimed_cells::at_most(std::string figure, std::string const& formula,
                                      std::uint64_t measured, std::optional<erratum> const& known) {
  return add(std::move(figure), formula, comparison::at_most, measured, known);
}

claimed_cells& claimed_cells::about(std::string figure, std::string const& formula,
                                    std::uint64_t measured, std::optional<erratum> const& known) {
  return add(std::move(figure), formula, comparison::about, measured, known);
}

claimed_cells& claimed_cells::ours() {
  m_cells.back().is_ours = true;
  return *this;
}

claimed_cells& claimed_cells::remark(erratum const& known) {
  m_cells.back().explanation = known;
  return *this;
}

claimed_cells& claimed_cells::where(std::string const& text, bool is_met) {
  return where(hypothesis{text, is_met});
}

claimed_cells& claimed_cells::where(hypothesis const& supposed) {
  m_where.push_back(supposed);
  return *this;
}

claimed_cells& claimed_cells::where(std::string const& text) {
  return where(claim_list(m_letters).hypothesis_of(text));
}

std::vector<paper_cell> claimed_cells::cells_of(experiment_result const& run) const {
  auto cells = m_cells;
  for (auto& cell : cells) set_beside_bound(cell, run);
  return cells;
}

paper_cell lower_bound_cell(std::string figure, std::string formula, std::uint64_t bound,
                            std::uint64_t measured, std::vector<hypothesis> const& where) {
  // The bound is no more than what was measured: the same comparison, seen from the bound.
  claim const no_more{.figure = figure,
                      .formula = formula,
                      .value = measured,
                      .bound = comparison::at_most,
                      .where = where};
  auto judged = judge(no_more, static_cast<double>(bound));
  if (judged.is_fault)  // no program exceeds anything here
    judged = {claim_verdict::decides_nothing,
              "less than a lower bound: a mistake of the bound, or of the program", true};
  return {.figure = std::move(figure),
          .formula = std::move(formula),
          .claimed = bound,
          .measured = measured,
          .judged = std::move(judged),
          .where = where,
          .is_lower_bound = true};
}

std::uint64_t counted(experiment_result const& result, std::string const& figure) {
  auto const found = result.figures.find(figure);
  if (found == result.figures.end()) throw own_mistake("a run without the figure " + figure);
  return static_cast<std::uint64_t>(std::get<std::int64_t>(found->second));
}

std::string crossbar_of(int processors) { return fmt::format("crossbar:{}", processors); }

std::vector<int> powers_up_to(int most_processors) {
  std::vector<int> powers;
  for (int p = 4; p <= 64 && p <= most_processors; p *= 2) powers.push_back(p);
  return powers;
}

}  // namespace lockstep
