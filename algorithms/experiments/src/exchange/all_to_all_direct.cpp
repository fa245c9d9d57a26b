#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>

#include <vector>

#include <fmt/format.h>

#include <lockstep/lower_bounds.hpp>

#include "exchange/complete_exchange.hpp"
#include "exchange/grid_shape.hpp"
#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"

namespace lockstep {

namespace {

/// Finds the bound of every direct exchange on a square mesh with an even side.
[[nodiscard]] std::vector<lower_bound> bounds_of_direct_exchange(topology const& network) {
  auto const shape = shape_of(network);
  if (!shape || shape->wraps || shape->sizes.size() != 2 || shape->sizes[0] != shape->sizes[1] ||
      shape->sizes[0] % 2 != 0)
    return {};
  auto const a = static_cast<std::uint64_t>(shape->sizes[0]);
  return {{.figure = "serialised_steps",
           .formula = fmt::format("a^3/4, a = {}: {} blocks by themselves over {} links", a,
                                  a * a * a * a / 4, a),
           .value = least_steps_of_direct_exchange(a),
           .source = "Scott 1991, as Suh and Shin 2001 cite it",
           .reason = bound_reason::halves}};
}

}  // namespace

experiment all_to_all_direct_experiment() {
  return complete_exchange(
      {.name = "all-to-all-direct",
       .summary = "complete exchange a pair at a time, with contention: what all-to-all is "
                  "compared with",
       .topologies = "torus, mesh (powers of two)",
       .source = cited(suh_shin_2001, "Fig. 1"),
       .examples = {"mesh:2x4", "mesh:4x4", "mesh:8x8", "torus:4x4", "torus:8x8"}},
      {.unsupported_reason = unsupported_reason_direct,
       .exchange = all_to_all_direct<std::uint64_t>,
       .claims = all_to_all_direct_claims,
       .bounds = bounds_of_direct_exchange});
}

}  // namespace lockstep
