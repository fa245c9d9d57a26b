#include <lockstep/algorithms/sorting/bitonic_sort.hpp>

#include "harness/experiment_list.hpp"
#include "sorting/merge_split_sort.hpp"

namespace lockstep {

namespace {

[[nodiscard]] experiment_result run_bitonic_sort(arguments const& given) {
  return run_merge_split_sort(
      merge_split_sort_on_hypercube(given, "bitonic sort", bitonic_sort_claims),
      [](processor& me, auto values, auto const& less) {
        return bitonic_sort(me, std::move(values), less);
      });
}

}  // namespace

experiment bitonic_sort_experiment() {
  return merge_split_sort_experiment(
      {.name = "bitonic-sort",
       .summary = "sort of k keys on each processor by Batcher's bitonic merges",
       .source = "Batcher, Sorting Networks and Their Applications, 1968",
       .run = run_bitonic_sort});
}

}  // namespace lockstep
