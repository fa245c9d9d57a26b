#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sweep_report.hpp"
#include "text_table.hpp"

namespace lockstep::cli {

/// A column of a sweep's table.
struct sweep_column {
  std::string title;  ///< for people: "steps claimed"
  column_kind kind = column_kind::number;
  std::function<std::string(nlohmann::ordered_json const&)> cell;
  bool is_given = false;  ///< the value of an option, or of a parameter
  bool varies = false;    ///< one of what varies: a given value, the algorithm, or the network

  /// The name for programs: "steps_claimed".
  [[nodiscard]] std::string name() const;
};

/// Lists the rows that fit.
[[nodiscard]] std::vector<nlohmann::ordered_json const*> rows_that_fit(sweep_report const& of);

/// Lists the columns of a table for people: those that are chosen, or all without empty ones and without the
/// algorithm or the network of all rows.
[[nodiscard]] std::vector<sweep_column> shown_columns(
    sweep_report const& of, std::vector<nlohmann::ordered_json const*> const& rows);

/// Lists the columns of CSV: those that are chosen, or all.
[[nodiscard]] std::vector<sweep_column> csv_columns(sweep_report const& of);

/// Says what was run: "sweep of all-reduce on torus:4x4: 12 runs, 2 combinations left out".
[[nodiscard]] std::string headline_of(sweep_report const& of,
                                      std::vector<nlohmann::ordered_json const*> const& rows);

}  // namespace lockstep::cli
