#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/detail/side_by_side.hpp>
#include <lockstep/experiments/output_file.hpp>
#include <lockstep/formula.hpp>
#include <lockstep/topologies/parse.hpp>

#include "commands.hpp"
#include "measured_run.hpp"
#include "report/curves.hpp"
#include "report/finished_rows.hpp"
#include "report/isoefficiency.hpp"
#include "report/misfits.hpp"
#include "report/plot.hpp"
#include "report/progress.hpp"
#include "report/report.hpp"
#include "report/sweep_page.hpp"
#include "report/sweep_report.hpp"
#include "report/sweep_row.hpp"
#include "report/text_table.hpp"
#include "system/failure.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

/// Writes the network as it is typed in the place of the name that it has otherwise: ring:4 for torus:4.
std::string in_typed_words(std::string text, std::string const& typed) {
  std::string name;
  try {
    name = parse(typed)->spec();
  } catch (std::exception const&) {
    return text;  // whose message names the mistake
  }
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    auto const end = at + name.size();
    bool const is_longer = end < text.size() && std::string_view("0123456789x").find(text[end]) !=
                                                    std::string_view::npos;
    if (!is_longer) text.replace(at, name.size(), typed);
    at += is_longer ? name.size() : typed.size();
  }
  return text;
}

/// Says how the run failed, or why it is left out.
void describe_problem(swept_run& row, run_command const& asked, std::exception const& problem) {
  bool const fits = status_of(problem) == exit_status::wrong;
  row.status = fits ? "failed" : "left out";
  row.cost.reset();
  if (auto const* const of_machine = dynamic_cast<error const*>(&problem); fits && of_machine) {
    row.described = as_json(*of_machine, asked.what->name, asked.on);
    return;
  }
  row.described = {{"algorithm", asked.what->name}, {"topology", asked.on}};
  if (fits)
    row.described["error"] = {{"kind", "exception"}, {"message", message_of(problem)}};
  else
    row.described["reason"] = in_typed_words(message_of(problem), asked.on);
}

/// Evaluates the operations of the sequential algorithm, of the run's parameters and its processors, p.
/// Errors: usage_error for a formula that cannot be read, or that comes to less than an operation.
std::uint64_t sequential_operations(std::string const& formula, ordered_json const& row) {
  formula_letters letters;
  for (auto const* const group : {"parameters", "figures"})
    for (auto const& [name, value] : row.at(group).items())
      if (value.is_number()) letters.numbers[name] = value.get<double>();
  letters.numbers["p"] = row.at("processors").get<double>();
  auto const operations = value_of(formula, letters);
  if (!operations || !(*operations >= 1) || *operations >= 1e18) {
    std::vector<std::string> names;
    for (auto const& [name, value] : letters.numbers) names.push_back(name);
    throw usage_error(fmt::format(
        "--sequential: '{}' is not a number of operations, from 1 to 10^18, of {}; write one "
        "such as 'n log2 n'",
        formula, fmt::join(names, ", ")));
  }
  return static_cast<std::uint64_t>(*operations);
}

/// Adds the speed-up over the sequential algorithm, and the efficiency.
/// Errors: usage_error for a run that counts no work; those of `run_record::speedup`, or of a clock's
/// `timeline::speedup`.
void add_efficiency(ordered_json& row, report const& of, std::string const& formula,
                    std::optional<priced_by> const& model) {
  auto const operations = sequential_operations(formula, row);
  if (of.result.record.counts().operations == 0)
    throw usage_error(
        fmt::format("--sequential: {} counts no local work, and a time of messages alone has no "
                    "speed-up; take a program that says what it works (processor::work), as reduce "
                    "--summands does",
                    of.algorithm));
  double speedup = 0;
  if (!model)
    speedup = of.result.record.speedup(operations);
  else if (auto const* const costs = std::get_if<chosen_model>(&*model))
    speedup = of.result.record.speedup(*costs, operations);
  else
    speedup = of.times.value().speedup(operations);
  row["figures"]["speedup"] = speedup;
  row["figures"]["efficiency"] = speedup / of.processors;
}

/// Runs a combination. Nothing is thrown.
ordered_json row_of(sweep_run const& one, std::optional<std::string> const& sequential) {
  swept_run row;
  for (auto const& value : one.given) row.given.emplace_back(value.name, value.value);
  try {
    auto const model = model_of(one.run);
    auto const of = quietly_measured(one.run, model);
    row.status = all_right(of.result) ? "right" : "wrong";
    row.described = as_json(of);
    row.cost = {.counted = of.result.record.counts(),
                .bounds = of.result.bounds,
                .processors = of.processors};
    if (model)
      if (auto const* const costs = std::get_if<chosen_model>(&*model)) row.cost->model = *costs;
    if (sequential) add_efficiency(row.described, of, *sequential, model);
    return row_of(row);
  } catch (std::exception const& problem) {
    describe_problem(row, one.run, problem);
    return row_of(row);
  }
}

