#include "sweep_row.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <lockstep/experiments/parameter.hpp>

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

}  // namespace

ordered_json row_of(swept_run const& run) {
  ordered_json row{{"given", ordered_json::object()}, {"status", run.status}};
  for (auto const& [name, value] : run.given) row["given"][name] = value;
  for (auto const& [name, value] : run.described.items())
    if (name != "seconds") row[name] = value;
  if (run.cost && run.cost->model) add_prices(row, *run.cost);
  return row;
}

}  // namespace lockstep::cli
