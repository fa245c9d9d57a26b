#pragma once

#include <functional>
#include <optional>
#include <string>

#include <lockstep/machine.hpp>

#include "core/random_programs/random_program.hpp"

namespace reference {

/// Writes all that a run tells: counts, phases, steps, processors, kept messages, results; or its error, with
/// all details.
[[nodiscard]] std::string account_of(experiment const& of, lockstep::machine_options options);

/// The same of a run whose results are written so.
[[nodiscard]] std::string account_of_record(lockstep::run_record const& run);
[[nodiscard]] std::string account_of_error(lockstep::error const& thrown);

/// Finds the first line in which two accounts differ; empty where they are equal.
[[nodiscard]] std::string first_other_line(std::string const& expected,
                                           std::string const& observed);

}  // namespace reference
