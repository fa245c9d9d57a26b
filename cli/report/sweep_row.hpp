#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/cost_model_registry.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/lower_bounds.hpp>

namespace lockstep::cli {

/// The cost of a run of a sweep, and the model that prices it, if one does.
struct swept_cost {
  counts counted{};
  std::vector<lower_bound> bounds{};
  int processors = 0;
  std::optional<chosen_model> model{};
};

/// A run of a sweep, of the command line or of a program in C++.
struct swept_run {
  std::vector<std::pair<std::string, std::string>>
      given{};           ///< the values that vary, as they are typed
  std::string status{};  ///< "right", "wrong", "failed" or "left out"
  nlohmann::ordered_json
      described{};                   ///< what `run --json` prints of it, or the part that is known
  std::optional<swept_cost> cost{};  ///< nothing where it did not end
};

/// Makes the row of a run: the only place that does. Its time, if a model prices it, has the prices of the claims and
/// the bounds beside it.
[[nodiscard]] nlohmann::ordered_json row_of(swept_run const& run);

}  // namespace lockstep::cli
