#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/formula.hpp>

namespace lockstep {

/// The cells of a row, whose formulas are stated once, as text.
class claimed_cells {
 public:
  explicit claimed_cells(std::map<std::string, double, std::less<>> letters)
      : m_letters{.numbers = std::move(letters)} {}

  /// Adds what the paper claims beside what was measured.
  /// `known`: why the claim need not hold, for all that lockstep knows of its own program.
  /// Errors: broken_invariant for a formula that cannot be read.
  claimed_cells& equal(std::string figure, std::string const& formula, std::uint64_t measured,
                       std::optional<erratum> const& known = std::nullopt);
  claimed_cells& at_most(std::string figure, std::string const& formula, std::uint64_t measured,
                         std::optional<erratum> const& known = std::nullopt);
  /// The same of a bound that leaves terms open.
  claimed_cells& about(std::string figure, std::string const& formula, std::uint64_t measured,
                       std::optional<erratum> const& known = std::nullopt);
  /// Adds any claim.
  claimed_cells& add(claim const& claimed, std::uint64_t measured, int erratum_number = 0);

  /// Says that lockstep claims the last cell, and not the paper.
  claimed_cells& ours();
  /// Adds a remark to the last cell, besides its verdict.
  claimed_cells& remark(erratum const& known);
  /// Says what the paper supposes of all cells that follow, and whether it is met.
  claimed_cells& where(std::string const& text, bool is_met);
  claimed_cells& where(hypothesis const& supposed);
  /// The same, of a text that says when it is met: "n >= p^3".
  claimed_cells& where(std::string const& text);

  /// Evaluates a formula. Errors: broken_invariant for one that cannot be read.
  [[nodiscard]] double value(std::string const& formula) const;

  [[nodiscard]] std::vector<paper_cell> const& cells() const { return m_cells; }
  /// The cells of a run, each beside the strongest lower bound on its figure.
  [[nodiscard]] std::vector<paper_cell> cells_of(experiment_result const& run) const;

 private:
  claimed_cells& add(std::string figure, std::string const& formula, comparison how,
                     std::uint64_t measured, std::optional<erratum> const& known);

  formula_letters m_letters;
  std::vector<hypothesis> m_where;
  std::vector<paper_cell> m_cells;
};

/// Sets a lower bound beside what was measured: it holds if that is no less. Less, where the hypotheses are
/// met, is a fault, and never "our program exceeds".
[[nodiscard]] paper_cell lower_bound_cell(std::string figure, std::string formula,
                                          std::uint64_t bound, std::uint64_t measured,
                                          std::vector<hypothesis> const& where);

/// A number among a run's figures. Errors: broken_invariant if it has none of that name.
[[nodiscard]] std::uint64_t counted(experiment_result const& result, std::string const& figure);

/// "crossbar:16".
[[nodiscard]] std::string crossbar_of(int processors);

/// p = 4, 8, .. 64, as far as they are no more than that.
[[nodiscard]] std::vector<int> powers_up_to(int most_processors);

}  // namespace lockstep
