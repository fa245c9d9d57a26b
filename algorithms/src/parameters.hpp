#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <lockstep/algorithms/registry.hpp>

namespace lockstep {

/// The whole number that the request gives for a parameter, or `fallback` if it gives none.
/// Errors: invalid_argument for a value of another type, below `least` or above `most`.
[[nodiscard]] std::int64_t whole_number(
    request const& asked, std::string const& name, std::int64_t fallback, std::int64_t least,
    std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// The text that the request gives for a parameter, or `fallback` if it gives none.
/// Errors: invalid_argument for a value of another type.
[[nodiscard]] std::string text_parameter(request const& asked, std::string const& name,
                                         std::string const& fallback);

/// Whether the request gives a flag.
/// Errors: invalid_argument for a value of another type.
[[nodiscard]] bool flag(request const& asked, std::string const& name);

}  // namespace lockstep
