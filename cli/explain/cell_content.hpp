#pragma once

#include <cstdint>

namespace lockstep::cli {

/// What a cell of the chart shows: of what came in, or of what is there.
enum class cell_content : std::uint8_t {
  senders,  ///< a character for where it came from
  words,    ///< how many words
  values    ///< what the processor holds after the step, as it shows it
};

}  // namespace lockstep::cli
