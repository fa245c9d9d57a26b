#include <lockstep/algorithms/random_access/transportation.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/random_access/network_claims.hpp>
#include <lockstep/algorithms/random_access/transportation_in_stages.hpp>
#include <lockstep/algorithms/random_access/transportation_traffic.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "choices.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "network_kind.hpp"
#include "random_access/access_traffic.hpp"
#include "random_access/likely_stage_2.hpp"
#include "random_access/option_names.hpp"
#include "random_access/problem_without_files.hpp"
#include "random_access/shared_parameters.hpp"
#include "random_access/supposed_sizes.hpp"
#include "routing/row_sums.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter traffic_of_a_processor{
    "t", "elements that a processor sends, or that the traffic is made of", 64, 0,
    std::int64_t{1} << 31U};
constexpr choice_parameter kind_of_traffic{
    "traffic", "uniform, shift, double (p odd), random, hot, gather or adversary",
    choices_of(detail::transportation_traffic_names)};
constexpr choice_parameter way_of_elements{
    "route", "transportation (by way of all processors) or direct", routes_by_name};

/// Whether the middle of a processor's first element is drawn.
enum class middle_choice : std::uint8_t { own, random };

constexpr choice_parameter way_of_first_elements{
    "first", "by whose way a processor's first element goes: its own, or random (from the seed)",
    std::array{named_choice{"own", middle_choice::own},
               named_choice{"random", middle_choice::random}}};

constexpr int two_stages = 2;
constexpr integer_parameter number_of_stages{"stages",
                                             "2, by way of one other processor; or 4, 6, ... on "
                                             "q^2, q^3, ... processors, by way of several, for few "
                                             "elements",
                                             two_stages, two_stages, 62};

/// How elements go, and by whose way.
[[nodiscard]] transportation_options options_from(arguments const& given) {
  transportation_options options{.route = given[way_of_elements]};
  if (given[way_of_first_elements] == middle_choice::own) return options;
  if (options.route == transportation_route::direct)
    throw invalid_argument(
        "--first random: elements that go straight go by way of nobody; take --route "
        "transportation");
  options.seed = given.seed();
  return options;
}

/// An element: where it goes, and what tells it from all others.
struct transported_number {
  int destination = 0;
  int source = 0;
  std::uint64_t number = 0;  ///< among those of its source for its destination

  friend bool operator==(transported_number const&, transported_number const&) = default;
};

/// The transportation problem: the elements of all processors are to come where they belong.
struct transportation_problem : problem_without_files {
  explicit transportation_problem(arguments const& given)
      : p(static_cast<std::size_t>(given.processors())),
        network(given.network()),
        traffic(traffic_from(given)),
        r(std::ranges::max(row_sums(traffic, p))),
        c(std::ranges::max(column_sums(traffic, p))) {}

  /// The elements of a processor, by destinations in turn: not laid out yet.
  [[nodiscard]] std::vector<transported_number> part_of(processor const& me) const {
    std::vector<transported_number> elements;
    auto const row = std::span(traffic).subspan(static_cast<std::size_t>(me.rank()) * p, p);
    auto const most = *std::ranges::max_element(row);
    for (std::uint64_t number = 0; number < most; ++number)
      for (std::size_t j = 0; j < p; ++j)
        if (number < row[j]) elements.push_back({static_cast<int>(j), me.rank(), number});
    return elements;
  }

  /// Whether each processor has the elements for it, by source.
  [[nodiscard]] bool is_solved_by(std::vector<std::vector<transported_number>> const& found) const {
    std::vector<transported_number> expected;
    for (std::size_t j = 0; j < p; ++j) {
      expected.clear();
      for (std::size_t i = 0; i < p; ++i)
        for (std::uint64_t number = 0; number < traffic[i * p + j]; ++number)
          expected.push_back({static_cast<int>(j), static_cast<int>(i), number});
      if (found[j] != expected) return false;
    }
    return true;
  }
  template <class Results>
  [[nodiscard]] traffic_requirement least_traffic(Results const& /*found*/) const {
    return relation_between(network, traffic);
  }

  std::size_t p;
  topology const& network;
  std::vector<std::uint64_t> traffic;  ///< elements from i to j at i p + j
  std::uint64_t r;                     ///< most that a processor sends
  std::uint64_t c;                     ///< most that a processor receives

 private:
  [[nodiscard]] static std::vector<std::uint64_t> traffic_from(arguments const& given) {
    require_rounds_of_all(given);
    auto const t = given[traffic_of_a_processor];
    constexpr double bytes_of_an_element = 102;
    require_memory(given, {.bytes_each = bytes_of_an_element * static_cast<double>(t),
                           .held = fmt::format("{} elements on their way", t),
                           .remedy = "a smaller t"});
    return generated_traffic(given[kind_of_traffic], given.processors(), t, given.seed());
  }
};

[[nodiscard]] std::uint64_t sum_of_loads(std::vector<std::uint64_t> const& loads) {
  return std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
}

[[nodiscard]] std::uint64_t rounds_with_words(std::vector<std::uint64_t> const& loads) {
  return loads.size() - static_cast<std::uint64_t>(std::ranges::count(loads, 0U));
}

