#include <lockstep/sweep_output.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/experiments/output_file.hpp>
#include <lockstep/json.hpp>

#include "curves.hpp"
#include "plot.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "sweep_page.hpp"
#include "sweep_report.hpp"
#include "sweep_row.hpp"

namespace lockstep {

namespace {

using nlohmann::ordered_json;

/// The names whose values differ between runs, in the order of the columns.
struct varying_names {
  bool programs = false;
  bool networks = false;
  std::vector<std::string> parameters{};
  bool models = false;

  [[nodiscard]] std::vector<std::string> all() const {
    std::vector<std::string> names;
    if (programs) names.emplace_back("algorithm");
    if (networks) names.emplace_back("on");
    names.insert(names.end(), parameters.begin(), parameters.end());
    if (models) names.emplace_back("model");
    return names;
  }
};

/// Adds the claims, and the measured values of those that are not about counts.
void add_claims(ordered_json& row, sweep_point const& point, std::vector<claim> const& claims) {
  row["claims"] = ordered_json::array();
  for (std::size_t at = 0; at < point.measured.size(); ++at) {
    auto const& one = claims[at];
    auto const measured = point.measured[at];
    row["claims"].push_back(claim_as<ordered_json>(one, measured, point.at));
    if (!row["counts"].contains(one.figure))
      row["figures"][one.figure] = cli::as_json(parameter_value(measured));
  }
}

/// Describes a run as `run --json` does, as far as a sweep knows it.
ordered_json described(std::string const& program, sweep_point const& point,
                       std::vector<claim> const& claims) {
  ordered_json json{{"algorithm", program},
                    {"topology", point.at.topology().spec()},
                    {"processors", point.at.topology().size()},
                    {"parameters", ordered_json::object()}};
  for (auto const& [name, value] : point.at.parameters)
    json["parameters"][name] = cli::as_json(parameter_value(value));
  if (!point.error.empty()) json["error"] = {{"message", point.error}};
  if (!point.has_ended) return json;
  json["correct"] = point.error.empty() ? ordered_json() : ordered_json(false);
  json["counts"] = point.counts;
  json["figures"] = ordered_json::object();
  cli::add_ends(json, point.counts, point.makespan, point.span);
  add_claims(json, point, claims);
  json["bounds"] = cli::as_json(point.bounds);
  return json;
}

ordered_json row_of(std::string const& program, sweep_point const& point,
                    std::vector<claim> const& claims, varying_names const& varying,
                    chosen_model const* model) {
  cli::swept_run run{.status = !point.has_ended       ? "failed"
                               : point.report.empty() ? "right"
                                                      : "wrong",
                     .described = described(program, point, claims)};
  if (varying.programs) run.given.emplace_back("algorithm", program);
  if (varying.networks) run.given.emplace_back("on", point.at.topology().spec());
  for (auto const& [name, value] : point.at.parameters)
    if (std::ranges::find(varying.parameters, name) != varying.parameters.end())
      run.given.emplace_back(name, cli::exact_text(value));
  if (varying.models) run.given.emplace_back("model", model->name());
  if (point.has_ended)
    run.cost = {.counted = point.counts,
                .bounds = point.bounds,
                .processors = point.at.topology().size(),
                .model = model == nullptr ? std::nullopt : std::optional(*model)};
  return cli::row_of(run);
}

/// Throws invalid_argument with the axes that there are.
[[noreturn]] void throw_no_such_axes(cli::sweep_report const& of, sweep_axes const& axes) {
  std::vector<std::string> along{"processors"};
  for (auto const& name : of.varied)
    if (name != "algorithm" && name != "on" && name != "model") along.push_back(name);
  throw invalid_argument(fmt::format(
      "sweep_output: no run has a figure '{}' along '{}'; along x take {}, along y a count, the "
      "figure of a claim, or \"time\" after price()",
      axes.y, axes.x, fmt::join(along, " or ")));
}

bool are_in_several_units(cli::sweep_report const& of, sweep_axes const& axes) {
  return axes.y == "time" && cli::units_of(of).size() > 1;
}

/// Writes "processors" for "p", unless that is a parameter.
sweep_axes named_in_full(cli::sweep_report const& of, sweep_axes axes) {
  if (axes.x == "p" && std::ranges::find(of.varied, "p") == of.varied.end()) axes.x = "processors";
  return axes;
}

/// Makes the curves; none of times in several units.
std::vector<cli::sweep_curve> curves_along(cli::sweep_report const& of, sweep_axes const& axes) {
  if (are_in_several_units(of, axes)) return {};
  auto curves = cli::curves_of(of, axes.x, axes.y);
  if (curves.empty() && std::ranges::any_of(of.rows, cli::has_counts)) throw_no_such_axes(of, axes);
  return curves;
}

std::string crossovers_of(std::vector<cli::sweep_curve> const& curves, sweep_axes const& axes) {
  return cli::crossings_as_text(cli::crossings_of(curves), curves, axes.x, axes.y, false);
}

}  // namespace

sweep_output& sweep_output::add(std::string name, sweep_result runs) {
  if (name.empty()) throw invalid_argument("sweep_output: a sweep without a name; give it one");
  for (auto const& one : m_sweeps)
    if (one.program == name)
      throw invalid_argument(
          fmt::format("sweep_output: there are runs of '{}' already; choose another name", name));
  m_sweeps.push_back({std::move(name), std::move(runs)});
  return *this;
}

sweep_output& sweep_output::price_by(chosen_model model) {
  for (auto const& one : m_models)
    if (one.name() == model.name())
      throw invalid_argument(
          fmt::format("sweep_output: there are prices by '{}' already; name this one otherwise: "
                      "price(model, \"name\")",
                      model.name()));
  m_models.push_back(std::move(model));
  return *this;
}

sweep_output& sweep_output::columns(std::vector<std::string> names) {
  if (names.empty())
    throw invalid_argument("sweep_output: columns of no name; leave the call out to have all");
  m_columns = std::move(names);
  return *this;
}

/// Makes the rows of all runs, for each model.
cli::sweep_report sweep_output::report() const {
  std::set<std::string> networks;
  std::map<std::string, std::set<double>> values;
  std::vector<std::string> names;  // in the order in which they come
  for (auto const& [program, runs] : m_sweeps)
    for (auto const& point : runs.points()) {
      networks.insert(point.at.topology().spec());
      for (auto const& [name, value] : point.at.parameters) {
        if (!values.contains(name)) names.push_back(name);
        values[name].insert(value);
      }
    }
  if (networks.empty()) throw invalid_argument("sweep_output: no runs; add those of a sweep");
  varying_names varying{m_sweeps.size() > 1, networks.size() > 1, {}, m_models.size() > 1};
  for (auto const& name : names)
    if (values[name].size() > 1) varying.parameters.push_back(name);
  std::vector<chosen_model const*> models;
  for (auto const& one : m_models) models.push_back(&one);
  if (models.empty()) models.push_back(nullptr);
  std::vector<ordered_json> rows;
  for (auto const& [program, runs] : m_sweeps)
    for (auto const& point : runs.points())
      for (auto const* const model : models)
        rows.push_back(row_of(program, point, runs.claims(), varying, model));
  cli::sweep_report of{.version = LOCKSTEP_VERSION,
                       .command = m_command,
                       .varied = varying.all(),
                       .has_options = false,
                       .columns = m_columns,
                       .rows = std::move(rows)};
  if (auto const problem = cli::problem_with_columns(of); !problem.empty())
    throw invalid_argument("sweep_output: " + problem);
  return of;
}

std::string sweep_output::text() const { return cli::sweep_as_text(report()); }

std::string sweep_output::csv() const { return cli::sweep_as_csv(report()); }

std::string sweep_output::latex() const { return cli::sweep_as_latex(report()); }

std::string sweep_output::json(sweep_axes const& wanted) const {
  auto const of = report();
  auto const axes = named_in_full(of, wanted);
  auto const curves = curves_along(of, axes);
  ordered_json const document{
      {"sweep", 1},
      {"lockstep", of.version},
      {"command", of.command},
      {"rows", of.rows},
      {"crossovers", cli::crossings_as_json(cli::crossings_of(curves), curves, axes.x, axes.y)}};
  return document.dump(2) + '\n';
}

std::string sweep_output::crossovers(sweep_axes const& wanted) const {
  auto const of = report();
  auto const axes = named_in_full(of, wanted);
  return crossovers_of(curves_along(of, axes), axes);
}

void sweep_output::plot(std::filesystem::path const& file, sweep_axes const& wanted) const {
  auto const ending = file.extension();
  if (ending != ".svg" && ending != ".pdf" && ending != ".html")
    throw invalid_argument(fmt::format(
        "sweep_output: a plot in '{}'; take an ending of .svg, .pdf or .html", file.string()));
  auto const of = report();
  auto const axes = named_in_full(of, wanted);
  auto const curves = curves_along(of, axes);
  if (are_in_several_units(of, axes))
    throw invalid_argument(
        fmt::format("sweep_output: times in {} have no axis together; price by models of one unit, "
                    "or take another "
                    "figure along y",
                    fmt::join(cli::units_of(of), " and in ")));
  bool const is_price = axes.y == "time" && !m_models.empty();
  auto title = m_sweeps.size() == 1 ? m_sweeps.front().program : std::string();
  if (is_price && m_models.size() == 1)
    title += fmt::format("{}priced by {}", title.empty() ? "" : ", ", m_models.front().name());
  cli::plot made{.x = axes.x,
                 .y = is_price ? fmt::format("time ({})", m_models.front().unit()) : axes.y,
                 .title = std::move(title),
                 .caption = fmt::format("lockstep {}: {}", of.version, of.command),
                 .scales = axes.scales,
                 .size = axes.size};
  for (auto const& one : curves) made.series.push_back(one.points);
  output_file written(file);
  if (ending == ".html")
    written.stream() << cli::sweep_page(of, {made}, crossovers_of(curves, axes));
  else
    written.stream() << (ending == ".pdf" ? as_pdf(drawn(made)) : as_svg(drawn(made)));
  written.complete();
}

shown_progress::shown_progress(std::string what)
    : m_line(std::make_unique<cli::progress>(STDERR_FILENO, std::move(what))) {}

shown_progress::~shown_progress() = default;

}  // namespace lockstep
