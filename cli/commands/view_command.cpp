#include <exception>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/traces/view_trace.hpp>

#include "commands.hpp"
#include "measured_run.hpp"
#include "report/report.hpp"
#include "report/view_notes.hpp"
#include "system/failure.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

/// A run beside another, recorded for the other's page, which `page_command` makes.
class run_beside {
 public:
  run_beside(run_command const& asked, std::string const& page_command)
      : m_asked(asked),
        m_trace(m_unused, machine(parse(asked.on), asked.options), {.program = asked.what->name}) {
    m_trace.describe(notes_on(asked, page_command, nullptr));
    try {
      auto const of = measured(asked, {&m_trace});
      m_trace.describe(notes_on(asked, page_command, &of));
    } catch (error const& problem) {
      if (problem.step() == 0) throw;  // refused; a run that failed is shown
    }
  }

  [[nodiscard]] run_on_page on_page() const { return {m_asked, m_trace}; }

 private:
  run_command const& m_asked;
  std::ostringstream m_unused;
  view_trace m_trace;
};

/// Records the run beside that of `asked`. Errors: those of the run, which name the option.
void record_beside(view_command const& asked, std::optional<run_beside>& recorded) {
  try {
    recorded.emplace(*asked.beside, view_command_text(asked.run, &*asked.beside));
  } catch (std::exception const& problem) {
    if (status_of(problem) != exit_status::bad_usage) throw;
    throw usage_error(fmt::format("--beside: {}", message_of(problem)));
  }
}

}  // namespace

exit_status execute(view_command const& asked, std::ostream& out) {
  std::optional<run_beside> recorded;
  if (asked.beside) record_beside(asked, recorded);
  auto const print_report = [&](report const& of) {
    if (asked.run.json)
      print(as_json(of), out);
    else
      out << as_text(of, asked.run.table) << "page       " << asked.run.trace->string() << '\n';
  };
  if (!recorded) return run_and_print(asked.run, {}, out, print_report);
  auto const beside = recorded->on_page();
  return run_and_print(asked.run, {}, out, print_report, &beside);
}

}  // namespace lockstep::cli
