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
  std::string version{};              ///< lockstep's
  std::string command{};              ///< as it is typed
  std::vector<std::string> varied{};  ///< names of what varies
  bool has_efficiency = false;        ///< whether rows have the figures "speedup" and "efficiency"
  bool has_options = true;  ///< whether what varies are options of a command line: --words
  std::string network{};    ///< that all runs are on, as it is given, if it is
  std::vector<std::string>
      columns{};  ///< names of the columns of tables; none: all that say something
  std::vector<nlohmann::ordered_json> rows{};
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
/// Finds the unit of the row's time; empty where it has none.
[[nodiscard]] std::string unit_in(nlohmann::ordered_json const& row);
/// Lists the units of the runs' times.
[[nodiscard]] std::set<std::string> units_of(sweep_report const& of);
/// Finds the value that was given, as it is typed; empty where none was.
[[nodiscard]] std::string given_in(nlohmann::ordered_json const& row, std::string const& name);

/// Reads that value as a number; 0 for any other text.
[[nodiscard]] double given_number_in(nlohmann::ordered_json const& row, std::string const& name);

/// Whether a value that is given is a number.
[[nodiscard]] bool is_number(std::string const& text);

/// Writes a number: whole ones with all digits, others with ten.
[[nodiscard]] std::string exact_text(double value);

/// Tells which name of a column is wrong: one that there is not, or that is named twice. Empty if all are
/// right.
[[nodiscard]] std::string problem_with_columns(sweep_report const& of);

// Tables have the columns that are chosen, and what varies before them where none of it is.

/// Writes a table for people, below a line that names the runs; then the mistakes, and algorithms without runs.
[[nodiscard]] std::string sweep_as_text(sweep_report const& of);
/// Writes a row for each run that fits, below a row of titles.
[[nodiscard]] std::string sweep_as_csv(sweep_report const& of);
/// Writes a tabular with the rules of booktabs, below the command as a comment, or several where a page has no room
/// for the rows. Without a choice of columns those that are the same in all rows are left out, and the least
/// important ones until the table is as wide as a page of LaTeX's article; comments say which.
[[nodiscard]] std::string sweep_as_latex(sweep_report const& of);

}  // namespace lockstep::cli
