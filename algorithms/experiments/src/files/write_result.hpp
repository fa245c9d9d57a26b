#pragma once

#include <cstdint>
#include <optional>

#include <lockstep/experiments/output_file.hpp>
#include <lockstep/experiments/registry.hpp>

#include "harness/arguments.hpp"
#include "harness/stages.hpp"

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

/// The output file of a request, where one is asked for: opened before anything runs.
class asked_output {
 public:
  /// Errors: bad_input for a file that cannot be written.
  explicit asked_output(arguments const& given) {
    if (given.request().output) m_file.emplace(*given.request().output);
  }

  /// Has `write(stream)` write a result unless it is wrong: `pieces`, for example rows, which it notes.
  template <class Write>
  void take(experiment_result& result, std::uint64_t pieces, Write const& write) {
    if (!m_file || result.is_wrong()) return;
    begin_stage("writing " + m_file->path().string(), pieces);
    write_result(result, [&] {
      write(m_file->stream());
      m_file->complete();
    });
  }

 private:
  std::optional<output_file> m_file;
};

}  // namespace lockstep
