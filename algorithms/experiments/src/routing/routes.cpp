#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <random>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/routes.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "routing/pairwise_bounds.hpp"

namespace lockstep {

namespace {

using record_value = std::int64_t;
using record_list = std::vector<routed<record_value>>;

/// The traits in which routes differ.
struct route_traits {
  char const* name;
  char const* summary;
  route which;
  std::vector<std::optional<record_value>> (*go)(processor&, std::span<routed<record_value> const>,
                                                 std::source_location);
  double bytes_of_a_record = 400;  ///< at first, under way, in the end, and to compare with
};

/// Draws `count` of the ranks 0 .. p-1, or takes the lowest, in increasing order.
[[nodiscard]] std::vector<int> some_ranks(int p, std::size_t count, bool are_lowest,
                                          std::mt19937_64& random) {
  std::vector<int> ranks(are_lowest ? count : static_cast<std::size_t>(p));
  std::iota(ranks.begin(), ranks.end(), 0);
  if (are_lowest) return ranks;
  std::vector<int> some;
  std::sample(ranks.begin(), ranks.end(), std::back_inserter(some), count, random);
  return some;
}

/// Generates any number of records in each of k instances, between processors that the route
/// allows. Result: of all processors, in the order of processors, then of instances.
[[nodiscard]] record_list generated_records(route which, arguments const& given, std::size_t k) {
  int const p = given.processors();
  std::mt19937_64 random(given.seed());
  record_list made(static_cast<std::size_t>(p) * k);
  for (std::size_t j = 0; j < k; ++j) {
    auto const count = random() % (static_cast<std::uint64_t>(p) + 1);
    auto const from = some_ranks(p, count, which == route::inverse_concentration, random);
    auto const to = some_ranks(p, count, which == route::concentration, random);
    for (std::size_t i = 0; i < count; ++i)
      made[static_cast<std::size_t>(from[i]) * k + j] = {
          static_cast<record_value>(random() % 1'000'000), to[i]};
  }
  return made;
}

/// Places each record where it goes, one after another; empty places are skipped.
[[nodiscard]] std::vector<std::optional<record_value>> delivered(record_list const& sent,
                                                                 std::size_t k) {
  std::vector<std::optional<record_value>> in_the_end(sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i)
    if (sent[i].is_there())
      in_the_end[static_cast<std::size_t>(sent[i].destination) * k + i % k] = sent[i].value;
  return in_the_end;
}

/// Counts the records from each processor to each, row by row.
[[nodiscard]] std::vector<std::uint64_t> records_between(record_list const& sent, std::size_t k) {
  auto const p = sent.size() / k;
  std::vector<std::uint64_t> between(p * p);
  for (std::size_t i = 0; i < sent.size(); ++i)
    if (sent[i].is_there()) ++between[i / k * p + static_cast<std::size_t>(sent[i].destination)];
  return between;
}

[[nodiscard]] experiment_result run_route(arguments const& given, route_traits const& of) {
  static_cast<void>(detail::required_hypercube(given.network(), name_of(of.which)));
  auto const k = instances_from(given, {.bytes_each = of.bytes_of_a_record});
  if (k > 1 && given.request().options.ports != ports::all)
    throw invalid_argument(
        fmt::format("{}: {} instances at once need all ports of a processor; take --ports all, or "
                    "--k 1",
                    name_of(of.which), k));
  auto const sent = generated_records(of.which, given, k);
  auto const expected = delivered(sent, k);
  auto claims = route_claims(given.network(), of.which, k);
  expect_steps(claims);
  auto result = run_and_check(given, {.strict = strictness::always}, [&](processor& me) {
    auto const first = static_cast<std::size_t>(me.rank()) * k;
    return std::ranges::equal(
        of.go(me, std::span(sent).subspan(first, k), std::source_location::current()),
        std::span(expected).subspan(first, k));
  });
  result.claims = std::move(claims);
  if (given.processors() <= max_processors_for_pairwise_bounds)
    result.bounds =
        lower_bounds(result.record, relation_between(given.network(), records_between(sent, k)));
  result.figures["records"] = std::ranges::count_if(sent, &routed<record_value>::is_there);
  return result;
}

[[nodiscard]] experiment route_experiment(route_traits const& of) {
  return {
      .name = of.name,
      .summary = of.summary,
      .topologies = "hypercube (all ports unless --ports says otherwise)",
      .source = mayr_plaxton_1989,
      .examples = {"hypercube:4", "hypercube:2", "hypercube:6", "hypercube:8"},
      .parameters = {instances("number at once; more than 1 need all ports")},
      .default_ports = ports::all,
      .run = [of](arguments const& given) { return run_route(given, of); },
  };
}

}  // namespace

experiment concentrate_experiment() {
  return route_experiment(
      {"concentrate",
       "k concentrations at once: records anywhere go to processors 0, 1, 2, ... in order",
       route::concentration, concentrate<record_value>});
}

experiment inverse_concentrate_experiment() {
  return route_experiment(
      {"inverse-concentrate",
       "k inverse concentrations at once: records of processors 0, 1, 2, ... spread in order",
       route::inverse_concentration, inverse_concentrate<record_value>});
}

experiment monotone_route_experiment() {
  return route_experiment({"monotone-route",
                           "k monotone routes at once: records go anywhere and stay in order",
                           route::monotone, monotone_route<record_value>, 720});
}

}  // namespace lockstep
