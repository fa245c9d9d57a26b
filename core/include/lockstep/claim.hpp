#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/cost_models.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/problem_instance.hpp>

namespace lockstep {

/// How a claimed value bounds the measured one.
enum class comparison : std::uint8_t {
  equal,    ///< measured = value
  at_most,  ///< measured <= value
  order,    ///< measured grows as value, which only runs of several sizes can show
  /// measured <= value, up to what the source leaves open: "+ lower order terms", "approximately",
  /// "within a constant"
  about
};
using relation = comparison;  ///< its former name

/// The value of a formula: a number, for one run, or a function of where a program runs and on how
/// much.
class claimed_value {
 public:
  template <class Number>
    requires std::is_arithmetic_v<Number>
  claimed_value(Number value) : m_number(static_cast<double>(value)) {}
  template <class Function>
    requires(std::is_invocable_r_v<double, Function const&, problem_instance const&>)
  claimed_value(Function function) : m_function(std::move(function)) {}

  /// Errors: what the function throws; invalid_argument for a setting that lacks something.
  [[nodiscard]] double operator()(problem_instance const& at = {}) const {
    return m_function ? m_function(at) : m_number;
  }

 private:
  double m_number = 0;
  std::function<double(problem_instance const&)> m_function;
};

/// Whether a condition is met: so for one run, or as a function of where a program runs and on how
/// much.
class claimed_condition {
 public:
  claimed_condition(bool is_met) : m_is_met(is_met) {}
  template <class Predicate>
    requires(std::is_invocable_r_v<bool, Predicate const&, problem_instance const&>)
  claimed_condition(Predicate predicate) : m_predicate(std::move(predicate)) {}

  /// Errors: what the predicate throws; invalid_argument for a setting that lacks something.
  [[nodiscard]] bool operator()(problem_instance const& at = {}) const {
    return m_predicate ? m_predicate(at) : m_is_met;
  }

 private:
  bool m_is_met = true;
  std::function<bool(problem_instance const&)> m_predicate;
};

/// A condition under which a source makes a claim: beyond it nothing is claimed, and nothing judged.
struct hypothesis {
  std::string text;  ///< "n >= p^3", "p a power of two"
  claimed_condition is_met = true;
};

/// A paper's statement (or ours) about the cost of an algorithm. How it came out is for `judge` to
/// say (lockstep/judgement.hpp).
///
///   claim const steps{"steps", "log2 p", [](problem_instance const& at) { return
/// std::log2(at.p()); }};
///   claim const words{.figure = "words", .formula = "8m", .value = 32, .source = "page 3"};
struct claim {
  /// The name of a figure of `counts`, or of what the algorithm measures besides; "time", if there
  /// is a model to price it.
  std::string figure;
  std::string formula;      ///< as the source prints it
  claimed_value value = 0;  ///< what it comes to
  comparison bound = comparison::equal;
  std::string source{};  ///< paper and section
  /// Why the claim need not hold here, where it is outside its condition of validity or wrong; else
  /// empty.
  std::string erratum{};
  std::optional<block_distributed_model> model{};  ///< what the claimed time is priced by
  std::vector<hypothesis> where{};                 ///< what the source supposes
  /// Why a run beyond the claim refutes it: a lower bound, or an exhaustive search, by which no program
  /// keeps it, or that the source's own program is what was run, as printed. Without such evidence a
  /// run says something of its own program only.
  std::string evidence{};
};

[[nodiscard]] std::string_view symbol(comparison bound);  // "=", "<=", "order", "about"

/// The figure of that name. Errors: invalid_argument for a name that `counts` does not have.
[[nodiscard]] std::uint64_t metric_value(counts const& measured, std::string_view name);
/// The former name of `metric_value`.
[[nodiscard]] inline std::uint64_t figure_of(counts const& measured, std::string_view name) {
  return metric_value(measured, name);
}

/// Measures the claim's subject: a figure of the counts, or the time by the claim's
/// model.
/// Errors: those of `metric_value`.
[[nodiscard]] double measured_for(claim const& claimed, counts const& measured,
                                  problem_instance const& at = {});

/// Whether that is a value as it is claimed; of an order of growth, and of a claim "about" a value,
/// whether it may be. Hypotheses do not count: `judge` minds these.
/// Errors: those of the formula.
[[nodiscard]] bool holds(claim const& claimed, double measured, problem_instance const& at = {});

/// Whether the measured counts are as claimed.
/// Errors: those of `measured_for` and of the formula.
[[nodiscard]] bool holds(claim const& claimed, counts const& measured,
                         problem_instance const& at = {});

/// Divides the measured value by the formula's; none where both are 0, and
/// infinite where only the formula is.
/// Errors: those of the formula.
[[nodiscard]] std::optional<double> constant_of(claim const& claimed, double measured,
                                                problem_instance const& at = {});

}  // namespace lockstep
