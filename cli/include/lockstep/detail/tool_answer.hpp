#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/run.hpp>

namespace lockstep::detail {

/// An answer of the command line to a command, for programs.
struct tool_answer {
  std::string json;      ///< of a command with --json, and of `figure`, an object
  std::string text{};    ///< of `run`: the tables that it prints without --json
  std::string notes{};   ///< lines for the standard error stream; most commands have none
  bool is_right = true;  ///< whether the exit status is 0
  std::shared_ptr<run_record const> record{};  ///< of `run`: its counts, step by step
};

/// A command that cannot be carried out as it is given: the one line that the command line says of it.
class refused_command : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Does what a line of lockstep's own command line asks for, `list`, `run`, `sweep`, `paper` or `figure`,
/// for programs that take its JSON. A figure is drawn as JSON, and no files are written:
///
///   auto const answer = lockstep::detail::answer_to({"run", "all-to-all", "--on", "torus:4x4", "--json"});
///
/// Local work is done without FFTW and a BLAS, and signals keep what they do.
/// **Parameters** The words behind the tool's name.
/// **Errors** refused_command for other commands, bad usage and bad input; those of the machine.
[[nodiscard]] tool_answer answer_to(std::vector<std::string> const& words);

}  // namespace lockstep::detail
