#include <optional>
#include <ostream>
#include <sstream>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/traces/view_trace.hpp>

#include "commands.hpp"
#include "measured_run.hpp"
#include "report/report.hpp"
#include "report/view_notes.hpp"

namespace lockstep::cli {

namespace {

/// A run beside another, recorded for the other's page.
class run_beside {
 public:
  explicit run_beside(run_command const& asked)
      : m_trace(m_unused, machine(parse(asked.on), asked.options), {.program = asked.what->name}) {
    m_trace.describe(notes_on(asked, nullptr));
    try {
      auto const of = measured(asked, {&m_trace});
      m_trace.describe(notes_on(asked, &of));
    } catch (error const& problem) {
      if (problem.step() == 0) throw;  // refused; a run that failed is shown
    }
  }

  [[nodiscard]] view_trace const& recorded() const { return m_trace; }

 private:
  std::ostringstream m_unused;
  view_trace m_trace;
};

}  // namespace

exit_status execute(view_command const& asked, std::ostream& out) {
  std::optional<run_beside> beside;
  if (asked.beside) beside.emplace(*asked.beside);
  return run_and_print(
      asked.run, {}, out,
      [&](report const& of) {
        if (asked.run.json)
          print(as_json(of), out);
        else
          out << as_text(of, asked.run.table) << "page       " << asked.run.trace->string() << '\n';
      },
      beside ? &beside->recorded() : nullptr);
}

}  // namespace lockstep::cli
