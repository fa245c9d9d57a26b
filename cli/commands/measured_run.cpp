#include "measured_run.hpp"

#include <unistd.h>

#include <chrono>
#include <exception>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/topologies/parse.hpp>

#include "models.hpp"
#include "report/progress.hpp"
#include "report/report.hpp"
#include "report/trace_file.hpp"
#include "report/view_notes.hpp"
#include "system/failure.hpp"

namespace lockstep::cli {

report measured(run_command const& asked, std::vector<observer*> const& observers) {
  experiment_request const wanted{.network = parse(asked.on),
                                  .options = asked.options,
                                  .parameters = asked.parameters,
                                  .input = asked.input,
                                  .output = asked.output,
                                  .observers = observers,
                                  .libraries = asked.libraries,
                                  .stacks_chosen = asked.stacks_chosen};
  progress const shown(STDERR_FILENO, fmt::format("{} on {}", asked.what->name, asked.on),
                       "making the input");
  auto const start = std::chrono::steady_clock::now();
  auto result = asked.what->run(wanted);
  std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
  return {.algorithm = asked.what->name,
          .topology = wanted.network->spec(),
          .processors = wanted.network->size(),
          .result = std::move(result),
          .seconds = passed.count()};
}

namespace {

priced_run priced(run_record const& record, chosen_model const& model) {
  return {.model = std::string(model.name()),
          .unit = std::string(model.unit()),
          .value = record.time(model),
          .shared = record.time_with_turns_on_links(model),
          .phases = record.phase_times(model),
          .shared_phases = record.phase_times_with_turns_on_links(model)};
}

exit_status traced_and_priced(run_command const& asked, std::vector<observer*> watching,
                              std::function<void(report const&)> const& print,
                              run_on_page const* beside) {
  std::optional<chosen_model> model;
  if (asked.model) model = find_model(*asked.model);
  std::optional<trace_file> trace;
  if (asked.trace) trace.emplace(asked);
  auto const page_command = view_command_text(asked, beside == nullptr ? nullptr : &beside->asked);
  if (trace) {
    watching.push_back(trace->watching());
    trace->describe(notes_on(asked, page_command, nullptr));
    if (beside != nullptr) trace->put_beside(beside->recorded);
  }
  auto status = exit_status::wrong;
  std::string unwritten;
  try {
    auto report = measured(asked, watching);
    if (model) report.time = priced(report.result.record, *model);
    if (trace) {
      trace->describe(notes_on(asked, page_command, &report));
      report.page_bytes = trace->prepare();
    }
    print(report);
    if (all_right(report.result)) status = exit_status::all_right;
    unwritten = report.result.unwritten;
  } catch (std::exception const& problem) {
    // What was refused leaves no trace.
    if (trace && status_of(problem) == exit_status::wrong) trace->finish_after_error();
    throw;
  }
  if (trace) {
    progress const shown(STDERR_FILENO, "writing " + asked.trace->string());
    trace->finish();
  }
  if (!unwritten.empty()) throw std::runtime_error(unwritten);
  return status;
}

}  // namespace

exit_status run_and_print(run_command const& asked, std::vector<observer*> watching,
                          std::ostream& out, std::function<void(report const&)> const& print,
                          run_on_page const* beside) {
  try {
    return traced_and_priced(asked, std::move(watching), print, beside);
  } catch (incomplete_trace const&) {
    throw;  // the results are printed
  } catch (error const& problem) {
    if (asked.json && status_of(problem) == exit_status::wrong)
      cli::print(as_json(problem, asked.what->name, asked.on), out);
    throw;
  }
}

void print(nlohmann::ordered_json const& json, std::ostream& out) {
  out << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace lockstep::cli
