#include <algorithm>
#include <exception>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/traces/view_trace.hpp>

#include "commands.hpp"
#include "handout/handout_files.hpp"
#include "measured_run.hpp"
#include "report/report.hpp"
#include "report/view_notes.hpp"
#include "system/failure.hpp"
#include "system/silent_buffer.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

/// A run beside another, recorded for the other's page, which `page_command` makes.
class run_beside {
 public:
  /// `page`: the run whose page it is on.
  run_beside(run_command const& asked, run_command const& page)
      : m_asked(asked),
        m_trace(m_unused, machine(parse(asked.on), asked.options),
                {.program = asked.what->name, .name = "the page of " + title()}) {
    auto const page_command = view_command_text(page, &asked);
    m_trace.describe(notes_on(asked, page_command, nullptr, &page));
    try {
      auto const of = measured(asked, {&m_trace});
      m_trace.describe(notes_on(asked, page_command, &of, &page));
      note_mistakes(of.result);
    } catch (std::exception const& problem) {
      if (status_of(problem) == exit_status::bad_usage) throw;  // a run that failed is shown
      m_problems.push_back(message_of(problem));
    }
    note_what_is_left_out();
  }

  [[nodiscard]] run_on_page on_page() const { return {m_asked, m_trace}; }
  /// Says how the run failed, or what its page lacks: sentences, each a line.
  [[nodiscard]] std::vector<std::string> const& problems() const { return m_problems; }

 private:
  [[nodiscard]] std::string title() const {
    return fmt::format("{} on {}", m_asked.what->name, m_asked.on);
  }

  void note_mistakes(experiment_result const& result) {
    if (result.is_wrong())
      m_problems.push_back(title() + ": the result differs from a sequential computation");
    else if (!all_right(result))
      m_problems.push_back(title() + ": a claim or a bound unexpectedly does not hold");
  }

  void note_what_is_left_out() {
    try {
      m_trace.finish();
    } catch (incomplete_trace const& problem) {
      m_problems.push_back(message_of(problem));
    }
  }

  run_command const& m_asked;
  silent_buffer m_forgetful;
  std::ostream m_unused{&m_forgetful};
  view_trace m_trace;
  std::vector<std::string> m_problems;
};

/// Records the run beside that of `asked`. Errors: those of the run, which name the option.
void record_beside(view_command const& asked, std::optional<run_beside>& recorded) {
  try {
    recorded.emplace(*asked.beside, asked.run);
  } catch (std::exception const& problem) {
    throw usage_error(fmt::format("--beside: {}", message_of(problem)));
  }
}

void print_report(view_command const& asked, report const& of, std::ostream& out) {
  if (asked.run.json)
    print(as_json(of), out);
  else
    out << as_text(of, asked.run.table);
  if (asked.run.json || !asked.run.trace) return;
  out << "page       " << asked.run.trace->string()
      << (of.page_bytes ? ", " + size_text(*of.page_bytes) : "") << '\n';
}

/// Runs the request, and writes its handouts; those of a run that fails have the steps before, and what
/// it failed of.
exit_status viewed_with_handouts(view_command const& asked, std::ostream& out) {
  handout_files handouts(asked);
  std::optional<report> kept;
  auto const print = [&](report const& of) {
    print_report(asked, of, out);
    kept = of;
  };
  auto status = exit_status::wrong;
  try {
    status = run_and_print(asked.run, {handouts.watching()}, out, print);
  } catch (error const& problem) {
    if (!kept && status_of(problem) == exit_status::wrong)
      handouts.write_after_error(message_of(problem));
    throw;
  }
  handouts.write(*kept);
  return status;
}

/// Runs the request, with `beside` on its page; a page that is written has `notes` say what is
/// wrong with the run beside it.
exit_status viewed_with(run_beside const& beside, view_command const& asked, std::ostream& out,
                        std::ostream& notes) {
  auto const print_notes = [&] {
    for (auto const& one : beside.problems())
      notes << asked.run.tool << ": --beside: " << one << '\n';
  };
  auto const shown = beside.on_page();
  auto const print = [&](report const& of) { print_report(asked, of, out); };
  auto status = exit_status::wrong;
  try {
    status = run_and_print(asked.run, {}, out, print, &shown);
  } catch (std::exception const& problem) {
    if (status_of(problem) == exit_status::wrong) print_notes();
    throw;
  }
  print_notes();
  return beside.problems().empty() ? status : std::max(status, exit_status::wrong);
}

}  // namespace

exit_status execute(view_command const& asked, std::ostream& out, std::ostream& notes) {
  if (asked.handouts.are_any()) return viewed_with_handouts(asked, out);
  auto const print = [&](report const& of) { print_report(asked, of, out); };
  if (!asked.beside) return run_and_print(asked.run, {}, out, print);
  std::optional<run_beside> beside;
  record_beside(asked, beside);
  return viewed_with(*beside, asked, out, notes);
}

}  // namespace lockstep::cli
