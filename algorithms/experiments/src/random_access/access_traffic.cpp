#include "random_access/access_traffic.hpp"

#include <algorithm>

#include "harness/noted_sort.hpp"
#include "harness/stages.hpp"

namespace lockstep {

namespace {

/// Removes what stands there again, or does not travel.
template <class Moved, class Stays>
void keep_different(std::vector<Moved>& all, Stays const& stays) {
  std::erase_if(all, stays);
  begin_stage("checking the least traffic", pieces_of_sort(all.size()));
  noted_stable_sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

[[nodiscard]] std::uint64_t most_of(std::vector<std::uint64_t> const& numbers) {
  return std::ranges::max(numbers);
}

}  // namespace

std::uint64_t most_messages(std::vector<sender_and_receiver> elements, int processors) {
  keep_different(elements, [](auto const& one) { return one.from == one.to; });
  std::vector<std::uint64_t> out(static_cast<std::size_t>(processors));
  auto in = out;
  for (auto const& [from, to] : elements) {
    ++out[static_cast<std::size_t>(from)];
    ++in[static_cast<std::size_t>(to)];
  }
  return std::max(most_of(out), most_of(in));
}

traffic_requirement traffic_of(std::vector<needed_value> needed, int processors,
                               std::uint64_t words) {
  keep_different(needed, [](auto const& one) { return one.at == one.by; });
  if (needed.empty() || words == 0) return {};
  std::vector<std::uint64_t> taken_in(static_cast<std::size_t>(processors));
  auto sent = taken_in;
  std::vector<sender_and_receiver> partners;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    auto const& [at, index, by] = needed[i];
    taken_in[static_cast<std::size_t>(by)] += words;
    bool const again = i > 0 && needed[i - 1].at == at && needed[i - 1].index == index;
    if (!again) sent[static_cast<std::size_t>(at)] += words;
    partners.push_back({at, by});
  }
  return {.taken_in = most_of(taken_in),
          .sent = most_of(sent),
          .moved = words * needed.size(),
          .distance = 1,
          .joined = 1 + most_messages(std::move(partners), processors)};
}

std::int64_t sum_in(run_record const& run, std::string_view phase,
                    std::uint64_t phase_record::*number) {
  std::uint64_t sum = 0;
  for (auto const& each : run.phases())
    if (phase.empty() || each.name == phase) sum += each.*number;
  return static_cast<std::int64_t>(sum);
}

void add_sums(experiment_result& result, std::string const& name,
              std::initializer_list<std::string_view> phases) {
  std::int64_t startups = 0;
  std::int64_t words = 0;
  for (auto const phase : phases) {
    startups += sum_in(result.record, phase, &phase_record::startups);
    words += sum_in(result.record, phase, &phase_record::words);
  }
  result.figures[name + "_startups"] = startups;
  result.figures[name + "_words"] = words;
}

machine_needs needs_of_access() {
  return {.strict = strictness::always, .one_port = true, .cut_through = true};
}

void add_sends(experiment_result& result, std::uint64_t q) {
  result.figures["q"] = static_cast<std::int64_t>(q);
  auto const& phases = result.record.phases();
  auto const sends = std::ranges::find(phases, "sends", &phase_record::name);
  if (sends == phases.end()) return;
  result.figures["sends_steps"] = static_cast<std::int64_t>(sends->steps);
  result.figures["sends_port_words"] = static_cast<std::int64_t>(sends->port_words);
}

}  // namespace lockstep
