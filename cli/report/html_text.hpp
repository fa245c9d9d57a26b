#pragma once

#include <string>
#include <string_view>

namespace lockstep::cli {

/// Writes a text as HTML, in an element or in an attribute.
[[nodiscard]] std::string in_html(std::string_view text);

}  // namespace lockstep::cli
