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

}  // namespace lockstep
