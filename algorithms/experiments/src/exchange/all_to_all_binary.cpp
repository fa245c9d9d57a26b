#include <lockstep/algorithms/exchange/all_to_all_binary.hpp>

#include "exchange/complete_exchange.hpp"
#include "harness/experiment_list.hpp"

namespace lockstep {

experiment all_to_all_binary_experiment() {
  return complete_exchange(
      {.name = "all-to-all-binary",
       .summary = "complete exchange by halves of a mesh, with contention: what all-to-all is "
                  "compared with",
       .topologies = "mesh (powers of two)",
       .source =
           "Bokhari and Berryman, Complete Exchange on a Circuit Switched Mesh, 1992, as Suh and "
           "Shin 2001 describe it",
       .examples = {"mesh:8x8", "mesh:4x4", "mesh:4x8", "mesh:16x16"}},
      {.copies = 3,
       .unsupported_reason = unsupported_reason_binary,
       .exchange = all_to_all_binary<std::uint64_t>,
       .claims = all_to_all_binary_claims});
}

}  // namespace lockstep
