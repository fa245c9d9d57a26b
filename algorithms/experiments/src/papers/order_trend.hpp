#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/claim.hpp>
#include <lockstep/experiments/papers.hpp>
#include <lockstep/judgement.hpp>

namespace lockstep {

/// An order of growth over the number of processors.
struct growth_order {
  std::string formula;
  double (*value)(double p);
};

/// The constants of an order of growth, over runs on several numbers of
/// processors.
class order_trend {
 public:
  explicit order_trend(growth_order order) : m_order(std::move(order)) {}

  void add(double processors, double measured) {
    m_points.push_back({processors, measured / m_order.value(processors)});
  }

  [[nodiscard]] growth_order const& order() const { return m_order; }

  /// Judges the order by the trend of the constants, which a remark lists.
  /// `label`: of the remark; `known`: why our program grows faster; without a reason that is a mistake.
  /// `where`: what the order supposes; runs that do not meet it are outside the claim.
  [[nodiscard]] paper_cell cell(std::string figure, std::string const& label,
                                std::string const& known = "",
                                std::vector<hypothesis> where = {}) const {
    std::string constants = label + ": " + m_order.formula + " times";
    for (auto const& [size, constant] : m_points)
      constants += fmt::format("{} {:.2f} (p = {:g})", constants.ends_with("times") ? "" : ",",
                               constant, size);
    auto judged = judge_order(m_points);
    if (judged.is_fault && !known.empty())
      judged = {claim_verdict::our_program_exceeds, known + "; " + judged.reason};
    auto supposed = judge(
        {.figure = figure, .formula = m_order.formula, .bound = comparison::order, .where = where},
        0);
    if (supposed.verdict == claim_verdict::outside_the_claim) judged = std::move(supposed);
    return {.figure = std::move(figure),
            .formula = m_order.formula,
            .judged = std::move(judged),
            .explanation = erratum{0, std::move(constants)},
            .bound = comparison::order,
            .where = std::move(where)};
  }

 private:
  growth_order m_order;
  std::vector<order_point> m_points;
};

}  // namespace lockstep
