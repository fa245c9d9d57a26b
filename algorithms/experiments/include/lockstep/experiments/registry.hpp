#pragma once

#include <span>
#include <string_view>

#include <lockstep/experiments/experiment.hpp>

namespace lockstep {

/// Lists all experiments, in the order in which `lockstep list` has them.
[[nodiscard]] std::span<experiment const> experiments();

/// Finds the experiment of that name, or nullptr.
[[nodiscard]] experiment const* find_experiment(std::string_view name);

/// Makes the request of an experiment's teaching example: its other parameters at their defaults,
/// seed 1, small values. Errors: those of `parse` for a network that does not exist.
[[nodiscard]] experiment_request teaching_request(experiment const& which);

/// Former names of these two.
[[nodiscard]] inline std::span<experiment const> algorithms() { return experiments(); }
[[nodiscard]] inline experiment const* find_algorithm(std::string_view name) {
  return find_experiment(name);
}

}  // namespace lockstep
