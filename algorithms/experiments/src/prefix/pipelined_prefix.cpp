#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/textbook/pipelined_prefix_by_halving.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "network_kind.hpp"
#include "prefix/prefix_problem.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;
using enum pipelined_scheme;

/// A scheme under its name; none for "auto".
[[nodiscard]] constexpr named_choice<std::optional<pipelined_scheme>> named(
    char const* name, std::optional<pipelined_scheme> of = {}) {
  return {name, of};
}

constexpr choice_parameter scheme_of_pipeline{
    "scheme",
    "auto (fewest steps); lagged (tree); trimmed (tree:3); inorder, spanning-tree, halving, fft "
    "(hypercube); relay, "
    "combined, halving (shuffle-exchange)",
    std::array{named("auto"), named("lagged", lagged), named("inorder", inorder),
               named("spanning-tree", spanning_tree), named("halving", halving), named("fft", fft),
               named("relay", relay), named("combined", combined), named("trimmed", trimmed)}};

/// "halving 16, spanning-tree 38, inorder 47 steps".
[[nodiscard]] std::string compared(std::vector<timed_scheme> const& fastest_first) {
  std::vector<std::string> texts;
  texts.reserve(fastest_first.size());
  for (auto const& [scheme, steps] : fastest_first)
    texts.push_back(fmt::format("{} {}", name_of(scheme), steps));
  return fmt::format("{} steps", fmt::join(texts, ", "));
}

[[nodiscard]] prefix_schedule schedule_from(arguments const& given, std::size_t k) {
  auto const with = given.request().options.ports;
  auto const& network = given.network();
  auto asked = given[scheme_of_pipeline];
  if (given[textbook_form]) {
    if (asked.value_or(halving) != halving || !is<hypercube>(network))
      throw invalid_argument(
          "pipelined-prefix: --textbook is the scheme halving on a hypercube; take hypercube:4, "
          "for example, and leave out --scheme");
    asked = halving;
  }
  return {network, asked ? *asked : fastest_schemes(network, k, with).front().scheme, with};
}

[[nodiscard]] experiment_result run_pipelined_prefix(arguments const& given) {
  auto const& network = given.network();
  auto const with = given.request().options.ports;
  require_prefix_network(network);
  auto const k = instances_from(given, {.bytes_each = 176,  // at first, under way and in the end
                                        .waiting = 1536,
                                        .outgrown = 300});
  auto const schedule = schedule_from(given, k);
  prefix_problem<number> const of{
      .given = given,
      .values = generated_numbers(given, static_cast<std::size_t>(network.size()) * k),
      .plus = operator_at<number>(0),
      .instances = k};
  auto result = solve(given, {}, pipelined_prefix_claims(network, schedule.scheme(), k, with), of,
                      [&, by_textbook = given[textbook_form]](processor& me, auto const& mine) {
                        monoid const plus{number{0}, std::plus<number>{}};
                        if (by_textbook)
                          return textbook::pipelined_prefix_by_halving(me, plus, mine);
                        return pipelined_prefix(me, plus, mine, schedule);
                      });
  result.figures["scheme"] = std::string(name_of(schedule.scheme()));
  result.figures["schemes"] = compared(fastest_schemes(network, k, with));
  return result;
}

}  // namespace

experiment pipelined_prefix_experiment() {
  return {
      .name = "pipelined-prefix",
      .summary = "k prefixes at once, and whether they take the paper's 2k + 4 log p steps",
      .topologies = "tree, hypercube, shuffle-exchange",
      .source = mayr_plaxton_1989,
      .examples = {"tree:5", "tree:3", "tree:7", "hypercube:3", "hypercube:5", "hypercube:7",
                   "shuffle-exchange:3", "shuffle-exchange:5", "shuffle-exchange:7"},
      .parameters = {instances("number of prefixes"), scheme_of_pipeline, textbook_form},
      .run = run_pipelined_prefix,
  };
}

}  // namespace lockstep
