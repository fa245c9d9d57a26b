#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "papers/jaja_ryu/measured_block.hpp"

namespace lockstep {

/// A run of a sweep: on which machine, and how large.
struct run_of_sweep {
  machine_of_paper on;
  std::int64_t given = 1;                         ///< the size that the algorithm is told
  double n = 1;                                   ///< of the formula, or its other letter
  double size = 1;                                ///< what the runs of the sweep differ in
  std::map<std::string, parameter_value> also{};  ///< what else this run is told
};

/// A hypothesis of a statement: a text that says when it is met, "n >= p^2", or what is supposed of a run.
using hypothesis_of_sweep = std::variant<std::string, hypothesis (*)(run_of_sweep const& run)>;

/// Runs of several sizes, and the order in which their operations are to grow.
struct sweep_of_paper {
  std::string statement{};  ///< of the paper: "Theorem 3.2"
  std::string input{};
  std::string algorithm{};
  std::string size_parameter = "n";
  std::string letter = "n";  ///< of the formula, for `run_of_sweep::n`
  std::string formula{};
  std::vector<run_of_sweep> runs{};
  std::map<std::string, parameter_value> given{};  ///< what else all runs are told
  std::map<std::string, double, std::less<>>
      letters{};  ///< of the formula, besides p, tau, m and n
  std::vector<hypothesis_of_sweep> where{};
};

/// Judges the order by all runs; the cell has the numbers of the largest. Operations are
/// `counts::work`. Beyond a hypothesis nothing is judged.
/// Errors: those of machine::run.
[[nodiscard]] paper_row judged_growth(sweep_of_paper const& of);

/// Names runs over processors: "p = 2 .. 64, tau = 16, m = 8, n = p".
[[nodiscard]] std::string text_of_processors(std::vector<run_of_sweep> const& runs,
                                             std::string const& n);

}  // namespace lockstep
