#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/algorithms/routing/h_relation_inputs.hpp>
#include <lockstep/claim_list.hpp>

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

/// Bytes that an algorithm for h-relations takes of each element, from where it begins to what it is
/// compared with, and of each bin of a processor.
struct h_relation_memory {
  std::uint64_t element;
  std::uint64_t bin;
};

/// The h-relation that is asked for.
struct h_relation_run {
  /// Errors: invalid_argument for another network than a crossbar, or an h-relation that cannot be
  /// made; out_of_memory, with the figures.
  h_relation_run(arguments const& asked, h_relation_memory const& taken);

  [[nodiscard]] std::vector<labelled> elements_of(int rank) const;

  /// Collects the elements that come to each processor, by source, within it in the source's order.
  [[nodiscard]] std::vector<std::vector<labelled>> arrivals() const;

  /// Runs `program(me, elements)`, which says whether its processor's elements are right, in lock
  /// step on one port, which is what the algorithms claim. The result has bounds (none for many
  /// processors) and the parameters as they were used.
  /// Errors: those of run_and_check.
  template <class Program>
  [[nodiscard]] experiment_result check(Program const& program) const {
    return completed(run_and_check(
        given, needs, [&](processor& me) -> bool { return program(me, elements_of(me.rank())); }));
  }

  /// Begins claims with the letters p, n, h1 and h2.
  [[nodiscard]] claim_list claims() const;

  /// Claims what a table says, where "{}" after a formula in h1 and h2 stands for what they are, if
  /// the input keeps below the limits it was made for.
  void claim_in(claim_list& claims, std::string_view table) const;
  [[nodiscard]] std::string own_limits() const;

  machine_needs needs{.strict = strictness::always, .one_port = true};
  arguments given;
  h_pattern pattern;
  h_relation_input input;
  std::uint64_t packet;  ///< words

 private:
  [[nodiscard]] experiment_result completed(experiment_result result) const;
};

/// Completes an experiment that routes an h-relation: where it runs, and what tells which
/// h-relation to make.
[[nodiscard]] experiment h_relation_experiment_of(experiment of, std::vector<parameter> const& own);

}  // namespace lockstep
