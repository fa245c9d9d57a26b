#include <lockstep/algorithms/sorting/merge_sort.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/algorithms/textbook/merge_sort.hpp>
#include <lockstep/errors.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/long_enough.hpp"
#include "sorting/counted_order.hpp"
#include "sorting/hypercube_sort.hpp"
#include "sorting/list_merge.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter values_of_each{
    "k",
    "values of each processor, generated where there is no input file; more than 1 need all ports",
    8,
    1,
    50'000,
    true};

[[nodiscard]] experiment_result run_merge_sort(arguments const& given) {
  int const d = detail::required_hypercube(given.network(), "merge sort").dimension();
  auto const n = given[values_of_each] * static_cast<std::uint64_t>(given.processors());
  auto const k_of = [&](std::uint64_t keys) {
    return even_block(keys, given.processors(), 0).count;
  };
  auto promises = promises_of_merging(given, k_of);
  promises.even_blocks = false;
  auto const input = keys_from(given, promises.taken, n, promises.needs);
  merge_options const how{.k = k_of(input.size()), .fused = given[fused_merges]};
  require_ports_for(given, how.k);
  bool const is_textbook = given[textbook_form];
  if (is_textbook && how.fused)
    throw invalid_argument("--textbook is the paper's merge sort; leave out --fused");
  auto claims = merge_sort_claims(d, how);
  suppose_pipelined_hypercube(claims, given);
  auto const asked = long_enough(given.request(), claims);
  auto result =
      solve_sort(asked, input, promises, [&](processor& me, std::vector<sort_element> mine) {
        return is_textbook ? textbook::merge_sort(me, std::move(mine), how.k, counted_order(me))
                           : merge_sort(me, std::move(mine), how, counted_order(me));
      });
  result.claims = std::move(claims);
  result.parameters["k"] = static_cast<std::int64_t>(how.k);
  return result;
}

}  // namespace

experiment merge_sort_experiment() {
  return merging_sort_experiment({.name = "merge-sort",
                                  .summary = "stable sort by merging the sorted lists of 1, 2, 4, "
                                             "... processors; keys are generated, or "
                                             "those of an input file",
                                  .run = run_merge_sort},
                                 {values_of_each, fused_merges, textbook_form});
}

}  // namespace lockstep
