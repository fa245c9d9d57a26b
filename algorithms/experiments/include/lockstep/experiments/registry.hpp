#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/options.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// A parameter or a figure: a whole number, a number, a text, or whether something is so.
using parameter_value = std::variant<std::int64_t, double, std::string, bool>;
using named_value = parameter_value;  ///< its former name

/// A parameter that an algorithm takes on the command line as `--name VALUE`, or, if it is a flag,
/// whose fallback is false, as `--name`.
struct parameter {
  std::string name;
  std::string help;
  parameter_value fallback;    ///< its value where none is given; tells its type, too
  bool of_made_input = false;  ///< says what input to make: refused beside an input file
};

/// What one is asked to run: an algorithm's parameters, on a machine, on made or given input.
struct experiment_request {
  std::shared_ptr<topology const> network;
  machine_options options{};
  std::map<std::string, parameter_value>
      parameters{};                              ///< all that the algorithm takes, and "seed"
  std::optional<std::filesystem::path> input{};  ///< made from the parameters where none is given
  std::optional<std::filesystem::path> output{};
  std::span<observer* const> observers{};
};
using request = experiment_request;  ///< its former name

/// What came of it.
struct experiment_result {
  run_record record;
  bool correct = false;  ///< as a sequential computation has it
  std::vector<claim> claims{};
  std::vector<lower_bound> bounds{};  ///< what no program that does this can do with less of
  std::map<std::string, parameter_value> figures{};     ///< what the algorithm measures besides
  std::map<std::string, parameter_value> parameters{};  ///< as they were used
  std::string unwritten{};  ///< why the output file lacks what the run came to; else empty
};
using outcome = experiment_result;  ///< its former name

/// What a claim is about, as it came out: a figure of the counts, one that the algorithm measures
/// besides, or the time.
/// Errors: invalid_argument where there is no such figure, or it is no number.
[[nodiscard]] double measured_for(claim const& claimed, experiment_result const& result);

/// Input that cannot be used: one line that says where and why, and what would do.
class bad_input : public error {
 public:
  explicit bad_input(std::string const& message,
                     std::source_location where = std::source_location::current());
};

/// An algorithm, as `lockstep list`, `lockstep run`, the claims test and the documentation know it.
struct experiment {
  std::string name;     ///< "all-to-all"
  std::string summary;  ///< one line
  std::string
      topologies;  ///< where it runs: "torus (multiples of 4), mesh (even), of 2 to 8 dimensions"
  std::string source;  ///< paper
  /// Topologies to try it on, of several sizes of each that it runs on; first that which is shown.
  std::vector<std::string> examples;
  std::vector<parameter> parameters;
  bool takes_files = false;  ///< whether it knows input and output files
  lockstep::ports default_ports = lockstep::ports::one;  ///< where none are asked for
  /// Runs it and checks the result against a sequential computation.
  /// Errors: those of machine::run; invalid_argument, bad_input for a request that it cannot serve.
  experiment_result (*run)(experiment_request const&);
};
using algorithm = experiment;  ///< its former name

/// All experiments, in the order in which they are listed.
[[nodiscard]] std::span<experiment const> experiments();

/// The experiment of that name, or nullptr.
[[nodiscard]] experiment const* find_experiment(std::string_view name);

/// Former names of these two.
[[nodiscard]] inline std::span<experiment const> algorithms() { return experiments(); }
[[nodiscard]] inline experiment const* find_algorithm(std::string_view name) {
  return find_experiment(name);
}

}  // namespace lockstep
