#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/experiments/registry.hpp>

#include "harness/entries.hpp"
#include "harness/instances.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"
#include "routing/pairwise_bounds.hpp"

namespace lockstep {

namespace {

using record_value = std::int64_t;

/// Records of k instances, of all processors, in the order of processors, then of instances.
struct generated_records {
  std::vector<routed<record_value>> at_first;
  std::vector<std::optional<record_value>> in_the_end;  ///< placed one after another
  std::int64_t count = 0;
  std::vector<std::uint64_t> between{};  ///< how many from i to j, row by row, for few processors
};

/// So many of the ranks 0 .. p-1, in increasing order.
[[nodiscard]] std::vector<int> some_ranks(int p, int count, std::mt19937_64& random) {
  std::vector<int> all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), 0);
  std::vector<int> some;
  std::sample(all.begin(), all.end(), std::back_inserter(some), count, random);
  return some;
}

/// In each instance any number of records, between processors that the route allows.
[[nodiscard]] generated_records records_for(route which, experiment_request const& asked,
                                            std::size_t k) {
  int const p = asked.network->size();
  std::mt19937_64 random(static_cast<std::uint64_t>(whole_number(asked, "seed", 1, 0)));
  auto const places = static_cast<std::size_t>(p) * k;
  generated_records made{std::vector<routed<record_value>>(places),
                         std::vector<std::optional<record_value>>(places)};
  if (p <= max_processors_for_pairwise_bounds)
    made.between.resize(static_cast<std::size_t>(p) * static_cast<std::size_t>(p));
  for (std::size_t j = 0; j < k; ++j) {
    auto const count = static_cast<int>(random() % (static_cast<std::uint64_t>(p) + 1));
    std::vector<int> low_ranks(static_cast<std::size_t>(count));
    std::iota(low_ranks.begin(), low_ranks.end(), 0);
    auto const from =
        which == route::inverse_concentration ? low_ranks : some_ranks(p, count, random);
    auto const to = which == route::concentration ? low_ranks : some_ranks(p, count, random);
    for (std::size_t i = 0; i < from.size(); ++i) {
      auto const value = static_cast<record_value>(random() % 1'000'000);
      made.at_first[static_cast<std::size_t>(from[i]) * k + j] = {value, to[i]};
      made.in_the_end[static_cast<std::size_t>(to[i]) * k + j] = value;
      if (!made.between.empty())
        ++made.between[static_cast<std::size_t>(from[i]) * static_cast<std::size_t>(p) +
                       static_cast<std::size_t>(to[i])];
    }
    made.count += count;
  }
  return made;
}

[[nodiscard]] std::vector<std::optional<record_value>> go(
    processor& me, route which, std::span<routed<record_value> const> records) {
  switch (which) {
    case route::concentration:
      return concentrate(me, records);
    case route::inverse_concentration:
      return inverse_concentrate(me, records);
    case route::monotone:
      break;
  }
  return monotone_route(me, records);
}

/// In lock step: this is what the routes claim.
[[nodiscard]] machine strict_machine(experiment_request const& asked, route which, std::size_t k) {
  if (k > 1 && asked.options.ports != ports::all)
    throw invalid_argument(
        fmt::format("{}: {} instances at once need all ports of a processor; take --ports all, or "
                    "--k 1",
                    name_of(which), k));
  auto options = asked.options;
  options.strict = true;
  return machine(asked.network, options);
}

[[nodiscard]] experiment_result run_route(experiment_request const& asked, route which) {
  static_cast<void>(detail::required_hypercube(*asked.network, name_of(which)));
  constexpr std::uint64_t bytes_of_a_record = 160;  // at first, under way and in the end
  auto const k = instances_from(asked, bytes_of_a_record);
  auto const on = strict_machine(asked, which, k);
  auto const made = records_for(which, asked, k);
  auto run = on.run(
      [&](processor& me) {
        auto const first = static_cast<std::size_t>(me.rank()) * k;
        return go(me, which, std::span(made.at_first).subspan(first, k));
      },
      asked.observers);
  bool correct = true;
  for (auto expected = made.in_the_end.begin(); auto const& got : run.results()) {
    correct = correct && std::equal(got.begin(), got.end(), expected, expected + std::ssize(got));
    expected += std::ssize(got);
  }
  experiment_result result{.record = std::move(run), .correct = correct};
  result.claims = route_claims(*asked.network, which, k);
  if (!made.between.empty())
    result.bounds = lower_bounds(result.record, relation_between(*asked.network, made.between));
  result.figures["records"] = made.count;
  result.parameters = asked.parameters;
  return result;
}

[[nodiscard]] experiment entry(std::string name, std::string summary,
                               experiment_result (*run)(experiment_request const&)) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .topologies = "hypercube (all ports unless --ports says otherwise)",
      .source = mayr_plaxton_1989,
      .examples = {"hypercube:4", "hypercube:2", "hypercube:6", "hypercube:8"},
      .parameters = {{"k", "number at once; more than 1 need all ports", std::int64_t{8}}},
      .default_ports = ports::all,
      .run = run,
  };
}

}  // namespace

experiment concentrate_entry() {
  return entry(
      "concentrate",
      "k concentrations at once: records anywhere go to processors 0, 1, 2, ... in order",
      [](experiment_request const& asked) { return run_route(asked, route::concentration); });
}

experiment inverse_concentrate_entry() {
  return entry(
      "inverse-concentrate",
      "k inverse concentrations at once: records of processors 0, 1, 2, ... spread in order",
      [](experiment_request const& asked) {
        return run_route(asked, route::inverse_concentration);
      });
}

experiment monotone_route_entry() {
  return entry("monotone-route", "k monotone routes at once: records go anywhere and stay in order",
               [](experiment_request const& asked) { return run_route(asked, route::monotone); });
}

}  // namespace lockstep
