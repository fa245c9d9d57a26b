#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/experiments/registry.hpp>

#include "harness/entries.hpp"
#include "harness/instances.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"
#include "prefix/generated_numbers.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;

/// "halving 16, spanning-tree 38, inorder 47 steps".
[[nodiscard]] std::string compared(std::vector<timed_scheme> const& fastest_first) {
  std::vector<std::string> texts;
  texts.reserve(fastest_first.size());
  for (auto const& [scheme, steps] : fastest_first)
    texts.push_back(fmt::format("{} {}", name_of(scheme), steps));
  return fmt::format("{} steps", fmt::join(texts, ", "));
}

/// As the parameter "scheme" says; none for "auto". Errors: invalid_argument for another name.
[[nodiscard]] std::optional<pipelined_scheme> scheme_from(experiment_request const& asked) {
  std::vector<std::string> names{"auto"};
  for (auto const scheme : all_pipelined_schemes) names.emplace_back(name_of(scheme));
  auto const index = choice(asked, "scheme", names);
  if (index == 0) return std::nullopt;
  return all_pipelined_schemes[index - 1];
}

/// Errors: invalid_argument for a scheme that cannot be had.
[[nodiscard]] prefix_schedule schedule_from(experiment_request const& asked, std::size_t k) {
  auto const with = asked.options.ports;
  auto const scheme = scheme_from(asked);
  return {*asked.network,
          scheme ? *scheme : fastest_schemes(*asked.network, k, with).front().scheme, with};
}

/// Whether processor `rank` has, of each prefix, what one gets by adding one after another.
[[nodiscard]] bool are_sums(std::vector<std::vector<number>> const& prefixes,
                            std::vector<number> const& numbers, std::size_t k) {
  std::vector<number> sums(k);
  for (std::size_t rank = 0; rank < prefixes.size(); ++rank)
    for (std::size_t j = 0; j < k; ++j) {
      sums[j] += numbers[rank * k + j];
      if (prefixes[rank][j] != sums[j]) return false;
    }
  return true;
}

/// The last processor needs something of all, and of all something of the first.
[[nodiscard]] traffic_requirement prefixes_demand(topology const& network, std::uint64_t k) {
  int const last = network.size() - 1;
  if (last == 0 || k == 0) return {};
  auto const p = static_cast<std::uint64_t>(network.size());
  return {.taken_in = k,
          .sent = k,
          .moved = (p - 1) * k,
          .distance = network.hops(0, last),
          .joined = p};
}

[[nodiscard]] experiment_result run_pipelined_prefix(experiment_request const& asked) {
  require_prefix_network(*asked.network);
  constexpr std::uint64_t bytes_of_a_prefix = 96;  // at first, under way and in the end
  auto const k = instances_from(asked, bytes_of_a_prefix);
  auto const schedule = schedule_from(asked, k);
  auto const numbers =
      generated_numbers(asked, static_cast<std::size_t>(asked.network->size()) * k);
  machine const on(asked.network, asked.options);
  auto run = on.run(
      [&](processor& me) {
        auto const mine = std::span(numbers).subspan(static_cast<std::size_t>(me.rank()) * k, k);
        return pipelined_prefix(me, monoid{number{0}, std::plus<number>{}}, mine, schedule);
      },
      asked.observers);
  bool const correct = are_sums(run.results(), numbers, k);
  experiment_result result{.record = std::move(run), .correct = correct};
  result.claims =
      pipelined_prefix_claims(*asked.network, schedule.scheme(), k, asked.options.ports);
  result.bounds = lower_bounds(result.record, prefixes_demand(*asked.network, k));
  result.figures["scheme"] = std::string(name_of(schedule.scheme()));
  result.figures["schemes"] = compared(fastest_schemes(*asked.network, k, asked.options.ports));
  result.parameters = asked.parameters;
  return result;
}

}  // namespace

experiment pipelined_prefix_entry() {
  return {
      .name = "pipelined-prefix",
      .summary = "k prefixes at once, and whether they take the paper's 2k + 4 log p steps",
      .topologies = "tree, hypercube, shuffle-exchange",
      .source = mayr_plaxton_1989,
      .examples = {"tree:5", "tree:3", "tree:7", "hypercube:3", "hypercube:5", "hypercube:7",
                   "shuffle-exchange:3", "shuffle-exchange:5", "shuffle-exchange:7"},
      .parameters = {{"k", "number of prefixes", std::int64_t{8}},
                     {"scheme",
                      "auto (fewest steps); lagged (tree); inorder, spanning-tree, halving, fft "
                      "(hypercube); relay, combined, halving (shuffle-exchange)",
                      std::string("auto")}},
      .run = run_pipelined_prefix,
  };
}

}  // namespace lockstep
