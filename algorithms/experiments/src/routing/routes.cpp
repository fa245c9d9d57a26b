#include <lockstep/algorithms/routing/routes.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/one_port_routes.hpp>
#include <lockstep/algorithms/routing/queued_route.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "routing/routing_problem.hpp"

namespace lockstep {

namespace {

using record = routing_problem::record;

/// Between which processors records go.
enum class record_sets : std::uint8_t {
  random,  ///< any, other ones in each instance
  odd,     ///< processor 2i + 1 and processor i, whose records have d/4 links to go, on the average
  majority  ///< those with more zeros than ones in their ranks, and those with more ones
};

constexpr choice_parameter sets_of_records{
    "sets",
    "of processors with records, and destinations: random; odd (2i + 1 goes to i, or i to 2i + 1); "
    "or "
    "majority (from those with more zeros than ones in their ranks, to those with more ones)",
    std::array{named_choice{"random", record_sets::random}, named_choice{"odd", record_sets::odd},
               named_choice{"majority", record_sets::majority}},
    true};

constexpr flag_parameter through_queues{"queued",
                                        "each processor passes on the record that it has had "
                                        "longest, and sends nothing where nothing goes "
                                        "(messages may queue for ports)"};

/// The traits in which routes differ.
struct route_traits {
  char const* name;
  char const* summary;
  route which;
  routing_problem::arrivals (*go)(processor&, std::span<record const>, std::source_location);
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

/// Lists the processors 1, 3, 5, ..., or those whose ranks have more ones than zeros, or more zeros.
[[nodiscard]] std::vector<int> ranks_in(record_sets sets, int p, bool with_more_ones) {
  int const d = std::countr_zero(static_cast<unsigned>(p));
  std::vector<int> ranks;
  for (int rank = 0; rank < p; ++rank) {
    int const ones = std::popcount(static_cast<unsigned>(rank));
    bool const is_in = sets == record_sets::odd ? rank % 2 == 1
                       : with_more_ones         ? 2 * ones > d
                                                : 2 * ones < d;
    if (is_in) ranks.push_back(rank);
  }
  return ranks;
}

/// Makes the same records in each instance: from one set to the other in order, or from the lowest
/// processors or to them, as the route allows.
[[nodiscard]] std::vector<record> records_between(record_sets sets, route which,
                                                  arguments const& given, std::size_t k) {
  int const p = given.processors();
  auto from = ranks_in(sets, p, false);
  auto to = ranks_in(sets, p, true);
  auto const lowest = [](std::vector<int>& ranks) { std::iota(ranks.begin(), ranks.end(), 0); };
  if (which == route::inverse_concentration) lowest(from);
  if (which == route::concentration || (which == route::monotone && sets == record_sets::odd))
    lowest(to);
  std::vector<record> made(static_cast<std::size_t>(p) * k);
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t j = 0; j < k; ++j)
      made[static_cast<std::size_t>(from[i]) * k + j] = {static_cast<std::int64_t>(i * k + j),
                                                         to[i]};
  return made;
}

/// Generates any number of records in each of k instances, between processors that the route allows.
[[nodiscard]] std::vector<record> generated_records(route which, arguments const& given,
                                                    std::size_t k) {
  int const p = given.processors();
  std::mt19937_64 random(given.seed());
  std::vector<record> made(static_cast<std::size_t>(p) * k);
  for (std::size_t j = 0; j < k; ++j) {
    auto const count = random() % (static_cast<std::uint64_t>(p) + 1);
    auto const from = some_ranks(p, count, which == route::inverse_concentration, random);
    auto const to = some_ranks(p, count, which == route::concentration, random);
    for (std::size_t i = 0; i < count; ++i)
      made[static_cast<std::size_t>(from[i]) * k + j] = {
          static_cast<std::int64_t>(takes_small_values(given) ? random() % 90 + 10
                                                              : random() % 1'000'000),
          to[i]};
  }
  return made;
}

/// Finds the ways of all records by bit fixing.
[[nodiscard]] bit_fixing_pattern pattern_of(route which, int d, std::size_t k,
                                            std::span<record const> records) {
  std::vector<int> destinations(records.size());
  std::ranges::transform(records, destinations.begin(), &record::destination);
  return {d, which, k, destinations};
}

[[nodiscard]] experiment_result run_queued(arguments const& given,
                                           bit_fixing_pattern const& pattern,
                                           routing_problem const& problem) {
  if (given.request().options.strict)
    throw invalid_argument(
        "--queued: messages queue for ports, which a strict machine forbids; leave out --strict, "
        "or "
        "--queued");
  return solve(
      given, {.strict = strictness::never}, queued_route_claims(pattern), problem,
      [&](processor& me, std::span<record const> mine) { return queued_route(me, mine, pattern); });
}

[[nodiscard]] experiment_result run_in_step(arguments const& given, route_traits const& of,
                                            std::size_t k, routing_problem const& problem) {
  bool const is_by_one_port = k > 1 && given.request().options.ports == ports::one;
  auto const claims = is_by_one_port ? one_port_route_claims : route_claims;
  return solve(given, {.strict = strictness::always}, claims(given.network(), of.which, k), problem,
               [&](processor& me, std::span<record const> mine) {
                 return of.go(me, mine, std::source_location::current());
               });
}

[[nodiscard]] experiment_result run_route(arguments const& given, route_traits const& of) {
  int const d = detail::required_hypercube(given.network(), name_of(of.which)).dimension();
  auto const k = instances_from(given, {.bytes_each = of.bytes_of_a_record});
  auto const with = given.request().options.ports;
  if (k > 1 && with == ports::per_pass)
    throw invalid_argument(
        fmt::format("{}: {} instances at once have no passes with ports of their own; take --ports "
                    "one or all, or --k 1",
                    name_of(of.which), k));
  auto const sets = given[sets_of_records];
  bool const by_nodes = given.request().options.switching != switching::cut_through;
  auto const records = sets == record_sets::random ? generated_records(of.which, given, k)
                                                   : records_between(sets, of.which, given, k);
  routing_problem const problem(given.network(), k, records, with == ports::one && by_nodes);
  auto result = given[through_queues]
                    ? run_queued(given, pattern_of(of.which, d, k, records), problem)
                    : run_in_step(given, of, k, problem);
  result.figures["records"] = problem.records();
  return result;
}

[[nodiscard]] experiment route_experiment(route_traits const& of) {
  return {
      .name = of.name,
      .summary = of.summary,
      .topologies = "hypercube (all ports unless --ports says otherwise)",
      .source = mayr_plaxton_1989,
      .examples = {"hypercube:4", "hypercube:2", "hypercube:6", "hypercube:8"},
      .parameters = {instances("number at once"), sets_of_records, through_queues},
      .default_ports = ports::all,
      .run = [of](arguments const& given) { return run_route(given, of); },
  };
}

}  // namespace

experiment concentrate_experiment() {
  return route_experiment(
      {"concentrate",
       "k concentrations at once: records anywhere go to processors 0, 1, 2, ... in order",
       route::concentration, concentrate<std::int64_t>});
}

experiment inverse_concentrate_experiment() {
  return route_experiment(
      {"inverse-concentrate",
       "k inverse concentrations at once: records of processors 0, 1, 2, ... spread in order",
       route::inverse_concentration, inverse_concentrate<std::int64_t>});
}

experiment monotone_route_experiment() {
  return route_experiment({"monotone-route",
                           "k monotone routes at once: records go anywhere and stay in order",
                           route::monotone, monotone_route<std::int64_t>, 720});
}

}  // namespace lockstep
