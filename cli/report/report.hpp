#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/timeline.hpp>

namespace lockstep::cli {

/// The price of a run by a cost model.
struct priced_run {
  std::string model;
  std::string unit;
  double value = 0;
  double shared = 0;                  ///< where messages that share a link take turns
  std::vector<double> phases;         ///< one for each phase
  std::vector<double> shared_phases;  ///< the same where they take turns
  bool prices_work = false;           ///< whether the model has a price of a local operation
};

/// All that is shown of a run.
struct report {
  std::string algorithm;
  std::string topology;
  int processors = 0;
  experiment_result result;
  std::optional<priced_run> time{};
  std::optional<timeline> times{};        ///< by a clock
  std::vector<time_stretch> stretches{};  ///< of a page by a clock, if it has room for them
  std::vector<step_time> step_times{};    ///< of the same page
  bool has_small_values = false;          ///< of a generated input
  std::string time_left_out{};            ///< why a clock could not time the run; else empty
  std::string clocks_left_out{};          ///< why a page by a clock does not draw them; else empty
  double seconds = 0;                     ///< wall time
  std::optional<std::size_t> page_bytes{};  ///< of the page that is to be written
};

/// Judges a claim by what the run measured.
[[nodiscard]] judgement judge(claim const& claimed, experiment_result const& result);

/// Tells whether the result is not wrong, all bounds hold, and no claim ought to hold and does not.
[[nodiscard]] bool all_right(experiment_result const& result);

/// For people: counts beside the claims, phases, time, verdict; with the steps as rows on request.
[[nodiscard]] std::string as_text(report const& of, bool with_steps);

/// Its first line: what was run.
[[nodiscard]] std::string headline(report const& of);
/// The claims beside what was measured, with the reason where one does not hold; empty without any.
[[nodiscard]] std::string claims_as_text(experiment_result const& result);
/// Its end: time, verdict and wall time.
[[nodiscard]] std::string conclusion(report const& of);

/// For programs: one object, in the documented order.
[[nodiscard]] nlohmann::ordered_json as_json(report const& of);

/// Adds the makespan, where it is more than the rounds, and the span, where work is counted.
void add_ends(nlohmann::ordered_json& json, counts const& of, std::uint64_t makespan,
              std::uint64_t span);

/// Writes lower bounds as a list.
[[nodiscard]] nlohmann::ordered_json as_json(std::vector<lower_bound> const& bounds);

/// Writes a size: "412 kB", "4.1 MB".
[[nodiscard]] std::string size_text(std::size_t bytes);

/// A value as JSON: a whole number without a fraction.
[[nodiscard]] nlohmann::ordered_json as_json(parameter_value const& value);

}  // namespace lockstep::cli
