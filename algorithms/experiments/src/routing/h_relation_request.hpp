#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/routing/h_relation_inputs.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/machine.hpp>

namespace lockstep {

/// An element: where it goes, and what tells it from all others.
struct labelled {
  int home = 0;
  int source = 0;
  std::uint32_t number = 0;  ///< among those of its source

  friend bool operator==(labelled const&, labelled const&) = default;
  friend auto operator<=>(labelled const&, labelled const&) = default;
};

/// The parameters that tell which h-relation to make.
[[nodiscard]] std::vector<parameter> h_relation_parameters();

/// The h-relation that is asked for.
struct asked_h_relation {
  h_pattern pattern;
  h_relation_input input;
};

/// Errors: invalid_argument for another network than a crossbar, or an h-relation that there is not;
/// out_of_memory, with the figures.
[[nodiscard]] asked_h_relation h_relation_from(experiment_request const& asked);

/// What bounds a run that routes it; nothing for many processors.
[[nodiscard]] std::vector<lower_bound> bounds_of(run_record const& run,
                                                 h_relation_input const& input);

/// The machine that is asked for, in lock step: this is what the algorithms claim.
/// Errors: invalid_argument for all ports at once, with which rounds are none.
[[nodiscard]] machine strict_machine(experiment_request const& asked);

/// Runs it. What the program refuses to do is refused here: it depends on what was asked for.
/// Errors: invalid_argument; those of machine::run.
template <class Program>
[[nodiscard]] auto run_or_refuse(machine const& on, Program const& program,
                                 std::span<observer* const> observers) {
  try {
    return on.run(program, observers);
  } catch (processor_failed const& failed) {
    try {
      std::rethrow_if_nested(failed);
    } catch (invalid_argument const& refused) {
      throw invalid_argument(refused.message());
    } catch (...) {  // NOLINT(bugprone-empty-catch): the failure says more
    }
    throw;
  }
}

/// The request's parameters with those of the h-relation as they were used.
[[nodiscard]] std::map<std::string, parameter_value> parameters_used(
    experiment_request const& asked, asked_h_relation const& made);

/// The elements of a processor.
[[nodiscard]] std::vector<labelled> labelled_elements(h_relation_input const& input, int rank);

}  // namespace lockstep
