#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <lockstep/cost_models.hpp>
#include <lockstep/counts.hpp>

namespace lockstep {

/// How a claimed value bounds the measured one.
enum class relation : std::uint8_t {
  equal,    ///< measured = value
  at_most,  ///< measured <= value
  order     ///< measured grows as value; never decides anything
};

/// What a paper (or we) say that an algorithm costs, for the parameters of one run.
struct claim {
  /// The name of a figure of `counts`, or of what the algorithm measures besides; "time", if there
  /// is a model to price it.
  std::string figure;
  std::string formula;  ///< as the source prints it
  double value = 0;     ///< the formula's value for this run
  relation bound = relation::equal;
  std::string source;  ///< paper and section
  /// Why the claim need not hold here, where it is outside its condition of validity or wrong; else
  /// empty.
  std::string erratum{};
  std::optional<block_distributed_model> model{};  ///< what the claimed time is priced by
};

[[nodiscard]] std::string_view symbol(relation bound);  // "=", "<=", "order"

/// The figure of that name. Errors: invalid_argument for a name that `counts` does not have.
[[nodiscard]] std::uint64_t figure_of(counts const& measured, std::string_view name);

/// Whether that is a value as it is claimed.
[[nodiscard]] bool holds(claim const& claimed, double measured);

/// Whether the measured counts are as claimed. Errors: those of `figure_of`.
[[nodiscard]] bool holds(claim const& claimed, counts const& measured);

}  // namespace lockstep
