#pragma once

#include <cstdint>

namespace lockstep::cli {

/// What a cell of the chart shows of what came in.
enum class cell_content : std::uint8_t {
  senders,  ///< a character for where it came from
  words     ///< how many words
};

}  // namespace lockstep::cli
