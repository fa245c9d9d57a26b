#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/run.hpp>

namespace lockstep::detail {

/// The number of lines of a list that are shown.
inline constexpr std::size_t most_listed = 8;

/// Writes "step 4 (phase \"ring 2\")".
[[nodiscard]] std::string step_text(run_record const& run, std::uint64_t step);

/// Writes the processors on the way of a message, "0 -> 1 -> 2"; "0 -> 2" if the network is not
/// known.
[[nodiscard]] std::string way_of(run_record const& run, message_record const& message);

/// Writes a line for each message, the first few of them.
[[nodiscard]] std::string lines_of(run_record const& run,
                                   std::vector<message_record> const& messages);

/// The messages that came in during a step, empty ones only if asked for. If they were not kept,
/// `lines_of` says how to get them.
struct step_messages {
  std::vector<message_record> list{};
  bool are_kept = true;
};
[[nodiscard]] step_messages messages_of(run_record const& run, std::uint64_t step,
                                        bool with_empty = false);
[[nodiscard]] std::string lines_of(run_record const& run, std::uint64_t step,
                                   step_messages const& messages);

/// Writes "3, 5, 6 and 12 more".
[[nodiscard]] std::string some_of(std::vector<std::string> const& all);

}  // namespace lockstep::detail
