#pragma once

#include <string>
#include <string_view>

namespace lockstep::cli {

/// Writes a text as HTML, in an element or in an attribute.
[[nodiscard]] std::string in_html(std::string_view text);

/// Begins a page: all before what stands in its body.
[[nodiscard]] std::string head_of_page(std::string_view title, std::string_view style);

}  // namespace lockstep::cli
