#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/cluster.hpp>
#include <lockstep/detail/debug_containers.hpp>
#include <lockstep/detail/gathered.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/arguments.hpp>
#include <lockstep/experiments/detail/function_of_first.hpp>
#include <lockstep/experiments/detail/written_value.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/experiments/parameter.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/options.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// The input of an algorithm that makes none.
struct no_input {};
/// The results of an algorithm that returns nothing.
struct no_results {};

namespace detail {

/// Gives each process the results of all processors, where several run the machine.
/// Errors: invalid_argument for results that processes cannot send each other.
template <class Result>
[[nodiscard]] std::vector<Result> with_those_of_others(machine const& on, std::vector<Result> own) {
  auto* const processes = on.options().cluster;
  if (processes == nullptr || processes->shares_results()) return own;
  if constexpr (gatherable<Result>)
    return results_of_all(*processes, own);
  else
    throw invalid_argument(
        "processes cannot send each other the program's results, which have to be compared: return "
        "plain data or containers of such, or give their class `auto members() { return "
        "std::tie(...); }`");
}

/// A program on the input of one request, without its types.
struct prepared_program {
  std::function<run_record(machine const&, std::span<observer* const>)> run{};
  /// Says how the results differ from what they should be, or "" where they do not; none where there
  /// is nothing to compare them with.
  std::function<std::string()> difference{};
  std::function<void(std::ostream&)> write{};
  std::function<std::vector<claim>()> claims{};
  std::function<traffic_requirement()> traffic{};
  std::uint64_t bytes_each = 0;  ///< that a processor holds, as far as that is known
};

/// Runs it, checks the result, evaluates its claims and bounds, and writes the output file.
/// Errors: those of machine::run; invalid_argument, out_of_memory for a machine that the request
/// cannot have; bad_input for a file that cannot be written.
[[nodiscard]] experiment_result run_prepared(arguments const& given, prepared_program const& of);

/// Evaluates "steps = 2(p - 1)" and so on, where p and the parameters have the request's values.
/// Errors: invalid_argument for a line or a formula that cannot be read.
[[nodiscard]] std::vector<claim> claims_from(std::string const& formulas, arguments const& given);

/// Requires a request that the algorithm can serve: its network, for which `unsupported` gives no reason
/// against, parameters in their ranges, and an input file that is there.
/// Errors: invalid_argument; bad_input for the file.
void require_servable(std::function<std::string(topology const&)> const& unsupported,
                      std::vector<parameter> const& parameters, arguments const& given);

/// Completes what no other field says: networks to try, their kinds, an example for a class.
[[nodiscard]] experiment completed(experiment of);

template <class Result>
using results_of =
    std::conditional_t<std::is_void_v<Result>, no_results,
                       std::vector<std::conditional_t<std::is_void_v<Result>, int, Result>>>;

/// Says which processor has another result than it should have: "processor 3: 12, expected 15".
template <class Result>
[[nodiscard]] std::string difference_between(std::vector<Result> const& results,
                                             std::vector<Result> const& expected) {
  if (results.size() != expected.size())
    return std::to_string(expected.size()) + " results are expected, one from each of " +
           std::to_string(results.size()) + " processors";
  auto const first = std::ranges::mismatch(results, expected);
  if (first.in1 == results.end()) return {};
  auto text = "processor " + std::to_string(first.in1 - results.begin());
  if constexpr (writable<Result>)
    return text + ": " + value_text<Result>(*first.in1) + ", expected " +
           value_text<Result>(*first.in2);
  else
    return text;
}

}  // namespace detail

/// An algorithm of one's own, for a command line such as lockstep's (`lockstep::main`), with as much of
/// it as there is: only the name and the program are needed.
///
/// `Result` is the type that the program returns on each processor, `Input` that of the input. Each
/// function takes its arguments in the order in which they are listed here, and may leave out the last
/// ones: `program(me)`, `program(me, given)` or `program(me, given, input)`. `given` is what the command
/// line gives: `given[words]` for a parameter, `given.seed()`, `given.network()`.
///
///   constexpr lockstep::integer_parameter words{"m", "words of each processor", 1, 1, 1'000'000};
///
///   lockstep::own_algorithm<long> const sum{
///       .name = "sum",
///       .program = sum_of_all,
///       .examples = {"hypercube:3"},
///       .parameters = {words},
///       .expected = [](lockstep::arguments const& given) { return std::vector<long>(...); },
///       .formulas = "steps = log2 p"};
template <class Result = void, class Input = no_input>
struct own_algorithm {
  static_assert(!std::is_reference_v<Result>,
                "a result is a value: the processor's memory is gone when the run ends");

  using results = detail::results_of<Result>;
  template <class Signature>
  using function = detail::function_of_first<Signature>;

