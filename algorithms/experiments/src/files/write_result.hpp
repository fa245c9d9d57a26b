#pragma once

#include <lockstep/experiments/output_file.hpp>
#include <lockstep/experiments/registry.hpp>

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

}  // namespace lockstep
