#include <lockstep/algorithms/sorting/multiway_merge_sort.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/long_enough.hpp"
#include "sorting/counted_order.hpp"
#include "sorting/hypercube_sort.hpp"
#include "sorting/list_merge.hpp"
#include "sorting/optional_dimensions.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter keys_to_merge{
    "n",
    "keys that are generated where there is no input file; -1: what k says, or one on each "
    "processor",
    -1,
    -1,
    std::numeric_limits<std::uint32_t>::max(),
    true};
constexpr integer_parameter values_of_a_column{
    "k",    "values of a column at first, of which n = k 2^(d - l) are generated; 0: what n says",
    0,      0,
    50'000, true};
constexpr text_parameter dimensions_of_rows{
    "l",
    "a number, for 2^l rows; left out, those that take the fewest steps for n, or with k those for "
    "about as many keys as processors"};

/// The keys, and the rows if they are given, of a request.
struct asked_sort {
  std::uint64_t n;
  std::optional<int> l;
};

/// Errors: invalid_argument where n and k are both given, or l is larger than d.
[[nodiscard]] asked_sort asked_from(arguments const& given, int d) {
  auto const n = static_cast<std::int64_t>(given[keys_to_merge]);
  auto const k = given[values_of_a_column];
  auto l = optional_dimensions(given, dimensions_of_rows);
  auto const p = static_cast<std::uint64_t>(given.processors());
  if (given.request().input || k == 0) return {n < 0 ? p : static_cast<std::uint64_t>(n), l};
  if (n >= 0) throw invalid_argument("--n and --k both say how many keys to sort; leave out one");
  if (!l) l = std::min(d, static_cast<int>(std::bit_width(k)) - 1);
  multiway_sort_plan const plan(d, 0, *l);  // refuses other l
  return {k << static_cast<unsigned>(plan.m()), l};
}

constexpr std::size_t bytes_outgrown = 8200;  // of a stack

[[nodiscard]] experiment_result run_multiway_merge_sort(arguments const& given) {
  int const d = detail::required_hypercube(given.network(), "multi-way merge sort").dimension();
  auto const asked = asked_from(given, d);
  auto const plan_for = [&](std::uint64_t n) {
    bool const fused = given[fused_merges];
    return asked.l ? multiway_sort_plan(d, n, *asked.l, fused)
                   : multiway_sort_plan::cheapest(d, n, fused);
  };
  auto promises = promises_of_merging(
      given, [&](std::uint64_t n) { return plan_for(n).k(); }, bytes_outgrown);
  auto const input = keys_from(given, promises.taken, asked.n, promises.needs);
  auto const plan = plan_for(input.size());
  require_ports_for(given, plan.k());
  auto claims = multiway_merge_sort_claims(plan);
  suppose_pipelined_hypercube(claims, given);
  auto const enough = long_enough(given.request(), claims);
  promises.even_blocks = plan.l() > 0;
  auto result =
      solve_sort(enough, input, promises, [&](processor& me, std::vector<sort_element> mine) {
        return multiway_merge_sort(me, std::move(mine), plan, counted_order(me));
      });
  result.claims = std::move(claims);
  result.parameters["k"] = static_cast<std::int64_t>(plan.k());
  result.parameters["l"] = std::int64_t{plan.l()};
  result.figures["m"] = std::int64_t{plan.m()};
  result.figures["calls"] = static_cast<std::int64_t>(plan.calls().size());
  return result;
}

}  // namespace

experiment multiway_merge_sort_experiment() {
  return merging_sort_experiment(
      {.name = "multiway-merge-sort",
       .summary = "stable sort by merging 2^l lists at a time, of fewer values than processors or "
                  "more; keys are generated, or those of an input file",
       .run = run_multiway_merge_sort},
      {keys_to_merge, values_of_a_column, dimensions_of_rows, fused_merges});
}

}  // namespace lockstep
