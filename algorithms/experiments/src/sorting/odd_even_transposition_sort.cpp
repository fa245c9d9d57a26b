#include <lockstep/algorithms/sorting/odd_even_transposition_sort.hpp>

#include <lockstep/topologies/mesh.hpp>

#include "harness/experiment_list.hpp"
#include "sorting/merge_split_sort.hpp"

namespace lockstep {

namespace {

[[nodiscard]] experiment_result run_odd_even_transposition_sort(arguments const& given) {
  auto const* const line = dynamic_cast<mesh const*>(&given.network());
  if (line == nullptr || line->sizes().size() != 1)
    throw invalid_argument(given.network().spec() +
                           " is not a line; this algorithm sorts along one, for example mesh:" +
                           std::to_string(given.processors()));
  return run_merge_split_sort(
      {given, [p = given.processors()](
                  std::uint64_t k) { return odd_even_transposition_sort_claims(p, k); }},
      [](processor& me, auto values, auto const& less) {
        return odd_even_transposition_sort(me, std::move(values), less);
      });
}

}  // namespace

experiment odd_even_transposition_sort_experiment() {
  return merge_split_sort_experiment(
      {.name = "odd-even-transposition-sort",
       .summary = "sort of k keys on each processor of a line by exchanges of neighbours",
       .topologies = "mesh of one dimension",
       .source = "Knuth, The Art of Computer Programming 3, 1998, 5.3.4",
       .examples = {"mesh:8", "mesh:2", "mesh:3", "mesh:7", "mesh:32"},
       .run = run_odd_even_transposition_sort});
}

}  // namespace lockstep
