#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/observer.hpp>
#include <lockstep/traces/view_trace.hpp>

#include "command_line.hpp"
#include "models.hpp"
#include "report/report.hpp"
#include "system/exit_status.hpp"

namespace lockstep::cli {

/// A run that the page of another shows, too.
struct run_on_page {
  run_command const& asked;
  view_trace const& recorded;
};

/// Runs the request, with its trace and its price, tells `watching` what happens, and has `print`
/// print the report. Where the trace is a page, it shows `beside`, too.
/// Result: `wrong` where the result is, or where a claim unexpectedly does not hold.
/// Errors: usage_error, bad_input, those of the machine (with --json they are printed to `out`, too,
/// before they are thrown); incomplete_trace where the trace cannot be written, std::runtime_error where
/// the output cannot, both after `print`.
[[nodiscard]] exit_status run_and_print(run_command const& asked, std::vector<observer*> watching,
                                        std::ostream& out,
                                        std::function<void(report const&)> const& print,
                                        run_on_page const* beside = nullptr);

/// Runs the request, and prints nothing. Errors: those of the machine.
[[nodiscard]] report measured(run_command const& asked, std::vector<observer*> const& observers);

/// Makes the model that prices the run, with what a clock is told besides, if one is asked for.
/// Errors: usage_error.
[[nodiscard]] std::optional<priced_by> model_of(run_command const& asked);

/// Runs the request and prices it; no progress is shown, so that several run at a time.
/// Errors: those of the machine.
[[nodiscard]] report quietly_measured(run_command const& asked,
                                      std::optional<priced_by> const& model);

/// Prints an object for programs; bytes of a parameter that are not UTF-8 are replaced.
void print(nlohmann::ordered_json const& json, std::ostream& out);

}  // namespace lockstep::cli
