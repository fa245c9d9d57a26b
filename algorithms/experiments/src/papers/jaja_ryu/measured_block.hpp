#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>

#include "papers/claimed_cells.hpp"
#include "papers/claims_row.hpp"

namespace lockstep {

/// A machine of the model: p processors, latency tau, packets of m words.
struct machine_of_paper {
  int p = 2;
  std::int64_t tau = 1;
  std::int64_t m = 1;

  [[nodiscard]] std::string text() const;
  /// The same, and the size of an input: "p = 9, tau = 1, m = 1, n = 36".
  [[nodiscard]] std::string text(std::string const& letter, std::int64_t size) const;
  /// k = tau/m + 1, rounded down.
  [[nodiscard]] std::int64_t k() const { return tau / m + 1; }
  /// Letters p, tau, m and k = tau/m + 1, and others.
  [[nodiscard]] claimed_cells cells(std::map<std::string, double, std::less<>> others = {}) const;
};

/// A few latencies and packets for each of some numbers of processors from 2 to 512, as far as they
/// are no more than that.
[[nodiscard]] std::vector<machine_of_paper> machines_of_paper(int most_processors);

/// A run of an algorithm of the registry on such a machine.
struct measured_block {
  experiment_result result;
  std::uint64_t tau = 1;

  [[nodiscard]] counts const& counted() const { return result.record.counts(); }
  /// startups tau + words
  [[nodiscard]] std::uint64_t time() const { return counted().startups * tau + counted().words; }
};

/// Runs it with "tau" and "packet" of the machine and these parameters.
/// Errors: those of its `run`.
[[nodiscard]] measured_block measured_on(machine_of_paper const& on, std::string const& name,
                                         std::map<std::string, parameter_value> given);

/// Makes the row of a run: what JaJa and Ryu, or lockstep, claim of it. Errors: those of the general
/// row_of_claims.
[[nodiscard]] paper_row row_of_claims(std::string input, std::string name,
                                      measured_block const& run,
                                      std::vector<claimed_figure> const& columns,
                                      int erratum_number = 0);

}  // namespace lockstep
