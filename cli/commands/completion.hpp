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

/// What may stand there that has no list of words.
enum class path_kind { none, files, folders };

/// All that may stand at the place of a word.
struct word_completions {
  std::vector<candidate> candidates;
  path_kind paths = path_kind::none;
};

/// What the last of the words after `lockstep` may become; it may still be empty. Nothing where the
/// words before it make no sense.
[[nodiscard]] word_completions completions(std::vector<std::string> const& words,
                                           std::span<experiment const> known);

/// For the shells' scripts: a candidate a line, its help after a tab; "<files>" or "<folders>" where
/// a path may stand.
[[nodiscard]] std::string as_lines(word_completions const& of);

}  // namespace lockstep::cli