/// Claims the counts of each round, and the bounds on each stage.
[[nodiscard]] std::vector<claim> transportation_claims(transportation_problem const& what,
                                                       transportation_options const& options) {
  auto const loads = loads_of(what.traffic, static_cast<int>(what.p), options.route, options.seed);
  bool const has_stages = options.route == transportation_route::two_stages;
  claim_list claims({{{"p", static_cast<double>(what.p)},
                      {"r", static_cast<double>(what.r)},
                      {"c", static_cast<double>(what.c)}}});
  claims.from("lockstep, of Shankar and Ranka 1997, section 2")
      .equal("rounds", has_stages ? "2(p-1)" : "p-1")
      .equal(
          "startups", "rounds in which something travels",
          static_cast<double>(rounds_with_words(loads.stage_1) + rounds_with_words(loads.stage_2)))
      .at_most("startups", has_stages ? "2(p-1)" : "p-1")
      .equal("words", "sum over rounds of the largest message",
             static_cast<double>(sum_of_loads(loads.stage_1) + sum_of_loads(loads.stage_2)));
  if (!has_stages) return claims;
  if (options.seed)
    claims.at_most("stage_1_words", "(p-1) ceil(r/p)");
  else
    claims.equal("stage_1_words", "r - ceil(r/p)");
  claims.at_most("stage_2_words", "(p-1)(floor(c/p) + p-1)");
  if (options.seed)
    claims
        .at_most("stage_2_words", likely_stage_2::formula,
                 likely_stage_2{static_cast<double>(what.p), static_cast<double>(what.c)}.words())
        .erratum(likely_stage_2::probability);
  claims.from("Shankar and Ranka 1997, sections 2 and 5 (number 1)")
      .about("words", "r + c")
      .where(detail::elements_of_transportation);
  if (claims.value("r - ceil(r/p) + (p-1)(floor(c/p) + p-1)") > claims.value("r + c"))
    claims.erratum("besides terms of lower order, up to (p-1)^2: messages are rounded up");
  return claims;
}

/// Runs the elements by way of several processors.
[[nodiscard]] experiment_result run_in_stages(arguments const& given,
                                              transportation_problem const& what) {
  auto const stages = static_cast<int>(given[number_of_stages]);
  auto const options = options_from(given);
  if (options.route == transportation_route::direct || options.seed)
    throw invalid_argument(
        fmt::format("--stages {}: elements that go by way of several processors are dealt in turn; "
                    "leave out --route "
                    "direct and --first random, or take --stages 2",
                    stages));
  auto result = solve(given, needs_of_access(), what,
                      [&](processor& me, std::vector<transported_number> const& mine) {
                        return transportation_in_stages(me, std::span(mine),
                                                        &transported_number::destination, stages);
                      });
  if (given.request().options.packet == 1)
    result.claims = transportation_in_stages_claims(given.network(), stages, what.r, what.c);
  return result;
}

/// Runs the elements by way of one other processor, or straight.
[[nodiscard]] experiment_result run_in_one_or_two(arguments const& given,
                                                  transportation_problem const& what) {
  auto const options = options_from(given);
  auto const route = options.route;
  bool const is_crossbar = is<crossbar>(given.network());
  if (is_crossbar) expect_steps((route == transportation_route::two_stages ? 2 : 1) * (what.p - 1));
  auto result =
      solve(given, needs_of_access(), what,
            [&](processor& me, std::vector<transported_number> const& mine) {
              return transportation(me, std::span(mine), &transported_number::destination, options)
                  .elements;
            });
  if (given.request().options.packet == 1)
    result.claims = is_crossbar
                        ? transportation_claims(what, options)
                        : network_transportation_claims(given.network(), what.r, what.c, route);
  auto const& phases = result.record.phases();
  result.figures["stage_1_words"] = static_cast<std::int64_t>(phases.front().words);
  if (phases.size() > 1)
    result.figures["stage_2_words"] = static_cast<std::int64_t>(phases.back().words);
  return result;
}

[[nodiscard]] experiment_result run_transportation(arguments const& given) {
  transportation_problem const what(given);
  auto result = given[number_of_stages] == two_stages ? run_in_one_or_two(given, what)
                                                      : run_in_stages(given, what);
  result.figures["r"] = static_cast<std::int64_t>(what.r);
  result.figures["c"] = static_cast<std::int64_t>(what.c);
  return result;
}

}  // namespace

experiment transportation_experiment() {
  return {.name = "transportation",
          .summary =
              "elements go anywhere, in messages of nearly the same size, by way of all "
              "processors",
          .topologies = "crossbar, hypercube, torus, mesh",
          .source = shankar_ranka_1997,
          .examples = {"crossbar:16", "crossbar:4", "crossbar:7", "crossbar:32", "crossbar:5",
                       "hypercube:4", "mesh:4x4", "torus:3x5"},
          .parameters = {traffic_of_a_processor, kind_of_traffic, way_of_elements,
                         way_of_first_elements, number_of_stages},
          .run = run_transportation};
}

}  // namespace lockstep
