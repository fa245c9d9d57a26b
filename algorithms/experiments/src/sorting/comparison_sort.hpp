#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <lockstep/experiments/experiment.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "harness/arguments.hpp"
#include "harness/bdm_parameters.hpp"
#include "sorting/sort_input.hpp"
#include "sorting/sorted_keys.hpp"

namespace lockstep {

/// Requires memory to sort keys by comparisons, and to check the result.
/// Errors: invalid_argument for 2^32 keys or more; out_of_memory, with the figures.
void require_memory_to_compare(arguments const& given, std::uint64_t keys);

/// Reads or generates keys of any type, and calls `sort_them(span of keys)`, which comes to the
/// result: by `sort_keys`, whose numbered keys `<` compares.
/// Errors: those of `keys_from`, `require_memory_to_compare` and the call.
template <class Sort>
[[nodiscard]] experiment_result with_compared_keys(arguments const& given, Sort const& sort_them) {
  auto const keys = keys_from(given, keys_taken::numbers, given[distribution_of_keys],
                              [&](std::uint64_t n) { require_memory_to_compare(given, n); });
  return std::visit(
      [&]<class Key>(std::vector<Key> const& all) {
        require_memory_to_compare(given, all.size());
        return sort_them(std::span<Key const>(all));
      },
      keys);
}

/// Completes an experiment of a sort by comparisons on a crossbar: its keys and files, tau and
/// packet, around its own parameters.
[[nodiscard]] experiment comparison_sort_experiment(experiment of,
                                                    std::vector<parameter> const& own = {});

}  // namespace lockstep
