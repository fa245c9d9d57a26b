#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tool.hpp"

#include <lockstep/experiments/registry.hpp>

namespace lockstep::cli {

/// A word that may stand at some place of the command line.
struct candidate {
  std::string text;  ///< ends with a : or = where more has to follow
  std::string help;

  friend bool operator==(candidate const&, candidate const&) = default;
};

/// Paths that may stand there; the shell lists them.
enum class path_kind { none, files, folders };

/// The words and paths that may stand at a place of the command line.
struct word_completions {
  std::vector<candidate> candidates;
  path_kind paths = path_kind::none;
};

/// Completes the last of the words after `lockstep`, which may still be empty. Gives nothing where the
/// words before it make no sense.
[[nodiscard]] word_completions completions(std::vector<std::string> const& words, tool const& of);

/// For the shells' scripts: a candidate a line, its help after a tab; "<files>" or "<folders>" where
/// a path may stand.
[[nodiscard]] std::string as_lines(word_completions const& of);

/// Makes the script by which a shell, "bash" or "zsh", completes the words of a tool, however its name is
/// typed: `source <(./ring completion bash)`.
/// Errors: usage_error for another shell.
[[nodiscard]] std::string completion_script(std::string_view shell, std::string_view tool);

}  // namespace lockstep::cli
