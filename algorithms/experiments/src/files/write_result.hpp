#pragma once

#include <optional>
#include <utility>

#include <lockstep/experiments/output_file.hpp>
#include <lockstep/experiments/registry.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

/// Has `write()` write what the run came to: a file that does not take it costs no results.
template <class Write>
void write_result(experiment_result& result, Write const& write) {
  try {
    write();
  } catch (incomplete_output const& problem) {
    result.unwritten = problem.what();
  }
}

/// Has `run()` make a value with a `result`, and, if that is correct, `write(stream, value)` write
/// the output file that is asked for. The file is opened before anything runs.
/// Errors: bad_input for a file that cannot be written; those of `run`.
template <class Run, class Write>
[[nodiscard]] experiment_result run_and_write(arguments const& given, Run const& run,
                                              Write const& write) {
  std::optional<output_file> out;
  if (given.request().output) out.emplace(*given.request().output);
  auto done = run();
  if (out && done.result.correct)
    write_result(done.result, [&] {
      write(out->stream(), done);
      out->complete();
    });
  return std::move(done.result);
}

}  // namespace lockstep
