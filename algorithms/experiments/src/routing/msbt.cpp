#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/algorithms/routing/msbt.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"

namespace lockstep {

namespace {

using msbt_number = std::int64_t;

constexpr flag_parameter plain_trees{"plain",
                                     "the last packet by a binomial tree, too: k + d steps"};

/// Bytes on a processor's stack while it waits.
constexpr std::size_t on_stack = 320;

/// Trees that are asked for.
struct trees_run {
  trees_run(arguments const& asked, double bytes_of_a_number)
      : given(asked),
        d(detail::required_hypercube(given.network(), "binomial trees").dimension()),
        k(instances_from(given, {.bytes_each = bytes_of_a_number, .waiting = on_stack})),
        root(root_from(given)) {}

  /// Runs `program(me)`, which says whether this processor has what it should, in lock step. From
  /// one to all, or back, the farthest are d links apart.
  template <class Program>
  [[nodiscard]] experiment_result check(Program const& program) const {
    auto claims = msbt_claims(given.network(), k, scheme);
    expect_steps(claims);
    auto result =
        run_and_check(given, {.strict = strictness::always, .waiting = on_stack}, program);
    result.claims = std::move(claims);
    auto const p = static_cast<std::uint64_t>(given.processors());
    traffic_requirement needed;
    if (p > 1)
      needed = {.taken_in = k, .sent = k, .moved = (p - 1) * k, .distance = d, .joined = p};
    result.bounds = lower_bounds(result.record, needed);
    return result;
  }

  arguments given;
  int d;
  std::size_t k;
  int root;
  msbt_scheme scheme = given[plain_trees] ? msbt_scheme::plain : msbt_scheme::optimal;
};

[[nodiscard]] experiment_result run_broadcast(arguments const& given) {
  trees_run const trees(given, 2 * sizeof(msbt_number));
  auto const packets = generated_numbers(given, trees.k);
  return trees.check([&](processor& me) {
    std::vector<msbt_number> mine(trees.k, std::numeric_limits<msbt_number>::min());
    if (me.rank() == trees.root) mine = packets;
    msbt_broadcast(me, std::span(mine), trees.root, trees.scheme);
    return mine == packets;
  });
}

[[nodiscard]] experiment_result run_sum(arguments const& given) {
  trees_run const trees(given, 3 * sizeof(msbt_number));
  auto const k = trees.k;
  auto const numbers = generated_numbers(given, static_cast<std::size_t>(given.processors()) * k);
  std::vector<msbt_number> sums(k);
  for (std::size_t i = 0; i < numbers.size(); ++i) sums[i % k] += numbers[i];
  return trees.check([&](processor& me) {
    auto const mine = std::span(numbers).subspan(static_cast<std::size_t>(me.rank()) * k, k);
    auto const got = msbt_sum(me, std::plus<msbt_number>{}, mine, trees.root, trees.scheme);
    return me.rank() == trees.root ? got == sums : got.empty();
  });
}

/// Completes an experiment: both run on the same networks, with the same parameters.
[[nodiscard]] experiment on_hypercubes(experiment of, std::string_view root_help) {
  of.topologies = "hypercube";
  of.source = mayr_plaxton_1989 + std::string("; the trees are Ho and Johnsson's");
  of.examples = {"hypercube:4", "hypercube:2", "hypercube:6", "hypercube:8"};
  of.parameters = {instances("number of packets"), root_of(root_help), plain_trees};
  return of;
}

}  // namespace

experiment msbt_broadcast_experiment() {
  return on_hypercubes(
      {.name = "msbt-broadcast",
       .summary = "k packets of a processor go to all, by multiple spanning binomial trees",
       .run = run_broadcast},
      "the processor that has the packets");
}

experiment msbt_sum_experiment() {
  return on_hypercubes(
      {.name = "msbt-sum",
       .summary = "k sums over all processors at one of them, by multiple spanning binomial trees",
       .run = run_sum},
      "the processor that gets the sums");
}

}  // namespace lockstep
