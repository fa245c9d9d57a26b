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

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
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

/// Draws `count` of the ranks 0 .. p-1, in increasing order.
[[nodiscard]] std::vector<int> some_ranks(int p, int count, std::mt19937_64& random) {
  std::vector<int> all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), 0);
  std::vector<int> some;
  std::sample(all.begin(), all.end(), std::back_inserter(some), count, random);
  return some;
}

/// Generates any number of records in each instance, between processors that the route allows.
[[nodiscard]] generated_records records_for(route which, arguments const& given, std::size_t k) {
  int const p = given.processors();
  std::mt19937_64 random(given.seed());
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

[[nodiscard]] experiment_result run_route(arguments const& given, route which) {
  static_cast<void>(detail::required_hypercube(given.network(), name_of(which)));
  auto const k = instances_from(given, 160);  // bytes of each: at first, under way and in the end
  if (k > 1 && given.request().options.ports != ports::all)
    throw invalid_argument(
        fmt::format("{}: {} instances at once need all ports of a processor; take --ports all, or "
                    "--k 1",
                    name_of(which), k));
  auto const made = records_for(which, given, k);
  auto run = run_program(given, {.strict = strictness::always}, [&](processor& me) {
    auto const first = static_cast<std::size_t>(me.rank()) * k;
    return go(me, which, std::span(made.at_first).subspan(first, k));
  });
  bool correct = true;
  for (auto expected = made.in_the_end.begin(); auto const& got : run.results()) {
    correct = correct && std::equal(got.begin(), got.end(), expected, expected + std::ssize(got));
    expected += std::ssize(got);
  }
  auto result = result_of(given, std::move(run), correct);
  result.claims = route_claims(given.network(), which, k);
  if (!made.between.empty())
    result.bounds = lower_bounds(result.record, relation_between(given.network(), made.between));
  result.figures["records"] = made.count;
  return result;
}

[[nodiscard]] experiment route_experiment(std::string name, std::string summary, route which) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .topologies = "hypercube (all ports unless --ports says otherwise)",
      .source = mayr_plaxton_1989,
      .examples = {"hypercube:4", "hypercube:2", "hypercube:6", "hypercube:8"},
      .parameters = {instances("number at once; more than 1 need all ports")},
      .default_ports = ports::all,
      .run = [which](arguments const& given) { return run_route(given, which); },
  };
}

}  // namespace

experiment concentrate_experiment() {
  return route_experiment(
      "concentrate",
      "k concentrations at once: records anywhere go to processors 0, 1, 2, ... in order",
      route::concentration);
}

experiment inverse_concentrate_experiment() {
  return route_experiment(
      "inverse-concentrate",
      "k inverse concentrations at once: records of processors 0, 1, 2, ... spread in order",
      route::inverse_concentration);
}

experiment monotone_route_experiment() {
  return route_experiment("monotone-route",
                          "k monotone routes at once: records go anywhere and stay in order",
                          route::monotone);
}

}  // namespace lockstep
