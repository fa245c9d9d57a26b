#pragma once

#include <cstdint>

#include <lockstep/detail/payload_type.hpp>
#include <lockstep/options.hpp>

namespace lockstep::detail {

/// Counts the words of that many elements, before packets (rule 6).
[[nodiscard]] inline std::uint64_t words_of_elements(payload_type const& type, std::uint64_t count,
                                                     enum words by) {
  if (by == words::elements) [[likely]]
    return count * type.words;
  return (count * type.size + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
}

}  // namespace lockstep::detail
