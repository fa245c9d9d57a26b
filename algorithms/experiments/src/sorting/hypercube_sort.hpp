#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <lockstep/experiments/experiment.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "harness/arguments.hpp"
#include "sorting/sort_input.hpp"
#include "sorting/sort_problem.hpp"

namespace lockstep {

/// The promises of a sort by Merge: on all ports, stable.
[[nodiscard]] constexpr sort_promises promises_of_merging(bool even_blocks) {
  return {.taken = keys_taken::numbers, .even_blocks = even_blocks, .one_port = false};
}

/// Requires memory to sort keys by merging sets of them, and to check the result. `outgrown`: as of
/// machine_needs.
/// Errors: invalid_argument for 2^32 keys or more; out_of_memory, with the figures.
void require_memory_to_merge(arguments const& given, std::uint64_t keys, std::uint64_t k,
                             std::size_t outgrown);

/// Reads keys of any type, or generates n, and calls `sort_them(sort_input)`, which comes to the
/// result: by `solve_sort`. `k_of(n)`: the size of the sets. `outgrown`: as of machine_needs.
/// Errors: those of `keys_from`, `require_memory_to_merge` and the call.
template <class SetSize, class Sort>
[[nodiscard]] experiment_result with_keys_to_merge(arguments const& given, std::uint64_t n,
                                                   std::size_t outgrown, SetSize const& k_of,
                                                   Sort const& sort_them) {
  auto const require_memory = [&](std::uint64_t count) {
    require_memory_to_merge(given, count, k_of(count), outgrown);
  };
  auto asked = given.request();
  asked.parameters["n"] = static_cast<std::int64_t>(n);
  auto const input =
      keys_from(asked, keys_taken::numbers, given[distribution_of_keys], require_memory);
  require_memory(input.size());
  return sort_them(input);
}

/// Completes an experiment of a sort on a hypercube: its keys and files around its own parameters.
[[nodiscard]] experiment merging_sort_experiment(experiment of, std::vector<parameter> const& own);

}  // namespace lockstep
