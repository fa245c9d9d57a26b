#pragma once

#include <exception>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <lockstep/errors.hpp>

#include "exit_status.hpp"

namespace lockstep::cli {

/// The status with which an error ends the command line: bad_usage for what the user can mend on
/// the command line or in the input, that is, anything about them that is found before a processor
/// runs, and whatever takes more memory than there is, which in part is found in the run.
[[nodiscard]] exit_status status_of(std::exception const& problem);

/// The text for the standard error stream; one line for bad usage.
[[nodiscard]] std::string message_of(std::exception const& problem);

/// The class of an error of the machine: "deadlock".
[[nodiscard]] std::string_view kind_of(error const& problem);

/// An error of the machine for programs: {"algorithm", "topology", "error": {"kind", "message",
/// "rank", "step", "phase"}}.
[[nodiscard]] nlohmann::ordered_json as_json(error const& problem, std::string_view algorithm,
                                             std::string_view topology);

}  // namespace lockstep::cli
