#include <lockstep/algorithms/sorting/multiway_merge.hpp>

#include <cstdint>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

void detail::require_multiway_cube(topology const& network, multiway_shape const& shape) {
  auto const& cube = required_hypercube(network, "multi-way merge");
  int const l = shape.l;
  int const m = shape.m;
  if (l >= 0 && m >= 0 && std::int64_t{2} * l + m == cube.dimension()) return;
  throw invalid_argument(
      fmt::format("multi-way merge: l = {} and m = {} need a hypercube of 2l + m dimensions, and "
                  "{} has {}; take hypercube:4 with l = 1 and m = 2, for example",
                  l, m, network.spec(), cube.dimension()));
}

void detail::require_row_0(std::size_t elements, int rank) {
  if (elements == 0) return;
  throw invalid_argument(
      fmt::format("multi-way merge: processor {} has {} elements, and is not in row 0, which has "
                  "the lists; give it none",
                  rank, elements));
}

std::string multiway_merge_steps(multiway_shape const& shape) {
  if (shape.l == 0 || shape.k == 0) return "0";
  if (shape.m == 0) return "5k + 5l - 5";
  return shape.fused ? "10k + 5l + 6m - 10" : "10k + 5l + 10m - 10";
}

std::vector<claim> multiway_merge_claims(multiway_shape const& shape) {
  detail::require_dimensions("multiway_merge_claims: l", shape.l);
  detail::require_dimensions("multiway_merge_claims: m", shape.m);
  detail::require_dimensions("multiway_merge_claims: l + m", shape.l + shape.m);
  return claim_list({{{"k", static_cast<double>(shape.k)}, {"l", shape.l}, {"m", shape.m}}})
      .from("lockstep, the program's own steps")
      .equal("steps", multiway_merge_steps(shape))
      .from("Mayr and Plaxton 1989, 4")
      .at_most("steps", "14k + 5l + 19m");
}

}  // namespace lockstep
