#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

/// Splits a text into its sentences, which end with a full stop before a space or a new line.
[[nodiscard]] std::vector<std::string> sentences_of(std::string_view text);

}  // namespace lockstep::detail
