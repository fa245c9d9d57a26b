#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <lockstep/experiments/experiment.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "harness/arguments.hpp"
#include "sorting/sort_input.hpp"
#include "sorting/sort_problem.hpp"

namespace lockstep {

/// The promises of a sort by Merge in sets of `k_of(keys)`: on all ports, stable. `outgrown`: as of
/// machine_needs.
[[nodiscard]] sort_promises promises_of_merging(
    arguments const& given, std::function<std::uint64_t(std::uint64_t keys)> k_of,
    std::size_t outgrown = 0);

/// Completes an experiment of a sort on a hypercube: its keys and files around its own parameters.
[[nodiscard]] experiment merging_sort_experiment(experiment of, std::vector<parameter> const& own);

}  // namespace lockstep
