#include <lockstep/algorithms/sorting/odd_even_merge_sort.hpp>

#include "harness/experiment_list.hpp"
#include "sorting/merge_split_sort.hpp"

namespace lockstep {

namespace {

[[nodiscard]] experiment_result run_odd_even_merge_sort(arguments const& given) {
  return run_merge_split_sort(
      merge_split_sort_on_hypercube(given, "odd-even merge sort", odd_even_merge_sort_claims),
      [](processor& me, auto values, auto const& less) {
        return odd_even_merge_sort(me, std::move(values), less);
      });
}

}  // namespace

experiment odd_even_merge_sort_experiment() {
  return merge_split_sort_experiment(
      {.name = "odd-even-merge-sort",
       .summary =
           "sort of k keys on each processor by Batcher's odd-even merges, on lines in Gray code",
       .source = "Batcher, Sorting Networks and Their Applications, 1968",
       .run = run_odd_even_merge_sort});
}

}  // namespace lockstep
