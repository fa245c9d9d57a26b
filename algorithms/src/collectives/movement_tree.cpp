#include <lockstep/algorithms/collectives/detail/movement_tree.hpp>

namespace lockstep::detail {

std::vector<tree_phase> phases_of_tree(int p, int k, int member) {
  std::vector<tree_phase> phases;
  member_range group{0, p};
  member_range largest{0, p};
  while (largest.size() > 1) {
    phases.push_back({group, largest.parts(k) - 1});
    group = group.part(group.part_of(member, k), k);
    largest = largest.part(0, k);
  }
  return phases;
}

}  // namespace lockstep::detail
