#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/algorithms/routing/h_relation_inputs.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"

namespace lockstep {

/// An element: where it goes, and what tells it from all others.
struct labelled {
  int home = 0;
  int source = 0;
  std::uint32_t number = 0;  ///< among those of its source

  friend bool operator==(labelled const&, labelled const&) = default;
  friend auto operator<=>(labelled const&, labelled const&) = default;
};

/// Says on which machine: in lock step, on one port, which is what the algorithms claim.
[[nodiscard]] inline machine_needs machine_of_h_relation() {
  return {.strict = strictness::always, .one_port = true};
}

/// The h-relation that is asked for.
struct h_relation_run {
  /// Errors: invalid_argument for another network than a crossbar, or an h-relation that cannot be
  /// made; out_of_memory, with the figures.
  explicit h_relation_run(arguments const& asked);

  [[nodiscard]] std::vector<labelled> elements_of(int rank) const;

  /// Runs `program(me)` on that machine.
  template <class Program>
  [[nodiscard]] auto run(Program const& program) const {
    return run_program(given, machine_of_h_relation(), program);
  }

  /// Makes a result of such a run, with its bounds (none for many processors) and the parameters as
  /// they were used.
  [[nodiscard]] experiment_result result(run_record record, bool correct) const;

  arguments given;
  h_pattern pattern;
  h_relation_input input;
};

/// Completes an experiment that routes an h-relation: where it runs, and what tells which
/// h-relation to make.
[[nodiscard]] experiment h_relation_experiment_of(experiment of, std::vector<parameter> const& own);

}  // namespace lockstep
