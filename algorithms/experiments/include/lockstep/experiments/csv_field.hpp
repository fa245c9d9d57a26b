#pragma once

#include <string>
#include <string_view>

namespace lockstep {

/// Writes a text as a field of CSV: in quotes if a comma, a quote or the end of a line in it would
/// be taken for the field's or the row's.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace lockstep