/// Runs the rows that are not finished, several at a time, in their order.
std::vector<ordered_json> rows_of(sweep_command const& asked) {
  std::optional<finished_rows> kept;
  if (asked.resume) kept.emplace(*asked.resume, LOCKSTEP_VERSION, asked.runs_command);
  progress const shown(STDERR_FILENO, "sweep");
  std::vector<ordered_json> rows(asked.runs.size());
  if (kept)
    for (auto const& [place, row] : kept->rows()) {
      if (!row.contains("status"))
        throw usage_error(
            fmt::format("--resume: {} has no status of run {}; name another file, or remove it",
                        asked.resume->string(), place));
      if (place < rows.size()) rows[place] = row;
    }
  detail::run_side_by_side(rows.size(), asked.parallel, [&](std::size_t place) {
    if (!rows[place].is_null()) return;
    auto one = asked.runs[place];
    one.run.options.workers = detail::workers_beside(asked.parallel, one.run.options.workers);
    rows[place] = row_of(one, asked.sequential);
    if (kept) kept->add(place, rows[place]);
  });
  return rows;
}

std::size_t count_with(std::vector<ordered_json> const& rows, std::string_view status) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [&](auto const& row) { return row.at("status") == status; }));
}

/// Notes which combinations are left out, algorithms without a run first. Errors: usage_error where all are.
void note_what_is_left_out(sweep_command const& asked, sweep_report const& of,
                           std::ostream& notes) {
  misfits const left(of);
  auto const all = left.combinations();
  if (left.left_out() == 0) return;
  if (left.left_out() == all)
    throw usage_error(all == 1 ? left.first_reason()
                               : fmt::format("none of {} fits; the first: {}",
                                             counted(all, "combination"), left.first_reason()));
  for (auto const& one : left.without_runs())
    notes << fmt::format("{}: NO RUN of {}: it fits none of its {}\n", asked.tool, one.name,
                         counted(one.combinations, "combination"));
  notes << fmt::format("{}: {} of {} left out: {}; the first: {}\n", asked.tool, left.left_out(),
                       counted(all, "combination"), left.names(), left.first_reason());
}

/// Makes the curves of a sweep; none of times in several units, which have no order.
/// Errors: usage_error where no run has the figure along the y axis, and where such times are to be drawn.
std::vector<sweep_curve> curves_along(sweep_command const& asked, sweep_report const& of) {
  if (auto const units = units_of(of); asked.y == "time" && units.size() > 1) {
    if (asked.plot)
      throw usage_error(
          fmt::format("--plot: times in {} have no axis together; take models of one unit, or "
                      "another --y-axis",
                      fmt::join(units, " and in ")));
    return {};
  }
  auto curves = curves_of(of, asked.x, asked.y);
  bool const has_runs = std::ranges::any_of(of.rows, has_counts);
  if (curves.empty() && has_runs)
    throw usage_error(
        fmt::format("--y-axis: none of the runs has a figure '{}'; write steps, words, volume, "
                    "messages, hops, makespan, time, "
                    "work, operations or span of a run that counts work, "
                    "or a figure of the algorithm",
                    asked.y));
  return curves;
}

/// Draws curves of the figure y.
plot plot_of(sweep_command const& asked, sweep_report const& of, std::string y,
             std::vector<sweep_curve> const& curves) {
  std::string title = asked.runs.front().run.what->name;
  auto const priced =
      std::ranges::find_if(of.rows, [](auto const& row) { return row.contains("time"); });
  bool const is_of_one_model = std::ranges::all_of(
      asked.runs, [&](auto const& one) { return one.run.model == asked.runs.front().run.model; });
  if (priced != of.rows.end() && is_of_one_model &&
      (y == "time" || y == "speedup" || y == "efficiency"))
    title += fmt::format(", priced by {}", *asked.runs.front().run.model);
  if (y == "time" && priced != of.rows.end())
    y += fmt::format(" ({})", priced->at("time").at("unit").template get<std::string>());
  for (auto const& one : asked.runs)
    if (one.run.what != asked.runs.front().run.what) title.clear();
  plot made{.x = asked.x,
            .y = std::move(y),
            .title = title,
            .caption = fmt::format("lockstep {}: {}", of.version, of.command),
            .scales = asked.log,
            .size = asked.size_of_plot};
  for (auto const& one : curves) made.series.push_back(one.points);
  return made;
}

