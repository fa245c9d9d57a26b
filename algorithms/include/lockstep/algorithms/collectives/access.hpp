#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {

/// How a processor gets at another's memory. The counts are the same: a one-sided access counts as
/// the message that it causes (counting rule 10).
enum class access : std::uint8_t {
  messages,  ///< both take part: `send` and `receive`
  reads,     ///< the receiver reads, as Split-C's bulk_read
  writes     ///< the sender writes, as Split-C's bulk_write
};

/// "messages", "reads", "writes". Errors: invalid_argument for none of these.
[[nodiscard]] std::string_view name_of(access how);

}  // namespace lockstep
