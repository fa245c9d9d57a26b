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
#include "harness/solve.hpp"
#include "harness/sources.hpp"

namespace lockstep {

namespace {

using msbt_numbers = std::vector<std::int64_t>;

constexpr flag_parameter plain_trees{"plain",
                                     "the last packet by a binomial tree, too: k + d steps"};

/// Bytes on a processor's stack while it waits.
constexpr std::size_t on_stack = 320;

/// The problem of k packets that go from one processor to all or, where all have numbers, of their k
/// sums at one.
struct trees_problem {
  trees_problem(arguments const& asked, double bytes_of_a_number, bool of_all)
      : given(asked),
        sums_up(of_all),
        d(detail::required_hypercube(given.network(), "binomial trees").dimension()),
        k(instances_from(given, {.bytes_each = bytes_of_a_number, .waiting = on_stack})),
        root(root_from(given)),
        numbers(generated_numbers(given, (of_all ? std::size_t{1} << d : 1) * k)) {}

  [[nodiscard]] std::span<std::int64_t const> part_of(processor const& me) const {
    if (sums_up) return std::span(numbers).subspan(static_cast<std::size_t>(me.rank()) * k, k);
    return me.rank() == root ? std::span(numbers) : std::span<std::int64_t const>();
  }
  [[nodiscard]] bool is_solved_by(std::vector<msbt_numbers> const& found) const {
    msbt_numbers sums(k);
    for (std::size_t i = 0; i < numbers.size(); ++i) sums[i % k] += numbers[i];
    for (int rank = 0; auto const& one : found)
      if (rank++ != root && sums_up ? !one.empty() : one != sums) return false;
    return true;
  }
  /// From one to all, or back, the farthest are d links apart.
  [[nodiscard]] traffic_requirement least_traffic(std::vector<msbt_numbers> const& found) const {
    auto const p = std::uint64_t{found.size()};
    if (p == 1) return {};
    return {.taken_in = k, .sent = k, .moved = (p - 1) * k, .distance = d, .joined = p};
  }

  arguments given;
  bool sums_up;
  int d;
  std::size_t k;
  int root;
  msbt_numbers numbers;  ///< of all processors that have some
};

/// Runs `program(me, numbers, scheme)` in lock step.
template <class Program>
[[nodiscard]] experiment_result run_trees(trees_problem const& problem, Program const& program) {
  auto const& given = problem.given;
  auto const scheme = given[plain_trees] ? msbt_scheme::plain : msbt_scheme::optimal;
  return solve(given, {.strict = strictness::always, .waiting = on_stack},
               msbt_claims(given.network(), problem.k, scheme), problem,
               [&](processor& me, auto mine) { return program(me, mine, scheme); });
}

[[nodiscard]] experiment_result run_broadcast(arguments const& given) {
  trees_problem const problem(given, 2 * sizeof(std::int64_t), false);
  return run_trees(problem, [&](processor& me, auto mine, msbt_scheme scheme) {
    msbt_numbers packets(mine.begin(), mine.end());
    packets.resize(problem.k, std::numeric_limits<std::int64_t>::min());
    msbt_broadcast(me, std::span(packets), problem.root, scheme);
    return packets;
  });
}

[[nodiscard]] experiment_result run_sum(arguments const& given) {
  trees_problem const problem(given, 3 * sizeof(std::int64_t), true);
  return run_trees(problem, [&](processor& me, auto mine, msbt_scheme scheme) {
    return msbt_sum(me, std::plus<std::int64_t>{}, mine, problem.root, scheme);
  });
}

/// Makes one of the two experiments, which run on the same networks with the same parameters.
[[nodiscard]] experiment on_hypercubes(std::string name, std::string summary,
                                       experiment_result (*run)(arguments const& given),
                                       std::string_view root_help) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .topologies = "hypercube",
          .source = mayr_plaxton_1989 + std::string("; the trees are Ho and Johnsson's"),
          .examples = {"hypercube:4", "hypercube:2", "hypercube:6", "hypercube:8"},
          .parameters = {instances("number of packets"), root_of(root_help), plain_trees},
          .run = run};
}

}  // namespace

experiment msbt_broadcast_experiment() {
  return on_hypercubes("msbt-broadcast",
                       "k packets of a processor go to all, by multiple spanning binomial trees",
                       run_broadcast, "the processor that has the packets");
}

experiment msbt_sum_experiment() {
  return on_hypercubes(
      "msbt-sum", "k sums over all processors at one of them, by multiple spanning binomial trees",
      run_sum, "the processor that gets the sums");
}

}  // namespace lockstep
