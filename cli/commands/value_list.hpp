#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lockstep::cli {

/// Largest number of combinations of values that a sweep has.
inline constexpr std::size_t most_combinations = 100'000;

/// Lists the values that an option of a sweep stands for, each once: "ring,bucket", the ranges "1..16"
/// (by 1), "0..10+2" and "1..4096*4", and texts with lists or ranges in braces, "torus:{4,8}x{4,8}".
/// A part "name=value" without a colon goes on with the part before it, as in
/// "bdm:tau_words=64,packet=8"; so does any part without a colon of the option --on, as in
/// "graph:0-1,1-2". Another comma that belongs to a value has a backslash before it.
/// Errors: usage_error, which names the option and says what to write; for more than
/// `most_combinations` values, too.
[[nodiscard]] std::vector<std::string> values_from(std::string const& option,
                                                   std::string const& text);

}  // namespace lockstep::cli
