#pragma once

#include <string>

namespace lockstep::cli {

/// The result of a run of gnuplot.
struct gnuplot_result {
  bool is_installed = true;  ///< whether there is a gnuplot on the path
  bool succeeded = false;
  std::string picture;    ///< what it printed
  std::string complaint;  ///< what it said on the error stream, or how it ended
};

/// Runs gnuplot with this script; what the script plots comes back. No shell and no name of a file
/// is involved.
/// Errors: std::runtime_error if there is no room for the script.
[[nodiscard]] gnuplot_result run_gnuplot(std::string const& script);

}  // namespace lockstep::cli
