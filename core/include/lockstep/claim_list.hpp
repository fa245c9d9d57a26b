#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/cost_models.hpp>
#include <lockstep/formula.hpp>

namespace lockstep {

/// Claims whose formulas are stated once, as text: what a formula comes to is its value.
///
///   return claim_list({{{"R", 8}, {"C", 12}, {"m", 1}}})
///       .from("Suh and Shin 2001, 3.1.4")
///       .equal("steps, startups", "C/2 + 2")
///       .equal("words", "RC(C + 4)m/4");
class claim_list {
 public:
  explicit claim_list(formula_letters letters = {}) : m_letters(std::move(letters)) {}

  /// Says where the claims that follow are made: paper and section.
  claim_list& from(std::string source);
  /// Says what one more letter stands for.
  claim_list& with(std::string const& letter, double value);

  /// Claims that each of the metrics, such as "steps, startups", is what the formula comes to.
  /// Errors: invalid_argument for a formula that `value_of` cannot read.
  claim_list& equal(std::string_view metrics, std::string const& formula);
  /// Claims the same value, where the formula is in words.
  claim_list& equal(std::string_view metrics, std::string const& formula, double value);
  /// Claims that each of the metrics is no more than that. Errors: the same.
  claim_list& at_most(std::string_view metrics, std::string const& formula);
  claim_list& at_most(std::string_view metrics, std::string const& formula, double value);
  /// Claims that each of the metrics is no more than that and what the source leaves open, such as "+
  /// lower order terms" or "approximately". Errors: the same.
  claim_list& about(std::string_view metrics, std::string const& formula);
  /// Claims any of them, or an order of growth. Errors: the same.
  claim_list& compare(std::string_view metrics, comparison how, std::string const& formula);

  /// Claims what a table says, line by line: "from SOURCE" as `from`, "METRICS = FORMULA" as `equal`, and
  /// "METRICS <= FORMULA" as `at_most`.
  ///
  ///   claims.table(R"(
  ///     from Suh and Shin 2001, 3.1.4
  ///     steps, startups = C/2 + 2
  ///     words = RC(C + 4)m/4)");
  ///
  /// Errors: invalid_argument for another line, and as `equal`.
  claim_list& table(std::string_view lines);

  /// Says why the claims of the last call need not hold here; an empty reason says nothing.
  claim_list& erratum(std::string const& reason);
  /// Says a hypothesis of the claims of the last call, and whether it is met here. Where it is not,
  /// these claims need not hold, and nothing is judged.
  claim_list& where(std::string const& text, bool is_met);
  /// The same of a hypothesis that says both, for this run. Errors: those of its condition where that asks for
  /// a problem instance.
  claim_list& where(hypothesis const& supposed);
  /// Says a hypothesis whose text says when it is met: "n >= p^3", "p divides n". It is not met where a
  /// side is infinite or has no value, as n/ln n for n = 1. Sides are numbers of 53 bits, rounded as
  /// `value_of` says: above 10^11 "p^2 divides n" is exact, and "p divides n/p" is not.
  /// Errors: invalid_argument for a text without one of >=, <=, >, < and "divides", or with formulas
  /// that `value_of` cannot read.
  claim_list& where(std::string const& text);
  /// Says why no program keeps the claims of the last call where a run is beyond them, or that their own
  /// program was run; empty evidence says nothing.
  claim_list& evidence(std::string const& why);
  /// Says by what the "time" of the last call is priced.
  claim_list& priced_by(block_distributed_model const& model);

  /// Evaluates the formula.
  /// Errors: invalid_argument for a formula that `value_of` cannot read.
  [[nodiscard]] double value(std::string_view formula) const;
  /// Evaluates a hypothesis whose text says when it is met. Errors: those of `where`.
  [[nodiscard]] hypothesis hypothesis_of(std::string const& text) const;

  /// Adds claims that were made elsewhere.
  claim_list& add(std::vector<claim> const& claims);

  operator std::vector<claim>() const { return m_claims; }  // NOLINT(google-explicit-constructor)

 private:
  claim_list& add(std::string_view metrics, std::string const& formula, double value,
                  comparison how);
  void add_line(std::string_view line);

  formula_letters m_letters;
  std::string m_source;
  std::vector<claim> m_claims;
  std::size_t m_last = 0;  ///< where the claims of the last call begin
};

}  // namespace lockstep
