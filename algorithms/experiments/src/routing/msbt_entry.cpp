#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/algorithms/routing/msbt.hpp>
#include <lockstep/experiments/registry.hpp>

#include "harness/entries.hpp"
#include "harness/instances.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"
#include "prefix/generated_numbers.hpp"

namespace lockstep {

namespace {

using element = std::int64_t;

/// What is asked for.
struct asked_trees {
  std::size_t k;
  int root;
  msbt_scheme scheme;
};

[[nodiscard]] asked_trees trees_from(experiment_request const& asked,
                                     std::uint64_t bytes_of_a_number) {
  static_cast<void>(detail::required_hypercube(*asked.network, "binomial trees"));
  auto const k = instances_from(asked, bytes_of_a_number);
  auto const root = whole_number(asked, "root", 0, 0, asked.network->size() - 1);
  return {k, static_cast<int>(root),
          flag(asked, "plain") ? msbt_scheme::plain : msbt_scheme::optimal};
}

/// From one to all, or back: the farthest is as far as there is.
[[nodiscard]] traffic_requirement one_and_all(topology const& network, std::uint64_t k) {
  auto const p = static_cast<std::uint64_t>(network.size());
  if (p == 1 || k == 0) return {};
  return {
      .taken_in = k, .sent = k, .moved = (p - 1) * k, .distance = network.diameter(), .joined = p};
}

/// Runs `program(me)`, which says whether this processor has what it should, in lock step.
template <class Program>
[[nodiscard]] experiment_result run_and_claim(experiment_request const& asked,
                                              asked_trees const& trees, Program const& program) {
  auto options = asked.options;
  options.strict = true;
  machine const on(asked.network, options);
  auto run = on.run([&](processor& me) -> int { return program(me) ? 1 : 0; }, asked.observers);
  bool const correct = std::ranges::find(run.results(), 0) == run.results().end();
  auto bounds = lower_bounds(run, one_and_all(*asked.network, trees.k));
  return {.record = std::move(run),
          .correct = correct,
          .claims = msbt_claims(*asked.network, trees.k, trees.scheme),
          .bounds = std::move(bounds),
          .parameters = asked.parameters};
}

[[nodiscard]] experiment_result run_broadcast(experiment_request const& asked) {
  auto const trees = trees_from(asked, 2 * sizeof(element));
  auto const packets = generated_numbers(asked, trees.k);
  return run_and_claim(asked, trees, [&](processor& me) {
    std::vector<element> mine(trees.k, std::numeric_limits<element>::min());
    if (me.rank() == trees.root) mine = packets;
    msbt_broadcast(me, std::span(mine), trees.root, trees.scheme);
    return mine == packets;
  });
}

[[nodiscard]] experiment_result run_sum(experiment_request const& asked) {
  auto const trees = trees_from(asked, 3 * sizeof(element));
  auto const k = trees.k;
  auto const numbers =
      generated_numbers(asked, static_cast<std::size_t>(asked.network->size()) * k);
  std::vector<element> sums(k);
  for (std::size_t i = 0; i < numbers.size(); ++i) sums[i % k] += numbers[i];
  return run_and_claim(asked, trees, [&](processor& me) {
    auto const mine = std::span(numbers).subspan(static_cast<std::size_t>(me.rank()) * k, k);
    auto const got = msbt_sum(me, std::plus<element>{}, mine, trees.root, trees.scheme);
    return me.rank() == trees.root ? got == sums : got.empty();
  });
}

[[nodiscard]] experiment entry(std::string name, std::string summary, std::string root,
                               experiment_result (*run)(experiment_request const&)) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .topologies = "hypercube",
      .source = fmt::format("{}; the trees are Ho and Johnsson's", mayr_plaxton_1989),
      .examples = {"hypercube:4", "hypercube:2", "hypercube:6", "hypercube:8"},
      .parameters = {{"k", "number of packets", std::int64_t{8}},
                     {"root", std::move(root), std::int64_t{0}},
                     {"plain", "the last packet by a binomial tree, too: k + d steps", false}},
      .run = run,
  };
}

}  // namespace

experiment msbt_broadcast_entry() {
  return entry("msbt-broadcast",
               "k packets of a processor go to all, by multiple spanning binomial trees",
               "the processor that has the packets", run_broadcast);
}

experiment msbt_sum_entry() {
  return entry("msbt-sum",
               "k sums over all processors at one of them, by multiple spanning binomial trees",
               "the processor that gets the sums", run_sum);
}

}  // namespace lockstep
