#include <lockstep/algorithms/sorting/column_sort.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "sorting/comparison_sort.hpp"
#include "sorting/counted_order.hpp"
#include "sorting/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// Bytes of a key: made, numbered, on its way, sorted, and to compare with.
constexpr bytes_of_keys bytes_of_column_key{.each = 53, .in_small = 20, .most_small = 18'432};

constexpr auto rows_of_array = rows_of_columns(
    "q, elements of a column; n/p, rounded up, where it is less; more is filled up");
constexpr flag_parameter risks_short_columns{
    "below-bound", "sort columns shorter than 2(p - 1)^2, too; the result may be wrong"};

/// Claims how many comparisons the merges of steps 3, 5 and 7 take, those of a processor after those of
/// another at most, and the paper's order of all. Elements with their places are compared by up to two
/// questions to the order.
void claim_comparisons(experiment_result& result, bdm_machine const& on, std::uint64_t n,
                       std::uint64_t rows, bool with_places) {
  result.figures["merging"] = static_cast<std::int64_t>(work_of_phases(result.record, "step "));
  claim_list merges({{{"p", on.p}, {"q", static_cast<double>(rows)}}});
  add_claims(result, merges.from("lockstep, the comparisons counted")
                         .at_most("merging",
                                  with_places ? "2(2q ceil(log2 p) + q)" : "2q ceil(log2 p) + q"));
  auto order = order_of_comparisons(on, n, "Theorem 5.1");
  if (n > 1) order.with("q", static_cast<double>(rows)).where(detail::length_of_columns);
  add_claims(result, order);
}

[[nodiscard]] experiment_result run_column_sort(arguments const& given) {
  auto const on = bdm_machine_from(given);
  column_sort_options const options{.rows = given[rows_of_array],
                                    .stable = keeps_equal_keys_in_order(given),
                                    .below_bound = given[risks_short_columns]};
  auto promises = promises_of_comparing(given, bytes_of_column_key, on.packet);
  promises.stable = options.stable;
  promises.even_blocks = false;
  auto const input = keys_to_compare(given, promises);
  auto const n = input.size();
  auto const rows = detail::rows_of_column_sort(n, on.p, options);
  require_memory_to_sort(given, static_cast<std::uint64_t>(on.p) * rows, promises.needs);
  auto claims = column_sort_claims(on, n, rows);
  expect_steps(claims);
  auto result =
      solve_sort(given, input, promises, [&](processor& me, std::vector<sort_element> mine) {
        return column_sort(me, std::move(mine), n, counted_order(me), options);
      });
  result.claims = std::move(claims);
  result.parameters["rows"] = static_cast<std::int64_t>(rows);
  bool const is_full = n == rows * static_cast<std::uint64_t>(on.p);
  claim_comparisons(result, on, n, rows, options.stable || !is_full);
  return result;
}

}  // namespace

experiment column_sort_experiment() {
  return comparison_sort_experiment(
      {.name = "column-sort",
       .summary = "keys in columns, one in each processor, are sorted four times, and the array is "
                  "turned and shifted in between",
       .source = cited(jaja_ryu_1994, "Theorem 5.1"),
       .run = run_column_sort},
      {rows_of_array, keeps_order, risks_short_columns});
}

}  // namespace lockstep
