#pragma once

#include <span>
#include <string>
#include <string_view>

#include "run_recording.hpp"

namespace lockstep::detail {

/// The viewer, compiled into the library from viewer/dist.
[[nodiscard]] std::string_view viewer_script();
[[nodiscard]] std::string_view viewer_style();

/// Compresses a text, as RFC 1951 says.
[[nodiscard]] std::string deflated(std::string_view text);

/// Writes bytes in the 64 characters of RFC 4648, section 4.
[[nodiscard]] std::string in_base64(std::string_view bytes);

/// Replaces what HTML takes for its own by character references.
[[nodiscard]] std::string html_escaped(std::string_view text);

/// Writes the page of one or two runs, which are JSON objects; `figures` are the first one's, for
/// browsers without scripts.
[[nodiscard]] std::string view_page(std::string_view title, std::span<named_figure const> figures,
                                    std::span<std::string const> runs);

}  // namespace lockstep::detail
