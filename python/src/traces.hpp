#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <lockstep/machine.hpp>
#include <lockstep/traces/trace.hpp>

namespace lockstep::python {

/// A file to which the trace of a run is written, in the format that its ending names.
class trace_file {
 public:
  /// Errors: invalid_argument for an ending that names no format, and for a network that the format has
  /// no room for; incomplete_trace for a file that cannot be opened.
  trace_file(std::filesystem::path const& path, machine const& traced);

  [[nodiscard]] observer& watching() { return *m_trace; }
  /// Writes the rest, once the run is over. Errors: incomplete_trace.
  void finish();

  /// Checks the ending of a file's name. Errors: those of the constructor.
  static void require_format(std::filesystem::path const& path, machine const& traced);

 private:
  std::string m_name;
  std::ofstream m_out;
  std::unique_ptr<trace> m_trace;
};

}  // namespace lockstep::python
