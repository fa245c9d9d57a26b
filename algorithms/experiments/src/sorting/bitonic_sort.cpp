#include <lockstep/algorithms/sorting/bitonic_sort.hpp>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <lockstep/claim_list.hpp>

#include "harness/experiment_list.hpp"
#include "sorting/merge_split_sort.hpp"

namespace lockstep {

namespace {

/// Claims the comparisons of a processor, too: of a single value one in each merge-split; of more an order,
/// as the local sort's depend on the keys.
[[nodiscard]] std::vector<claim> claims_with_comparisons(int d, std::uint64_t k) {
  claim_list comparisons({{{"d", d}, {"k", static_cast<double>(k)}, {"p", std::exp2(d)}}});
  comparisons.from("lockstep, the comparisons counted");
  if (k == 1)
    comparisons.equal("work", "d(d + 1)/2").equal("operations", "p d(d + 1)/2");
  else if (k > 1)
    comparisons.compare("work", comparison::order, "k log2 k + k d(d + 1)/2");
  return claim_list().add(bitonic_sort_claims(d, k)).add(comparisons);
}

[[nodiscard]] experiment_result run_bitonic_sort(arguments const& given) {
  return run_merge_split_sort(
      merge_split_sort_on_hypercube(given, "bitonic sort", claims_with_comparisons),
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
