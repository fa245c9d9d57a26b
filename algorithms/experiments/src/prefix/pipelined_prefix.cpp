#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/textbook/pipelined_prefix_by_halving.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "network_kind.hpp"
#include "prefix/pipelined_schemes.hpp"
#include "prefix/prefix_problem.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;
using enum pipelined_scheme;

/// Reads the scheme that is asked for; none where any will do.
/// Errors: invalid_argument for the textbook's form with what it does not have.
[[nodiscard]] std::optional<pipelined_scheme> scheme_from(arguments const& given) {
  auto const asked = given[scheme_of_pipeline];
  if (!given[textbook_form]) return asked;
  if (asked.value_or(halving) != halving || !is<hypercube>(given.network()))
    throw invalid_argument(
        "pipelined-prefix: --textbook is the scheme halving on a hypercube; take hypercube:4, "
        "for example, and leave out --scheme");
  return halving;
}

[[nodiscard]] experiment_result run_pipelined_prefix(arguments const& given) {
  auto const& network = given.network();
  auto const plus = operator_from<number>(given);
  auto const kind = given[kind_of_prefix];
  require_prefix_network(network);
  require_identity("pipelined-prefix", plus, kind);
  auto const k = instances_from(given, {.bytes_each = 340,  // at first, under way and in the end
                                        .waiting = 1536,
                                        .outgrown = 300});
  auto const schedule = schedule_of(given, scheme_from(given), k);
  prefix_problem<number> const of{
      .given = given,
      .values = generated_numbers(given, static_cast<std::size_t>(network.size()) * k),
      .plus = plus,
      .kind = kind,
      .instances = k};
  auto const run = [&, by_textbook = given[textbook_form]](processor& me,
                                                           std::span<number const> mine) {
    std::vector<extended<number>> const values(mine.begin(), mine.end());
    auto const prefixes =
        by_textbook ? textbook::pipelined_prefix_by_halving(me, plus.as_monoid(), values, kind)
                    : pipelined_prefix(me, plus.as_monoid(), values, schedule, kind);
    std::vector<number> sums;
    sums.reserve(k);
    for (auto const& sum : prefixes) sums.push_back(sum.value);
    return sums;
  };
  auto claims =
      pipelined_prefix_claims(network, schedule.scheme(), k, given.request().options.ports);
  if (!plus.identity.is_there) claims = for_any_operator(std::move(claims));
  auto result = solve(given, {}, std::move(claims), of, run);
  add_schemes_to(result, given, schedule, k);
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
      .parameters = {instances("number of prefixes"), kind_of_prefix, prefix_operator,
                     scheme_of_pipeline, textbook_form},
      .run = run_pipelined_prefix,
  };
}

}  // namespace lockstep
