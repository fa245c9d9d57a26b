#include <lockstep/experiments/registry.hpp>

#include <algorithm>
#include <array>

#include <lockstep/errors.hpp>

#include "harness/entries.hpp"

namespace lockstep {

bad_input::bad_input(std::string const& message, std::source_location where)
    : error(message, incident{-1, 0, {}, where}) {}

std::span<experiment const> experiments() {
  static std::array const all{all_to_all_entry(),
                              all_to_all_direct_entry(),
                              all_to_all_binary_entry(),
                              prefix_entry(),
                              segmented_prefix_entry(),
                              data_distribution_entry(),
                              pipelined_prefix_entry(),
                              concentrate_entry(),
                              inverse_concentrate_entry(),
                              monotone_route_entry(),
                              msbt_broadcast_entry(),
                              msbt_sum_entry(),
                              transpose_entry(),
                              broadcast_entry(),
                              all_gather_entry(),
                              gather_entry(),
                              scatter_entry(),
                              reduce_entry(),
                              all_reduce_entry(),
                              h_relation_entry(),
                              h_relation_direct_entry(),
                              randomized_routing_entry(),
                              counting_sort_entry(),
                              radix_sort_entry()};
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
  throw invalid_argument(claimed.figure + " is no number, of which nothing can be claimed");
}

}  // namespace lockstep
