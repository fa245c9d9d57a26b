#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <ostream>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "report/missing_report.hpp"
#include "report/paper_report.hpp"
#include "report/progress.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

/// Errors: usage_error where nothing is left to compare.
void check_rows(std::vector<paper_table> const& tables) {
  if (std::ranges::all_of(tables, [](paper_table const& table) { return table.rows.empty(); }))
    throw usage_error("--processors: every network of the tables has more; give a larger number");
}

paper_report report_on(paper_command const& asked) {
  auto const& paper = *asked.what;
  progress shown(STDERR_FILENO, "the tables of " + paper.name);
  if (!asked.most_processors) shown.expect_runs(expected_runs(paper.name));
  auto const start = std::chrono::steady_clock::now();
  int const most = asked.most_processors.value_or(std::numeric_limits<int>::max());
  auto tables = paper.tables(most);
  check_rows(tables);
  auto figures = paper.printed == nullptr ? std::vector<printed_figure>{} : paper.printed(most);
  std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
  return {.name = paper.name,
          .source = paper.source,
          .tables = std::move(tables),
          .figures = std::move(figures),
          .seconds = passed.count()};
}

}  // namespace

exit_status execute(paper_command const& asked, std::ostream& out) {
  if (asked.missing) {
    if (asked.json)
      out << missing_as_json(*asked.what).dump(2) << '\n';
    else
      out << missing_as_text(*asked.what);
    return exit_status::all_right;
  }
  auto const report = report_on(asked);
  if (asked.json) {
    out << as_json(report).dump(2) << '\n';
  } else {
    out << as_text(report);
  }
  return all_right(report) ? exit_status::all_right : exit_status::wrong;
}

}  // namespace lockstep::cli
