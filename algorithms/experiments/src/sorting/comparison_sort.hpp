#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/claim_list.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "harness/arguments.hpp"
#include "harness/bdm_parameters.hpp"
#include "sorting/counted_order.hpp"
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

/// The bytes that a sort by comparisons takes for each key.
struct bytes_of_keys {
  std::uint64_t each = 0;        ///< for a key of four bytes in the input
  std::uint64_t in_small = 0;    ///< more, in messages whose memory is kept
  std::uint64_t most_small = 0;  ///< of these, of a pair of processors
};

/// The promises of a sort by comparisons, which takes that memory, on the machine of its model.
[[nodiscard]] sort_promises promises_of_comparing(arguments const& given,
                                                  bytes_of_keys const& bytes, std::uint64_t packet);

/// Reads or generates the keys. Errors: those of `keys_from`.
[[nodiscard]] inline sort_input keys_to_compare(arguments const& given,
                                                sort_promises const& promises) {
  return keys_from(given, promises.taken, given[number_of_keys], promises.needs);
}

/// Adds up the work of the phases whose names begin like that.
[[nodiscard]] std::uint64_t work_of_phases(run_record const& of, std::string_view beginning);

/// Claims that the comparisons on the critical path grow as n log n / p, as JaJa and Ryu say at that place,
/// for n elements that p processors share evenly. Fewer than two elements are not compared.
[[nodiscard]] claim_list order_of_comparisons(bdm_machine const& on, std::uint64_t n,
                                              std::string_view place);

/// Adds claims to those of a result.
void add_claims(experiment_result& result, std::vector<claim> const& more);

/// Completes an experiment of a sort by comparisons on a crossbar: its keys and files, tau and
/// packet, around its own parameters.
[[nodiscard]] experiment comparison_sort_experiment(experiment of,
                                                    std::vector<parameter> const& own = {});

}  // namespace lockstep
