#pragma once

#include <string>
#include <vector>

namespace lockstep::cli {

/// Writes a word as a shell reads it, in quotes where it needs them.
[[nodiscard]] std::string in_shell(std::string const& word);

/// Splits a line at its blanks. Quotes are not read.
[[nodiscard]] std::vector<std::string> words_of(std::string const& line);

}  // namespace lockstep::cli
