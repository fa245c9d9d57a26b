#include "measured_run.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/timeline.hpp>
#include <lockstep/topologies/parse.hpp>

#include "models.hpp"
#include "report/progress.hpp"
#include "report/report.hpp"
#include "report/trace_file.hpp"
#include "report/view_notes.hpp"
#include "system/failure.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

/// Finds what a start-up costs by a model, and whether rounds of one phase pay each.
startup_price price_by(chosen_model const& model, int processors) {
  counts one;
  one.steps = one.rounds = one.startups = 1;
  auto two = one;
  two.steps = two.rounds = 2;
  two.barriers = 1;
  return {.words = startup_words_of(model, processors),
          .every_round_pays = model.time(two, processors) > model.time(one, processors)};
}

/// Runs the request, and shows nothing.
report counted_run(run_command const& asked, std::vector<observer*> const& observers) {
  std::shared_ptr<topology const> const network = parse(asked.on);
  auto options = asked.options;
  std::optional<startup_price> price;
  if (asked.model) {
    auto const model = find_model(*asked.model);
    // A clock needs to know what each processor does.
    options.clocked = std::holds_alternative<chosen_clock>(model);
    if (!options.clocked && !asked.tau_chosen)
      price = price_by(std::get<chosen_model>(model), network->size());
  }
  experiment_request const wanted{.network = network,
                                  .options = options,
                                  .parameters = asked.parameters,
                                  .input = asked.input,
                                  .output = asked.output,
                                  .observers = observers,
                                  .libraries = asked.libraries,
                                  .stacks_chosen = asked.stacks_chosen,
                                  .price = price,
                                  .values = asked.values};
  auto const start = std::chrono::steady_clock::now();
  auto result = asked.what->run(wanted);
  std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
  if (!asked.told_by_input.empty())
    result.note = asked.told_by_input + (result.note.empty() ? "" : "; " + result.note);
  return {.algorithm = asked.what->name,
          .topology = wanted.network->spec(),
          .processors = wanted.network->size(),
          .result = std::move(result),
          .has_small_values = asked.values == input_values::small && !asked.input,
          .seconds = passed.count()};
}

priced_run priced(run_record const& record, chosen_model const& model) {
  return {.model = std::string(model.name()),
          .unit = std::string(model.unit()),
          .value = record.time(model),
          .shared = record.time_with_turns_on_links(model),
          .phases = record.phase_times(model),
          .shared_phases = record.phase_times_with_turns_on_links(model),
          .prices_work = time_of_work(model, 1) > 0};
}

/// Refuses options of a clock without one.
void refuse_clock_options(run_command const& asked) {
  auto const* const option = asked.shares_links ? "--sharing" : "--in-port";
  if (asked.shares_links || asked.free_in_ports)
    throw usage_error(fmt::format("{} goes with a clock, as in --model loggp-clock", option));
}

/// Most processors and stretches of a run whose clocks a page draws.
constexpr int most_clocks = 256;
constexpr std::size_t most_stretches = 20'000;

/// Keeps what processors do when, for a page, or says why the page does not draw it.
void keep_stretches(report& of, chosen_clock const& clock) {
  if (of.processors > most_clocks) {
    of.clocks_left_out = fmt::format("more than {} processors", most_clocks);
    return;
  }
  of.stretches = time_stretches(of.result.record, clock);
  if (of.stretches.size() <= most_stretches) {
    of.step_times = step_times(of.result.record, clock);
    return;
  }
  of.clocks_left_out =
      fmt::format("{} stretches of time, more than {}", of.stretches.size(), most_stretches);
  of.stretches.clear();
}

void price(report& of, priced_by const& model, bool has_page) {
  if (auto const* const clock = std::get_if<chosen_clock>(&model)) {
    of.times = of.result.record.timeline(*clock);
    if (has_page) keep_stretches(of, *clock);
  } else {
    of.time = priced(of.result.record, std::get<chosen_model>(model));
  }
}

/// Prices the run, or notes why a clock cannot, since not all was kept of it. Result: that refusal, to be
/// thrown once the counts are printed; nullptr without.
std::exception_ptr try_to_price(report& of, priced_by const& model, bool has_page) {
  try {
    price(of, model, has_page);
    return nullptr;
  } catch (invalid_argument const& refused) {
    of.time_left_out = refused.message();
    return std::current_exception();
  }
}

/// Says on standard error why the page of a run by a clock does not draw it.
void say_what_is_left_out(run_command const& asked, report const& of) {
  if (of.clocks_left_out.empty()) return;
  std::fprintf(stderr, "%s: %s does not draw what each processor does when: %s\n",
               asked.tool.c_str(), asked.trace->string().c_str(), of.clocks_left_out.c_str());
}

exit_status traced_and_priced(run_command const& asked, std::vector<observer*> watching,
                              std::function<void(report const&)> const& print,
                              run_on_page const* beside) {
  auto const model = model_of(asked);
  std::optional<trace_file> trace;
  if (asked.trace) trace.emplace(asked);
  auto const* const other = beside == nullptr ? nullptr : &beside->asked;
  auto const page_command = view_command_text(asked, other);
  if (trace) {
    watching.push_back(trace->watching());
    trace->describe(notes_on(asked, page_command, nullptr, other));
    if (beside != nullptr) trace->put_beside(beside->recorded);
  }
  auto status = exit_status::wrong;
  std::string unwritten;
  std::exception_ptr untimed;
  try {
    auto report = measured(asked, watching);
    if (model) untimed = try_to_price(report, *model, trace.has_value());
    say_what_is_left_out(asked, report);
    if (trace) {
      trace->describe(notes_on(asked, page_command, &report, other));
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
  if (untimed) std::rethrow_exception(untimed);
  if (!unwritten.empty()) throw std::runtime_error(unwritten);
  return status;
}

}  // namespace

report measured(run_command const& asked, std::vector<observer*> const& observers) {
  progress const shown(STDERR_FILENO, fmt::format("{} on {}", asked.what->name, asked.on),
                       "making the input");
  return counted_run(asked, observers);
}

std::optional<priced_by> model_of(run_command const& asked) {
  if (!asked.model) refuse_clock_options(asked);
  if (!asked.model) return std::nullopt;
  auto model = find_model(*asked.model);
  auto* const clock = std::get_if<chosen_clock>(&model);
  if (clock == nullptr) {
    refuse_clock_options(asked);
    return model;
  }
  clock->share_links(asked.shares_links);
  clock->take_in_ports(!asked.free_in_ports);
  return model;
}

report quietly_measured(run_command const& asked, std::optional<priced_by> const& model) {
  auto report = counted_run(asked, {});
  if (model) price(report, *model, false);
  return report;
}

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
