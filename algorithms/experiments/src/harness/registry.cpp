#include <lockstep/experiments/registry.hpp>

#include <algorithm>
#include <vector>

#include <lockstep/errors.hpp>

#include "harness/experiment_list.hpp"
#include "harness/explanations.hpp"

namespace lockstep {

bad_input::bad_input(std::string const& message, std::source_location where)
    : error(message, incident{-1, 0, {}, where}) {}

std::span<experiment const> experiments() {
  static std::vector<experiment> const all = with_explanations(generated_experiments());
  return all;
}

experiment const* find_experiment(std::string_view name) {
  auto const all = experiments();
  auto const found = std::ranges::find(all, name, &experiment::name);
  return found == all.end() ? nullptr : &*found;
}

double measured_for(claim const& claimed, experiment_result const& result) {
  auto const& record = result.record;
  if (claimed.model)
    return claimed.model->time(record.counts(), static_cast<int>(record.processors().size()));
  auto const besides = result.figures.find(claimed.figure);
  if (besides == result.figures.end())
    return static_cast<double>(metric_value(record.counts(), claimed.figure));
  if (auto const* whole = std::get_if<std::int64_t>(&besides->second))
    return static_cast<double>(*whole);
  if (auto const* real = std::get_if<double>(&besides->second)) return *real;
  throw invalid_argument(claimed.figure + " is not a number, so that nothing can be claimed of it");
}

}  // namespace lockstep
