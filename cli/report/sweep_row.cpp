#include "sweep_row.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <lockstep/experiments/parameter.hpp>
#include <lockstep/judgement.hpp>

#include "claimed_price.hpp"
#include "report.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

/// Prices the counts that no program does without: the lower bounds, and a start-up.
std::optional<double> price_of_bounds(swept_cost const& of) {
  if (of.bounds.empty()) return std::nullopt;
  counts least;
  for_each_figure(of.counted, [&](std::string_view name, std::uint64_t) {
    if (auto const* const bound = strongest(of.bounds, name))
      static_cast<void>(set_count(least, name, static_cast<double>(bound->value)));
  });
  if (least.words > 0) least.startups = std::max<std::uint64_t>(least.startups, 1);
  return of.model->time(least, of.processors);
}

void add_prices(ordered_json& row, swept_cost const& of) {
  if (!row.contains("time"))
    row["time"] = {{"model", of.model->name()},
                   {"value", as_json(parameter_value(of.model->time(of.counted, of.processors)))},
                   {"unit", of.model->unit()}};
  if (auto const price = price_of_claims(row, of.counted, *of.model, of.processors))
    row["time"]["claimed"] = as_json(parameter_value(*price));
  if (auto const price = price_of_bounds(of))
    row["time"]["bound"] = as_json(parameter_value(*price));
}

/// Adds the verdict, what it rests on, and the hypotheses.
void add_judgement(ordered_json& json, claim const& claimed, double measured,
                   problem_instance const& at) {
  auto const found = judge(claimed, measured, at);
  json["verdict"] = name_of(found.verdict);
  if (!found.reason.empty()) json["reason"] = found.reason;
  if (found.is_fault) json["wrong"] = true;
  json["where"] = ordered_json::array();
  for (auto const& one : claimed.where)
    json["where"].push_back({{"text", one.text}, {"met", one.is_met(at)}});
}

}  // namespace

ordered_json row_of(swept_run const& run) {
  ordered_json row{{"given", ordered_json::object()}, {"status", run.status}};
  for (auto const& [name, value] : run.given) row["given"][name] = value;
  for (auto const& [name, value] : run.described.items())
    if (name != "seconds") row[name] = value;
  if (run.cost && run.cost->model) add_prices(row, *run.cost);
  return row;
}

ordered_json as_json(claim const& claimed, double measured, problem_instance const& at) {
  ordered_json json;
  json["figure"] = claimed.figure;
  json["formula"] = claimed.formula;
  json["value"] = as_json(parameter_value(claimed.value(at)));
  bool const is_about = claimed.bound == comparison::about;
  json["relation"] = symbol(is_about ? comparison::order : claimed.bound);
  if (is_about) json["about"] = true;
  json["holds"] = is_about ? measured <= claimed.value(at) : holds(claimed, measured, at);
  if (claimed.bound == comparison::order || is_about)
    if (auto const constant = constant_of(claimed, measured, at)) json["constant"] = *constant;
  if (claimed.model) json["tau"] = as_json(parameter_value(claimed.model->tau_words));
  // Of other claims it stands among the counts or figures.
  if (claimed.model || at.network) json["measured"] = as_json(parameter_value(measured));
  json["source"] = claimed.source;
  if (!claimed.erratum.empty()) json["erratum"] = claimed.erratum;
  add_judgement(json, claimed, measured, at);
  return json;
}

}  // namespace lockstep::cli
