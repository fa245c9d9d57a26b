#include <lockstep/algorithms/routing/h_relation_direct.hpp>
#include <lockstep/detail/checked_counts.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

#include "choices.hpp"
#include "harness/experiment_list.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "routing/h_relation_problem.hpp"
#include "routing/option_names.hpp"
#include "routing/row_sums.hpp"

namespace lockstep {

namespace {

constexpr choice_parameter partners{
    "order", "the partners of the rounds: pex (i and i xor k) or lp (from i to (i + k) mod p)",
    choices_of(detail::round_order_names)};
constexpr choice_parameter timing_of_rounds{
    "timing",
    "how the rounds are counted: stepwise (each pays a start-up and its largest block) or "
    "pipelined (all pay one)",
    choices_of(detail::round_timing_names)};

constexpr auto own_source = "lockstep, of Bader, Helman and JaJa 1996, section 3.2";

/// Counts the words that go from i to j, row by row: a processor's own elements stay.
[[nodiscard]] std::vector<std::uint64_t> words_between(h_relation_problem const& what) {
  auto words = elements_between(what.input);
  auto const p = what.input.destinations.size();
  for (std::size_t i = 0; i < p; ++i) words[i * p + i] = 0;
  for (auto& each : words) each = detail::in_whole_packets(each, what.packet);
  return words;
}

/// Claims what holds of groups: a processor's blocks of n/(pt) elements go out in t g rounds,
/// and in a round every processor sends one.
void claim_g_group(claim_list& claims, h_relation_size const& size) {
  bool const one_is_local =
      2 * size.targets * size.group > static_cast<std::uint64_t>(size.processors);
  claims.from(own_source)
      .with("g", static_cast<double>(size.group))
      .with("t", static_cast<double>(size.targets))
      .equal("startups", one_is_local ? "t g - 1" : "t g")
      .equal("words", one_is_local ? "g n/p - n/(pt)" : "g n/p");
}

void claim_stepwise(claim_list& claims, h_relation_problem const& what, round_order order) {
  auto const& size = what.input.size;
  auto const between = words_between(what);
  auto const p = what.input.destinations.size();
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
  for (int round = 1; round <= rounds_of(order, size.processors); ++round) {
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < p; ++i) {
      int const to = partners_in(order, round, static_cast<int>(i), size.processors).to;
      if (to >= 0) largest = std::max(largest, between[i * p + static_cast<std::size_t>(to)]);
    }
    startups += largest > 0 ? 1 : 0;
    words += largest;
  }
  claims.equal("startups", "rounds in which something travels", static_cast<double>(startups))
      .equal("words", "sum over rounds of the largest block", static_cast<double>(words));
  if (order != round_order::pex || what.packet != 1) return;
  if (what.pattern == h_pattern::g_group) claim_g_group(claims, size);
  if (what.pattern == h_pattern::orth && size.elements % p == 0)
    claims.from(own_source).equal("words", "(p-1) n/p");
}

void claim_pipelined(claim_list& claims, h_relation_problem const& what) {
  auto const between = words_between(what);
  auto const p = what.input.destinations.size();
  auto const words =
      std::max(std::ranges::max(row_sums(between, p)), std::ranges::max(column_sums(between, p)));
  claims.equal("startups", words > 0 ? "1" : "0, for nothing travels")
      .equal("words", "max over processors of max(sent, received)", static_cast<double>(words));
  if (what.packet == 1) claims.from(own_source).at_most("words", "max(h1, h2)" + what.own_limits());
}

[[nodiscard]] experiment_result run_direct(arguments const& given) {
  auto const order = given[partners];
  auto const timing = given[timing_of_rounds];
  h_relation_problem const what(given, arrival_order::by_source, {.element = 43, .bin = 45});
  expect_steps(static_cast<std::uint64_t>(rounds_of(order, given.processors())));
  auto result =
      solve(given, what.needs, what, [&](processor& me, std::vector<labelled> const& mine) {
        return h_relation_direct(me, std::span(mine), &labelled::home, order, timing);
      });
  auto claims = what.claims();
  claims.from(own_source).equal("rounds", order == round_order::lp ? "p-1" : "2^ceil(log2 p) - 1");
  if (timing == round_timing::stepwise)
    claim_stepwise(claims, what, order);
  else
    claim_pipelined(claims, what);
  result.claims = claims;
  result.figures["largest_block"] =
      static_cast<std::int64_t>(std::ranges::max(elements_between(what.input)));
  return result;
}

}  // namespace

experiment h_relation_direct_experiment() {
  return h_relation_experiment_of(
      "h-relation-direct", "elements go anywhere, straight, in blocks as the input makes them",
      bader_helman_jaja_1996, run_direct, {partners, timing_of_rounds});
}

}  // namespace lockstep