  std::string name{};  ///< "ring-all-reduce": without blanks
  /// The function that every processor calls.
  function<Result(processor&, arguments const&, Input const&)> program{};
  std::string summary{};     ///< one line
  std::string source{};      ///< "Patarasuk and Yuan 2009"
  std::string topologies{};  ///< "torus of one dimension"; else the kinds of the examples
  std::vector<std::string> examples{};  ///< networks to try; the first is shown in help
  /// Says why it does not run on a network, and where it does; "" for a network on which it runs.
  std::function<std::string(topology const&)> unsupported{};
  lockstep::ports default_ports = lockstep::ports::one;  ///< where none are asked for
  std::vector<parameter> parameters{};
  bool reads_file = false;  ///< whether it takes --input: `given.request().input`
  /// Makes the input, or reads it from a file, once for all processors.
  /// Errors: throw bad_input or invalid_argument for one that cannot be used.
  function<Input(arguments const&)> input{};
  /// Computes sequentially what each processor has to return: one result a processor.
  function<results(arguments const&, Input const&)> expected{};
  /// Tells whether the results are right, where `==` with `expected` cannot.
  function<bool(results const&, arguments const&, Input const&)> is_correct{};
  /// Claims, one a line: "steps = 2(p - 1)", "words <= p m", "from SOURCE" before the
  /// claims of that source (`claim_list::table`). Letters are p and the parameters, by name.
  std::string formulas{};
  /// More claims, for what no line can say; those whose value is a function get the network, p and the
  /// parameters.
  function<std::vector<claim>(arguments const&, Input const&)> claims{};
  /// The traffic that every program for this problem needs, from which lower bounds follow.
  function<traffic_requirement(arguments const&, Input const&)> traffic{};
  /// Writes the file of --output. If there is no such function, results that are numbers, texts or
  /// ranges of them are written, a line for each processor.
  function<void(std::ostream&, results const&, arguments const&, Input const&)> write{};
  /// Computes the bytes that a processor holds, so that a run that needs more memory than there is is
  /// refused before it starts.
  function<std::uint64_t(arguments const&, Input const&)> bytes_each{};
  std::string explanation{};            ///< how it works, in a few sentences
  std::string call{};                   ///< "ring_all_reduce(me, values)"
  std::string header{};                 ///< which declares that
  std::vector<phase_reason> reasons{};  ///< why processors do what they do, shown with each step

  /// Makes the value that `lockstep::main`, tests and pages take.
  operator experiment() const {  // NOLINT(google-explicit-constructor)
    auto const shared = std::make_shared<own_algorithm const>(*this);
    return detail::completed(
        {.name = name,
         .summary = summary,
         .topologies = topologies,
         .source = source,
         .examples = examples,
         .parameters = parameters,
         .takes_files = reads_file,
         .writes_file = writes(),
         .default_ports = default_ports,
         .run = [shared](experiment_request const& asked) { return shared->run(asked); },
         .explanation = explanation,
         .call = call,
         .header = header,
         .reasons = reasons});
  }

 private:
  static constexpr bool returns_values = !std::is_void_v<Result>;

  static constexpr bool has_lines() {
    if constexpr (returns_values)
      return detail::writable<Result>;
    else
      return false;
  }
  [[nodiscard]] bool writes() const { return write || has_lines(); }

  [[nodiscard]] experiment_result run(experiment_request const& asked) const {
    arguments const given(asked);
    detail::require_servable(unsupported, parameters, given);
    require_comparable();
    Input const made = input ? input(given) : Input();
    results returned{};
    detail::prepared_program prepared;
    if (bytes_each) prepared.bytes_each = bytes_each(given, made);
    prepared.run = [&](machine const& on, std::span<observer* const> observers) -> run_record {
      auto run =
          on.run([&](processor& me) -> Result { return program(me, given, made); }, observers);
      if constexpr (returns_values)
        returned = detail::with_those_of_others(on, std::move(run).results());
      return run;
    };
    prepared.claims = [&] {
      auto all = detail::claims_from(formulas, given);
      if (claims) std::ranges::move(claims(given, made), std::back_inserter(all));
      return all;
    };
    if (expected || is_correct)
      prepared.difference = [&] { return difference(returned, given, made); };
    if (writes()) prepared.write = [&](std::ostream& out) { write_to(out, returned, given, made); };
    if (traffic) prepared.traffic = [&] { return traffic(given, made); };
    return detail::run_prepared(given, prepared);
  }

  /// Errors: invalid_argument for results without `==` beside those that are expected.
  void require_comparable() const {
    if constexpr (!(returns_values && std::equality_comparable<Result>))
      if (expected)
        throw invalid_argument(
            "results without == cannot be compared with those that are expected; give is_correct");
  }

  [[nodiscard]] std::string difference(results const& returned, arguments const& given,
                                       Input const& made) const {
    if constexpr (returns_values && std::equality_comparable<Result>)
      if (expected)
        if (auto found = detail::difference_between(returned, expected(given, made));
            !found.empty())
          return found;
    return is_correct && !is_correct(returned, given, made) ? "is_correct says no" : "";
  }

  void write_to(std::ostream& out, results const& returned, arguments const& given,
                Input const& made) const {
    if (write) return write(out, returned, given, made);
    if constexpr (has_lines())
      for (Result const& one : returned) {
        detail::write_value(out, one);
        out << '\n';
      }
  }
};

}  // namespace lockstep
