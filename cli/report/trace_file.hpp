#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

#include <lockstep/experiments/output_file.hpp>
#include <lockstep/trace.hpp>

#include "commands/command_line.hpp"

namespace lockstep::cli {

/// The trace of a run in a file, of the format that the name's ending says: .json, .csv, .goal,
/// .dot or .html. Until it is finished, an existing file of that name is untouched.
class trace_file {
 public:
  /// Opens the file that `asked.trace` names; `asked` lives as long.
  /// Errors: usage_error for another ending, a file that cannot be written or is the run's input or
  /// output, a machine with too many processors for pictures; invalid_topology.
  explicit trace_file(run_command const& asked);

  [[nodiscard]] observer* watching() noexcept { return m_trace.get(); }
  /// Adds to a page the facts about the run once it is over.
  void describe(view_notes notes);
  /// Shows another run on the page; it lives until this is finished.
  void put_beside(view_trace const& other);

  /// Makes a page, and says of a large one on the standard error stream how large it is, before it is
  /// written. Result: its bytes; none for another trace.
  std::optional<std::size_t> prepare();

  /// Errors: incomplete_trace where the trace is incomplete; the file then has what there is room for in
  /// the format, and what cannot be written leaves none.
  void finish();
  /// The same after a run that ended in an error, which is what is thrown on: that the trace is
  /// incomplete is a line on the standard error stream.
  void finish_after_error() noexcept;

 private:
  void finish_file();

  run_command const& m_asked;
  std::optional<std::size_t> m_page_bytes;  ///< once they are said
  std::optional<output_file> m_file;
  std::unique_ptr<trace> m_trace;
};

}  // namespace lockstep::cli
