#include "papers/claimed_cells.hpp"

#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "papers/measured_algorithm.hpp"

namespace lockstep {

std::uint64_t claimed_cells::value_of_formula(std::string const& formula) const {
  auto const value = value_of(formula, m_letters);
  if (!value) throw own_mistake("the formula " + formula + " cannot be read");
  return static_cast<std::uint64_t>(std::floor(*value));
}

claimed_cells& claimed_cells::equal(std::string figure, std::string const& formula,
                                    std::uint64_t measured, std::optional<erratum> applying) {
  m_cells.push_back(compared_cell(std::move(figure), formula, value_of_formula(formula), measured,
                                  std::move(applying)));
  return *this;
}

claimed_cells& claimed_cells::at_most(std::string figure, std::string const& formula,
                                      std::uint64_t measured, std::optional<erratum> applying) {
  equal(std::move(figure), formula, measured, std::move(applying));
  auto& cell = m_cells.back();
  cell.bound = comparison::at_most;
  if (measured >= cell.claimed) return *this;
  cell.verdict = cell_verdict::holds;
  cell.explanation.reset();
  return *this;
}

claimed_cells& claimed_cells::is_loose(std::string figure, std::string const& formula,
                                       std::uint64_t measured, erratum const& why) {
  at_most(std::move(figure), formula, measured);
  auto& cell = m_cells.back();
  if (cell.verdict == cell_verdict::wrong) return *this;
  cell.verdict = cell_verdict::explained;
  cell.explanation = why;
  return *this;
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
