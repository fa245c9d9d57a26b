#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/numeric_libraries.hpp>
#include <lockstep/experiments/parameter.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/options.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// The price of a start-up by the model that prices a run.
struct startup_price {
  std::uint64_t words = 0;       ///< that cost as much: `startup_words_of(model, p)`
  bool every_round_pays = true;  ///< whether rounds of one phase pay it each
};

/// The values of an input that is generated.
enum class input_values : std::uint8_t {
  real,  ///< as programs meet them: keys of 31 bits, words of 64, fractions
  small  ///< of one digit or two, as far as that tells them apart: to read at processors
};

/// "real", "small". Errors: invalid_argument for another value.
[[nodiscard]] std::string_view name_of(input_values values);

/// A run that somebody asks for: an experiment's parameters, on a machine, on an input.
struct experiment_request {
  std::shared_ptr<topology const> network;
  machine_options options{};
  /// All that the experiment takes, and "seed"; but for what an input file tells.
  std::map<std::string, parameter_value> parameters{};
  std::optional<std::filesystem::path>
      input{};  ///< generated from the parameters where none is given
  std::optional<std::filesystem::path> output{};
  std::span<observer* const> observers{};
  numeric_libraries libraries{};  ///< for the local work of experiments that have such work
  /// Whether `options.stacks` was chosen. Otherwise large machines of the library's experiments copy
  /// stacks, which is faster there; the counts are the same.
  bool stacks_chosen = false;
  /// Where it is there, collectives that choose their scheme do so by it, and not by --tau.
  std::optional<startup_price> price{};
  /// Where it is there, it is told before memory is taken how many bytes the run takes.
  std::function<void(std::uint64_t bytes)> told_of_memory{};
  input_values values = input_values::real;  ///< of a generated input
};
using request = experiment_request;  ///< its former name

/// The outcome of a run, beside its claims.
struct experiment_result {
  run_record record;
  bool correct = false;  ///< whether a sequential computation comes to the same
  /// How the result differs from that of the sequential computation, where the experiment says it.
  std::string difference{};
  std::vector<claim> claims{};
  std::vector<lower_bound> bounds{};  ///< of every program that solves the same problem
  std::map<std::string, parameter_value> figures{};     ///< what the program measures besides
  std::map<std::string, parameter_value> parameters{};  ///< as they were used
  std::string unwritten{};  ///< why the output file lacks what the run came to; else empty
  /// Whether there is a sequential computation to compare with; without one `correct` says nothing.
  bool checked = true;
  /// A sentence on the run besides, such as how its input was taken; may be empty.
  std::string note{};

  [[nodiscard]] bool is_wrong() const noexcept { return checked && !correct; }
};
using outcome = experiment_result;  ///< its former name

/// Finds what a claim is about: a metric of the counts, a figure that the program measures besides,
/// or the time.
/// Errors: invalid_argument if the figure does not exist, or it is not a number.
[[nodiscard]] double measured_for(claim const& claimed, experiment_result const& result);

/// Input that cannot be used: one line that says where, why, and what can be used instead.
class bad_input : public error {
 public:
  explicit bad_input(std::string const& message,
                     std::source_location where = std::source_location::current());
};

/// A run small enough for a class to follow: at most 64 processors and 64 steps.
struct teaching_example {
  std::string on{};                                     ///< topology
  std::map<std::string, parameter_value> parameters{};  ///< those that are not at their defaults
};

/// Why processors do what they do in a phase: "keeps the smaller half", without a name.
struct phase_reason {
  std::string
      phase{};  ///< the beginning of its name, or nothing: for phases that no other reason is for
  std::string text{};

  friend bool operator==(phase_reason const&, phase_reason const&) = default;
};

/// Finds the reason for a phase: that of the longest beginning of its name; empty without one.
[[nodiscard]] std::string reason_for(std::span<phase_reason const> reasons, std::string_view phase);

/// The explanation of runs that go another way than the usual one, for example by other schemes or
/// on other networks.
struct variant_explanation {
  /// Kinds of networks that such a run is on, as `topology_kinds` names them; none where all will do.
  std::vector<std::string> networks{};
  /// One of the experiment's, which takes names, or a flag: "scheme", "fused"; may be empty.
  std::string parameter{};
  std::vector<std::string> values{};  ///< of the parameter: "ring", "bucket"; none of a flag
  std::string phase{};        ///< which such a run has, besides; empty where the rest is enough
  std::string explanation{};  ///< how it works, in two or three sentences
  std::vector<phase_reason> reasons{};  ///< in the place of the experiment's
};

/// The machine that an input file says its run was on.
struct machine_of_input {
  std::string network{};  ///< as `topology::spec` gives it
  machine_options options{};
};

/// An algorithm with all that it takes to run it, as `lockstep list`, `lockstep run`, the tests and
/// the documentation know it.
struct experiment {
  std::string name{};     ///< "all-to-all"
  std::string summary{};  ///< one line
  /// Where it runs: "torus (multiples of 4), mesh (even), of 2 to 8 dimensions".
  std::string topologies{};
  std::string source{};  ///< paper
  /// Topologies to try it on, of several sizes of each that it runs on; first that which is shown.
  std::vector<std::string> examples{};
  std::vector<parameter> parameters{};
  bool takes_files = false;  ///< whether it knows input and output files
  bool writes_file = false;  ///< whether it knows an output file, even where it takes no files
  lockstep::ports default_ports = lockstep::ports::one;  ///< where none are asked for
  /// Runs it and checks the result against a sequential computation.
  /// Errors: those of machine::run; invalid_argument, bad_input for a request that it cannot serve.
  std::function<experiment_result(experiment_request const&)> run{};

  /// Reads from an input file the machine that requests have where they name none, if the file says one.
  /// Errors: bad_input.
  std::function<std::optional<machine_of_input>(std::filesystem::path const&)> machine_told_by{};

  // Of each experiment these stand in explanations/NAME.md.
  std::string explanation{};  ///< how it works, in five sentences of one paragraph
  std::string call{};         ///< what a processor calls: "lockstep::prefix(me, plus, value)"
  std::string header{};       ///< which declares that: "lockstep/algorithms/prefix/prefix.hpp"
  teaching_example teaching{};
  std::vector<phase_reason> reasons{};  ///< why processors do what they do, phase by phase
  /// Runs that `explanation` and `reasons` are not about; the first that fits counts.
  std::vector<variant_explanation> variants{};
};
using algorithm = experiment;  ///< its former name

/// Finds a run by the form of a paper or textbook: the teaching example with "textbook", or else that on the first
/// of the other examples that goes by that form; none for an experiment without one. It makes such runs.
[[nodiscard]] std::optional<teaching_example> textbook_example(experiment const& which);

/// Says on which networks runs have to be for a variant: "on a tree or a hypercube"; empty where all
/// will do.
[[nodiscard]] std::string networks_in_words(variant_explanation const& variant);

/// The explanation of a run: texts of the experiment, which has to outlive it.
struct run_explanation {
  std::string_view text{};
  std::span<phase_reason const> reasons{};
};

/// Finds the explanation of a run: that of the first variant that fits, or else the usual one. A parameter such
/// as "scheme" has the value that was taken: the figure of its name, if there is one, where the parameter
/// left the choice to the algorithm.
[[nodiscard]] run_explanation explanation_of(experiment const& which,
                                             experiment_result const& result);

/// The same for a run without a result, by its network and parameters; variants that need a phase do
/// not fit.
[[nodiscard]] run_explanation explanation_of(
    experiment const& which, topology const& network,
    std::map<std::string, parameter_value> const& parameters);

}  // namespace lockstep
