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
#include "sorting/sort_problem.hpp"

namespace lockstep {

/// Makes the parameter "rows" of a sort of an array with a column in each processor.
[[nodiscard]] constexpr integer_parameter rows_of_columns(char const* help) {
  return {"rows", help, 0, 0, std::int64_t{1} << 32U};
}

inline constexpr flag_parameter keeps_order{
    "stable", "equal keys stay in order: each goes with its place, as one word"};

/// Whether a sort that need not be stable is to be: where it is asked for, and of rows of a file.
[[nodiscard]] inline bool keeps_equal_keys_in_order(arguments const& given) {
  return given[keeps_order] || sorts_rows(given);
}

/// The memory that a sort by comparisons takes.
struct bytes_of_keys {
  std::uint64_t each = 0;        ///< for a key of four bytes in the input
  std::uint64_t in_small = 0;    ///< more, in messages whose memory is kept
  std::uint64_t most_small = 0;  ///< of these, of a pair of processors
};

/// Requires memory to sort keys of four bytes by comparisons, and to check the result.
/// Errors: invalid_argument for 2^32 keys or more; out_of_memory, with the figures.
void require_memory_to_compare(arguments const& given, std::uint64_t keys,
                               bytes_of_keys const& bytes);

/// Reads or generates keys of any type, and calls `sort_them(sort_input)`, which comes to the
/// result: by `solve_sort`.
/// Errors: those of `keys_from`, `require_memory_to_compare` and the call.
template <class Sort>
[[nodiscard]] experiment_result with_compared_keys(arguments const& given,
                                                   bytes_of_keys const& bytes,
                                                   Sort const& sort_them) {
  auto const input =
      keys_from(given, keys_taken::numbers, given[distribution_of_keys],
                [&](std::uint64_t n) { require_memory_to_compare(given, n, bytes); });
  require_memory_to_compare(given, input.size(), bytes);
  return sort_them(input);
}

/// Completes an experiment of a sort by comparisons on a crossbar: its keys and files, tau and
/// packet, around its own parameters.
[[nodiscard]] experiment comparison_sort_experiment(experiment of,
                                                    std::vector<parameter> const& own = {});

}  // namespace lockstep
