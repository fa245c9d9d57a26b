#include <unistd.h>

#include <chrono>
#include <ostream>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "paper_report.hpp"
#include "progress.hpp"

namespace lockstep::cli {

namespace {

paper_report report_on(paper_entry const& paper) {
  progress const shown(STDERR_FILENO, "the tables of " + paper.name);
  auto const start = std::chrono::steady_clock::now();
  auto tables = paper.tables();
  std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
  return {.name = paper.name,
          .source = paper.source,
          .tables = std::move(tables),
          .seconds = passed.count()};
}

}  // namespace

exit_status execute(paper_command const& asked, std::ostream& out) {
  auto const report = report_on(*asked.what);
  if (asked.json) {
    out << as_json(report).dump(2) << '\n';
  } else {
    out << as_text(report);
  }
  return all_right(report.tables) ? exit_status::all_right : exit_status::wrong;
}

}  // namespace lockstep::cli
