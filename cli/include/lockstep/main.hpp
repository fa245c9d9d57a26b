#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>
#include <lockstep/experiments/own_algorithm.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Runs the command line of a program with algorithms of its own: `list`, `run`, `explain`, `view`,
/// `sweep`, `compare` and `calibrate` with all options that lockstep's own have, `--help`, and completion. Algorithms are values of
/// `own_algorithm`, or `experiment`:
///
///   int main(int argc, char** argv) { return lockstep::main(argc, argv, {my_sort, my_sum}); }
///
/// **Result** The exit status: 0 all right; 1 a wrong result, an error of the machine, or a claim that
/// ought to hold and does not; 2 bad usage or input, with one line on the standard error stream. Nothing
/// is thrown.
///
/// From here on a signal that ends the process removes the files that are not complete first, and memory
/// that is given back is kept for the next run.
[[nodiscard]] int main(int count, char const* const* arguments,
                       std::vector<experiment> const& algorithms);

/// Does the same with a single program and nothing else: what it costs is counted, and nothing is
/// checked. The program is called as `program(me)` on every processor.
///
///   int main(int argc, char** argv) { return lockstep::main(argc, argv, "ring", send_round); }
template <class Program>
[[nodiscard]] int main(int count, char const* const* arguments, std::string name, Program program) {
  static_assert(
      std::is_invocable_v<Program const&, processor&>,
      "the program has to be callable as program(processor&); give one with parameters or "
      "input as the program of an own_algorithm");
  using result = std::remove_cvref_t<std::invoke_result_t<Program const&, processor&>>;
  return lockstep::main(
      count, arguments,
      {own_algorithm<result>{.name = std::move(name), .program = std::move(program)}});
}

}  // namespace lockstep