/// Draws the least sizes that keep the efficiency, over the processors.
plot plot_of_sizes(sweep_command const& asked, sweep_report const& of,
                   std::vector<isoefficient_size> const& sizes) {
  plot made{.x = "processors",
            .y = fmt::format("least {}", asked.size),
            .title = fmt::format("isoefficiency, at least {:g}", *asked.isoefficiency),
            .caption = fmt::format("lockstep {}: {}", of.version, of.command),
            .scales = asked.log,
            .size = asked.size_of_plot};
  for (auto const& one : curves_of(sizes)) made.series.push_back(one.points);
  return made;
}

/// Draws what a page has: the figure along the y axis, speed-up and efficiency where they are asked for, and
/// sizes that keep the efficiency.
std::vector<plot> plots_of(sweep_command const& asked, sweep_report const& of,
                           std::vector<sweep_curve> const& curves,
                           std::vector<isoefficient_size> const& sizes) {
  std::vector<plot> plots{plot_of(asked, of, asked.y, curves)};
  if (of.has_efficiency)
    for (std::string const y : {"speedup", "efficiency"})
      if (y != asked.y) plots.push_back(plot_of(asked, of, y, curves_of(of, asked.x, y)));
  if (asked.isoefficiency) plots.push_back(plot_of_sizes(asked, of, sizes));
  return plots;
}

/// Writes what stands below the table: sizes that keep the efficiency, and where curves cross.
std::string text_below_table(sweep_command const& asked, std::vector<sweep_curve> const& curves,
                             std::vector<isoefficient_size> const& sizes) {
  std::vector<std::string> parts;
  if (asked.isoefficiency)
    parts.push_back(isoefficiency_as_text(sizes, asked.size, *asked.isoefficiency));
  if (auto const crossings = crossings_of(curves); !crossings.empty())
    parts.push_back(crossings_as_text(crossings, curves, asked.x, asked.y));
  return fmt::format("{}", fmt::join(parts, "\n"));
}

/// Writes the contents of the plot's file.
/// Errors: invalid_argument for a size without room for it.
std::string plot_text(std::filesystem::path const& file, sweep_command const& asked,
                      sweep_report const& of, std::vector<sweep_curve> const& curves,
                      std::vector<isoefficient_size> const& sizes) {
  auto const ending = file.extension();
  if (ending == ".html")
    return sweep_page(of, plots_of(asked, of, curves, sizes),
                      text_below_table(asked, curves, sizes));
  auto const page = drawn(asked.isoefficiency ? plot_of_sizes(asked, of, sizes)
                                              : plot_of(asked, of, asked.y, curves));
  return ending == ".pdf" ? as_pdf(page) : as_svg(page);
}

void print_sweep(sweep_command const& asked, sweep_report const& of,
                 std::vector<sweep_curve> const& curves,
                 std::vector<isoefficient_size> const& sizes, std::ostream& out) {
  if (asked.form == sweep_form::csv) out << sweep_as_csv(of);
  if (asked.form == sweep_form::latex) out << sweep_as_latex(of);
  if (asked.form == sweep_form::json)
    print({{"sweep", 1},
           {"lockstep", of.version},
           {"command", of.command},
           {"rows", of.rows},
           {"crossovers", crossings_as_json(crossings_of(curves), curves, asked.x, asked.y)},
           {"isoefficiency", isoefficiency_as_json(sizes, asked.size)}},
          out);
  if (asked.form != sweep_form::table) return;
  out << sweep_as_text(of);
  if (auto const below = text_below_table(asked, curves, sizes); !below.empty())
    out << '\n' << below;
}

}  // namespace

exit_status execute(sweep_command const& asked, std::ostream& out, std::ostream& notes) {
  std::optional<output_file> picture;
  if (asked.plot) picture.emplace(*asked.plot);
  bool const has_networks = std::ranges::find(asked.varied, "on") != asked.varied.end();
  sweep_report const of{.version = LOCKSTEP_VERSION,
                        .command = asked.command,
                        .varied = asked.varied,
                        .has_efficiency = asked.sequential.has_value(),
                        .network = has_networks ? "" : asked.runs.front().run.on,
                        .columns = asked.columns,
                        .rows = rows_of(asked)};
  note_what_is_left_out(asked, of, notes);
  auto const curves = curves_along(asked, of);
  std::vector<isoefficient_size> sizes;
  if (asked.isoefficiency) sizes = isoefficient_sizes(of, asked.size, *asked.isoefficiency);
  print_sweep(asked, of, curves, sizes,
              out);  // first: a size may turn out to have no room for a plot
  if (picture) {
    picture->stream() << plot_text(*asked.plot, asked, of, curves, sizes);
    picture->complete();
  }
  bool const is_right = count_with(of.rows, "wrong") == 0 && count_with(of.rows, "failed") == 0;
  return is_right ? exit_status::all_right : exit_status::wrong;
}

}  // namespace lockstep::cli
