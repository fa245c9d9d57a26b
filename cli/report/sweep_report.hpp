#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

/// The runs of a sweep: each what `run --json` prints, without its wall time, after
///
/// - "given": the values of what varies, as they are typed;
/// - "status": "right", "wrong" (a result, or a claim that ought to hold and does not), "failed" (an
///   error of the machine, with "error" in place of counts), or "left out", with "reason".
///
/// Its "time" has the price of the claims ("claimed") and of the bounds ("bound"), if
/// there are any.
struct sweep_report {
  std::string version;              ///< lockstep's
  std::string command;              ///< as it is typed
  std::vector<std::string> varied;  ///< names of what varies
  bool has_efficiency = false;      ///< whether rows have the figures "speedup" and "efficiency"
  bool has_options = true;          ///< whether what varies are options of a command line: --words
  std::vector<nlohmann::ordered_json> rows;
};

/// A claim or a bound on a figure of a row.
struct row_limit {
  std::string relation;  ///< "=", "<=", ">="
  double value = 0;
};

/// Whether the row has counts.
[[nodiscard]] bool has_counts(nlohmann::ordered_json const& row);
/// Finds a count, another figure that is a number, "time", "processors", "makespan", or "span" where the
/// run counts work.
[[nodiscard]] std::optional<double> figure_in(nlohmann::ordered_json const& row,
                                              std::string const& name);
/// Finds the claim on the figure: an equation, if one is meant for the run.
[[nodiscard]] std::optional<row_limit> claim_in(nlohmann::ordered_json const& row,
                                                std::string const& figure);
/// Finds the strongest lower bound of the figure.
[[nodiscard]] std::optional<row_limit> bound_in(nlohmann::ordered_json const& row,
                                                std::string const& figure);
/// Lists the units of the runs' times.
[[nodiscard]] std::set<std::string> units_of(sweep_report const& of);
/// Finds the value that was given, as it is typed; empty where none was.
[[nodiscard]] std::string given_in(nlohmann::ordered_json const& row, std::string const& name);

/// Reads that value as a number; 0 for any other text.
[[nodiscard]] double given_number_in(nlohmann::ordered_json const& row, std::string const& name);

/// Writes a number: whole ones with all digits, others with ten.
[[nodiscard]] std::string exact_text(double value);

/// Writes a table for people, below a line that names the runs; then the mistakes.
[[nodiscard]] std::string sweep_as_text(sweep_report const& of);
/// Writes a row for each run that fits, below a row of titles.
[[nodiscard]] std::string sweep_as_csv(sweep_report const& of);
/// Writes a tabular with the rules of booktabs, below the command as a comment.
[[nodiscard]] std::string sweep_as_latex(sweep_report const& of);

}  // namespace lockstep::cli
