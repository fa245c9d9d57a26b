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

  /// Adds what is claimed beside what was measured: `equal`, else explained by the erratum if one
  /// applies. Errors: broken_invariant for a formula that cannot be read.
  claimed_cells& equal(std::string figure, std::string const& formula, std::uint64_t measured,
                       std::optional<erratum> applying = std::nullopt);
  /// The same of an upper bound, which may hold.
  claimed_cells& at_most(std::string figure, std::string const& formula, std::uint64_t measured,
                         std::optional<erratum> applying = std::nullopt);

  /// A bound that holds, and is larger than it need be, by an erratum.
  claimed_cells& is_loose(std::string figure, std::string const& formula, std::uint64_t measured,
                          erratum const& why);

  [[nodiscard]] std::vector<paper_cell> const& cells() const { return m_cells; }

 private:
  [[nodiscard]] std::uint64_t value_of_formula(std::string const& formula) const;

  formula_letters m_letters;
  std::vector<paper_cell> m_cells;
};

/// A number among a run's figures. Errors: broken_invariant if it has none of that name.
[[nodiscard]] std::uint64_t counted(experiment_result const& result, std::string const& figure);

/// "crossbar:16".
[[nodiscard]] std::string crossbar_of(int processors);

/// p = 4, 8, .. 64, as far as they are no more than that.
[[nodiscard]] std::vector<int> powers_up_to(int most_processors);

}  // namespace lockstep
