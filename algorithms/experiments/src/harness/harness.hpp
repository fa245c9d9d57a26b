#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/machine.hpp>

#include "harness/arguments.hpp"
#include "harness/process_parts.hpp"
#include "harness/stages.hpp"

namespace lockstep {

/// Whether a program keeps step, without buffers and without two messages on a link.
enum class strictness : std::uint8_t {
  as_asked,
  always,  ///< this is what its algorithm claims
  never    ///< its messages share links: a strict machine is refused
};

/// Bytes that most programs have on a processor's stack while it waits.
inline constexpr std::size_t usual_waiting = 1024;

/// The processors from which on copied stacks are faster: the first touch of a page for each takes
/// longer than copying what lies on the stacks.
inline constexpr int processors_that_copy_stacks = 1 << 17;

/// The needs of a program on the machine that runs it.
struct machine_needs {
  strictness strict = strictness::as_asked;
  std::uint64_t packet = 0;  ///< words; 0: as it is asked for
  bool one_port = false;     ///< whether its rounds are steps of a machine with one port
  bool cut_through =
      false;               ///< whether messages cross the whole route in a step, on a hypercube too
  double bytes_each = 0;   ///< that a processor holds, with what is made, copied and compared of it
  std::uint64_t made = 0;  ///< bytes that the input takes already, beside `bytes_each`
  std::uint64_t of_process = 0;  ///< bytes of a process of several, whichever processors it runs
  std::size_t waiting = usual_waiting;  ///< bytes on a processor's stack while it waits
  /// Bytes in which a copied stack was kept until it outgrew them: nothing else takes them.
  std::size_t outgrown = 0;
  std::string held{};        ///< what these are: "blocks of 3 words"
  std::string remedy{};      ///< what makes them fewer: "smaller blocks"
  bool own_stacks = false;   ///< whether its stacks may be copied only where that is asked for
  std::uint64_t pieces = 0;  ///< of local work that the program notes (harness/stages.hpp), or 0
};

/// Requires the options of a machine on which the program can run. Errors: invalid_argument.
void require_options(arguments const& given, machine_needs const& needs);

/// Finds the options of the machine that runs the request's program, with copied stacks where they are
/// faster and none were chosen. All programs of this library can run so: none hands others a pointer
/// to what lies on its stack, but to calls of the machine.
[[nodiscard]] machine_options options_for(arguments const& given, machine_needs const& needs = {});

/// Makes the machine that the request asks for, as the program needs it.
/// Errors: invalid_argument for a machine on which the program cannot run; out_of_memory, with the
/// figures.
[[nodiscard]] machine machine_for(arguments const& given, machine_needs const& needs);

/// Requires memory for the machine, with that many bytes on each processor.
/// Errors: out_of_memory, with the figures.
void require_memory(arguments const& given, machine_needs const& needs);

/// Requires a network on which all processors send to all in rounds without contention: a crossbar,
/// hypercube, torus or mesh. Errors: invalid_argument, with one that has as many processors.
void require_rounds_of_all(arguments const& given);

/// Requires the only network on which all processors can talk to all.
/// Errors: invalid_argument, with one that has as many processors.
void require_crossbar(arguments const& given);

/// A parameter of many algorithms: how many of the same run at once.
[[nodiscard]] constexpr integer_parameter instances(std::string_view help) {
  constexpr std::int64_t most = 50'000;  // of 12 steps each: far from machine_options::max_steps
  return {"k", help, 8, 1, most};
}

/// A parameter of many algorithms: the rank that has, or gets, everything.
[[nodiscard]] constexpr integer_parameter root_of(std::string_view help) { return {"root", help}; }

/// A parameter of algorithms that have a form in lockstep::textbook.
inline constexpr flag_parameter textbook_form{
    "textbook", "the short form, which reads as the paper's pseudocode; the counts are the same"};

/// Reads that rank. Errors: invalid_argument for one that the machine has not.
[[nodiscard]] int root_from(arguments const& given);

/// Reads how many run at once, and requires memory for as many as one takes.
/// Errors: invalid_argument; out_of_memory, with the figures.
[[nodiscard]] std::size_t instances_from(arguments const& given, machine_needs of_one);

/// Calls `run(machine)` for a run of the machine that the request asks for, whose result it gives. An
/// argument that the program refuses is refused here, since it depends on the request.
/// Errors: those of machine_for; invalid_argument; those of machine::run.
template <class Run>
[[nodiscard]] auto run_on_machine(arguments const& given, machine_needs const& needs,
                                  Run const& run) {
  auto const on = machine_for(given, needs);
  begin_stage("running on " + given.request().network->spec(), needs.pieces);
  try {
    auto result = run(on);
    begin_check();
    return result;
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

/// Runs `program(me)` on every processor. Of several processes each has the results of its own.
/// Errors: those of run_on_machine.
template <class Program>
[[nodiscard]] auto run_shares(arguments const& given, machine_needs const& needs,
                              Program const& program) {
  auto run = run_on_machine(
      given, needs, [&](machine const& on) { return on.run(program, given.request().observers); });
  auto const* const processes = given.request().options.cluster;
  if (processes == nullptr || !processes->shares_results()) return run;
  auto const own = own_ranks(given);
  auto all = std::move(run.results());
  all.erase(all.begin() + own.end, all.end());
  all.erase(all.begin(), all.begin() + own.first);
  return decltype(run)(std::move(run), std::move(all), own.first);
}

/// Runs `program(me)` on every processor. Each process has the results of all.
/// Errors: those of run_on_machine.
template <class Program>
[[nodiscard]] auto run_program(arguments const& given, machine_needs const& needs,
                               Program const& program) {
  auto run = run_on_machine(
      given, needs, [&](machine const& on) { return on.run(program, given.request().observers); });
  auto const* const processes = given.request().options.cluster;
  if (processes == nullptr || processes->shares_results()) return run;
  auto all = of_all_ranks(given, std::move(run.results()));
  return decltype(run)(std::move(run), std::move(all));
}

/// Makes a result of a run, with the parameters that were asked for.
[[nodiscard]] experiment_result result_of(arguments const& given, run_record record, bool correct);

/// Runs `program(me)`, which says whether its processor has the right result.
/// Errors: those of run_program.
template <class Program>
  requires std::same_as<std::invoke_result_t<Program const&, processor&>, bool>
[[nodiscard]] experiment_result run_and_check(arguments const& given, machine_needs const& needs,
                                              Program const& program) {
  auto run = run_program(given, needs, [&](processor& me) -> int { return program(me) ? 1 : 0; });
  bool const correct = std::ranges::find(run.results(), 0) == run.results().end();
  return result_of(given, std::move(run), correct);
}

/// Tells whether small values are asked for, in place of real ones.
[[nodiscard]] inline bool takes_small_values(arguments const& given) {
  return given.request().values == input_values::small;
}

/// The least and the largest of generated numbers.
struct number_range {
  std::int64_t least = -1000;
  std::int64_t largest = 1000;
};

/// Generates numbers of a range from the seed.
/// `small`: the range where small values are asked for; sums of them have few digits, too.
[[nodiscard]] std::vector<std::int64_t> generated_numbers(arguments const& given, std::size_t count,
                                                          number_range small = {-9, 9});

/// A word that any function of its seed, its place and its number distinguishes from others.
/// **Source** The mixing of SplitMix64.
[[nodiscard]] std::uint64_t generated_word(std::uint64_t seed, int source, int destination,
                                           std::uint64_t index);

/// Generates a word of a block of its source, from the seed; where small values are asked for, a digit
/// from 1 to 9.
[[nodiscard]] std::uint64_t generated_summand(arguments const& given, int source,
                                              std::uint64_t index);

}  // namespace lockstep
