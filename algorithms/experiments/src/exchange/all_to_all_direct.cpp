#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>

#include "exchange/complete_exchange.hpp"
#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"

namespace lockstep {

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
       .claims = all_to_all_direct_claims});
}

}  // namespace lockstep
