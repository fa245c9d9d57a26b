#pragma once

#include <string>
#include <string_view>

namespace lockstep::docs {

/// Whether an output is what a page shows of it: line by line, where a line `...` of the page stands
/// for any lines, and a time of this computer for any other. `excerpt`: with any lines before and
/// after, too.
[[nodiscard]] bool shows(std::string_view shown, std::string_view output, bool excerpt);

/// Whether a page's JSON is part of an output: its keys are there with these values, each element of
/// its lists is an element there. "seconds" may be any number.
/// Errors: nlohmann::json::parse_error, where the page's or the output's is not JSON.
[[nodiscard]] bool shows_json(std::string_view shown, std::string_view output);

/// Whether the lines stand in a file one after another, whatever their indentation and empty lines.
[[nodiscard]] bool stands_in(std::string_view lines, std::string_view file);

}  // namespace lockstep::docs
