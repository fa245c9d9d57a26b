#pragma once

#include <cstdint>

namespace lockstep::cli {

/// The content of a cell of the chart: of the messages that came in, or of the values there.
enum class cell_content : std::uint8_t {
  senders,  ///< a character for where it came from
  words,    ///< how many words
  values    ///< what the processor holds after the step, as it shows it
};

}  // namespace lockstep::cli
