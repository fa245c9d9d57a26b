#pragma once

#include <cstdint>
#include <istream>
#include <string>

#include "sorting/key_file.hpp"

namespace lockstep {

/// Reads the keys of a text, one in each line. `file`: its name, for messages.
/// Errors: bad_input.
[[nodiscard]] key_vector keys_in_lines(std::istream& in, std::string const& file,
                                       std::optional<key_type> type, std::uint64_t (*available)(),
                                       keys_taken taken);

/// Itself, on its way twice, sorted and expected.
inline constexpr std::uint64_t bytes_to_sort_a_key = 112;

/// Errors: bad_input for that many bytes of keys where there is no memory for them.
void require_room_for_keys(std::uint64_t bytes, std::string const& file,
                           std::uint64_t (*available)());

}  // namespace lockstep
