#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// A row of the paper's claims: an algorithm, and how it runs.
struct claimed_operation {
  std::string title;      ///< "k prefixes on a tree, one port"
  std::string algorithm;  ///< of the registry
  std::string network;    ///< "tree"
  std::map<std::string, parameter_value> parameters{};
  ports with = ports::one;
  int erratum_number = 0;  ///< of the one that applies where its bound does not hold
  std::string bound{};     ///< the paper's formula, where it has several; else none
  std::string place{};     ///< what the source of the claim ends with, where it has several
  /// Whether a run beyond the bound is what the erratum says; null where each is.
  bool (*is_explained)(experiment_result const& run) = nullptr;
};

/// A row of its runs on a network with each number of instances (none: one run, without). Compares
/// steps with the paper's bound and with the program's own formula.
/// Errors: those of machine::run.
[[nodiscard]] paper_row claimed_row(claimed_operation const& of, std::string const& network,
                                    std::span<std::int64_t const> instances);

/// The table of its rows on networks of these dimensions.
/// Errors: those of machine::run.
[[nodiscard]] paper_table mayr_plaxton_table(claimed_operation const& of,
                                             std::span<int const> dimensions,
                                             std::span<std::int64_t const> instances);

/// Makes the cell for a bound, or a value, beside the program's own. It is a fault if what was measured is
/// not the program's own value, or exceeds the bound and the erratum does not explain it.
/// `late`: the first message after the bound, if there is one, and the busiest in-port; none where
/// the erratum does not explain it.
[[nodiscard]] paper_cell bounded_cell(claim const& bound, claim const& exact,
                                      std::uint64_t measured, std::optional<breach> late,
                                      int erratum_number);

/// Sets a cell of steps beside the bounds on steps and on words: the paper's messages have one word, so that
/// a program in its model takes a step for each word of its busiest port.
void set_steps_beside_bounds(paper_cell& cell, experiment_result const& run);

}  // namespace lockstep
