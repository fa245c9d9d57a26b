#pragma once

#include <span>
#include <string>
#include <vector>

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
[[nodiscard]] word_completions completions(std::vector<std::string> const& words,
                                           std::span<experiment const> known);

/// For the shells' scripts: a candidate a line, its help after a tab; "<files>" or "<folders>" where
/// a path may stand.
[[nodiscard]] std::string as_lines(word_completions const& of);

}  // namespace lockstep::cli
