#include <lockstep/algorithms/sorting/shear_sort.hpp>

#include "harness/experiment_list.hpp"
#include "sorting/merge_split_sort.hpp"

namespace lockstep {

namespace {

[[nodiscard]] experiment_result run_shear_sort(arguments const& given) {
  auto const shape = mesh_shape::of(given.network());
  std::vector<int> ranks(static_cast<std::size_t>(given.processors()));
  for (int rank = 0; rank < given.processors(); ++rank)
    ranks[static_cast<std::size_t>(shape.place_of(rank))] = rank;
  return run_merge_split_sort(
      {given, [shape](std::uint64_t k) { return shear_sort_claims(shape, k); }, std::move(ranks),
       2000},
      [](processor& me, auto values, auto const& less) {
        return shear_sort(me, std::move(values), less);
      });
}

}  // namespace

experiment shear_sort_experiment() {
  return merge_split_sort_experiment(
      {.name = "shear-sort",
       .summary = "sort of k keys on each processor of a mesh, by rows and columns, into a snake",
       .topologies = "mesh of two dimensions",
       .source = "Scherson, Sen and Shamir, Shear Sort, 1986",
       .examples = {"mesh:4x4", "mesh:1x5", "mesh:3x2", "mesh:8x8", "mesh:5x7"},
       .run = run_shear_sort});
}

}  // namespace lockstep
