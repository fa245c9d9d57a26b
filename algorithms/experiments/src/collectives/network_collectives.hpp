#pragma once

#include <lockstep/algorithms/collectives/collective_operation.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>

#include "collectives/collective_problem.hpp"
#include "harness/harness.hpp"

namespace lockstep {

/// A collective of words by a scheme of its network, not one of JaJa and Ryu's.
struct network_request {
  collective_kind kind;
  collective_operation operation;
  collective_scheme scheme;  ///< or automatic
  std::size_t words;         ///< of a processor's block
  int root = 0;
  bool is_textbook = false;  ///< whether by the short form
};

/// Tells whether a scheme that is asked for is not one of JaJa and Ryu for a crossbar, so that
/// `run_on_network` has it.
[[nodiscard]] bool is_for_network(collective_scheme asked, arguments const& given);

/// Runs it, with its claims and the scheme that was taken among the figures.
/// Errors: those of `solve`; invalid_argument for a scheme that does not fit.
[[nodiscard]] experiment_result run_on_network(arguments const& given,
                                               network_request const& asked);

}  // namespace lockstep
