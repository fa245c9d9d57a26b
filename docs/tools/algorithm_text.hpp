#pragma once

#include <string>
#include <string_view>

#include <lockstep/experiments/experiment.hpp>

namespace lockstep::docs {

/// Writes Markdown that looks like the text, in a table, too. Doxygen makes one dash of "--".
[[nodiscard]] std::string plain(std::string_view text);

/// Begins a text as a sentence begins; a letter that is a name, such as k, stays as it is.
[[nodiscard]] std::string sentence(std::string text);

/// Writes a number without a fraction where it has none, else with four digits.
[[nodiscard]] std::string as_text(double value);
[[nodiscard]] std::string as_text(parameter_value const& value);

/// Writes the arguments that run an algorithm's teaching example: "all-to-all --on torus:8x8 --textbook".
[[nodiscard]] std::string teaching_command(experiment const& which);

/// Writes the same without the form in which it is shown: "all-to-all --on torus:8x8".
[[nodiscard]] std::string usual_command(experiment const& which);

/// Writes the explanation of an algorithm, and after it a paragraph for each of its other ways to go.
[[nodiscard]] std::string how_it_works(experiment const& which);

/// Writes a table of an algorithm's own options; empty if it has none.
[[nodiscard]] std::string options_table(experiment const& which);

}  // namespace lockstep::docs
