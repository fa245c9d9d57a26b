#pragma once

#include <string>
#include <string_view>

namespace lockstep::docs {

/// Typesets a claim's formula: "2 ceil(n/p) + log2 p, for p > 1" gives "\f$2 \lceil n/p \rceil + \log_2
/// p\f$, for p > 1", as Doxygen reads it. What follows ", for" or ", if" stays text, and so does a
/// formula in words, such as "sum over rounds of the largest block".
/// Result: nothing for a formula in words.
[[nodiscard]] std::string typeset(std::string_view formula);

}  // namespace lockstep::docs
