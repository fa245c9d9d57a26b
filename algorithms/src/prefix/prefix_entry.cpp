#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/algorithms/registry.hpp>

#include "entries.hpp"
#include "parameters.hpp"
#include "prefix/made_numbers.hpp"
#include "prefix/named_operator.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;

constexpr char const* source =
    "Mayr and Plaxton, Pipelined Parallel Prefix Computations, and Sorting on a Pipelined "
    "Hypercube, 1989";

/// One for each processor.
/// Errors: invalid_argument for a network without prefixes; out_of_memory.
[[nodiscard]] std::vector<number> made_for_all(request const& asked) {
  constexpr std::size_t bytes_each = 64;  // its number, what it returns, what it ought to
  require_prefix_network(*asked.network);
  machine(asked.network, asked.options).require_memory(bytes_each);
  return made_numbers(asked, static_cast<std::size_t>(asked.network->size()));
}

/// Where intervals begin: at about every fourth processor.
[[nodiscard]] std::vector<bool> made_intervals(request const& asked) {
  std::mt19937_64 random(static_cast<std::uint64_t>(whole_number(asked, "seed", 1, 0)) + 1);
  std::vector<bool> begins(static_cast<std::size_t>(asked.network->size()));
  std::generate(begins.begin(), begins.end(), [&] { return random() % 4 == 0; });
  return begins;
}

/// One after the other, from one end or the other.
[[nodiscard]] std::vector<std::optional<number>> one_after_another(std::vector<number> numbers,
                                                                   named_operator const& plus,
                                                                   prefix_kind kind) {
  bool const backward = kind == prefix_kind::backward || kind == prefix_kind::backward_exclusive;
  bool const inclusive = kind == prefix_kind::inclusive || kind == prefix_kind::backward;
  if (backward) std::ranges::reverse(numbers);
  std::vector<std::optional<number>> prefixes;
  std::optional<number> sum = plus.identity.as_optional();
  for (auto const next : numbers) {
    if (!inclusive) prefixes.push_back(sum);
    if (!sum)
      sum = next;
    else
      sum = backward ? plus(next, *sum) : plus(*sum, next);
    if (inclusive) prefixes.push_back(sum);
  }
  if (backward) std::ranges::reverse(prefixes);
  return prefixes;
}

[[nodiscard]] std::vector<std::optional<number>> interval_by_interval(
    std::vector<number> const& numbers, std::vector<bool> const& begins,
    named_operator const& plus) {
  std::vector<std::optional<number>> prefixes;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    prefixes.emplace_back(i == 0 || begins[i] ? numbers[i] : plus(*prefixes.back(), numbers[i]));
  return prefixes;
}

/// Runs `program(me, number, begins)` on every processor, and compares what it returns.
template <class Program>
[[nodiscard]] outcome run_and_compare(request const& asked, std::vector<number> const& numbers,
                                      std::vector<bool> const& begins,
                                      std::vector<std::optional<number>> const& expected,
                                      Program const& program) {
  machine const on(asked.network, asked.options);
  auto run = on.run(
      [&](processor& me) -> std::optional<number> {
        auto const rank = static_cast<std::size_t>(me.rank());
        return program(me, numbers[rank], begins[rank]);
      },
      asked.observers);
  bool const correct = run.results() == expected;
  outcome result{.record = std::move(run), .correct = correct};
  result.claims = prefix_claims(*asked.network, 1);
  result.parameters = asked.parameters;
  return result;
}

[[nodiscard]] outcome run_prefix(request const& asked) {
  auto const plus = operator_asked_for(asked);
  auto const kind = kind_asked_for(asked);
  bool const needs_identity =
      kind == prefix_kind::exclusive || kind == prefix_kind::backward_exclusive;
  if (needs_identity && !plus.identity.is_there)
    throw invalid_argument(fmt::format(
        "prefix: {} has no identity, which an exclusive prefix begins with; take --kind inclusive "
        "or backward, or --operator add, min or max",
        plus.name));
  auto const numbers = made_for_all(asked);
  return run_and_compare(asked, numbers, std::vector<bool>(numbers.size()),
                         one_after_another(numbers, plus, kind),
                         [&](processor& me, number mine, bool /*begins*/) -> std::optional<number> {
                           if (!plus.identity.is_there) return prefix(me, plus, mine, kind);
                           return prefix(me, monoid{plus.identity.value, plus}, mine, kind);
                         });
}

[[nodiscard]] outcome run_segmented_prefix(request const& asked) {
  auto const plus = operator_asked_for(asked);
  auto const numbers = made_for_all(asked);
  auto const begins = made_intervals(asked);
  auto const wider = with_identity<number>(plus);
  return run_and_compare(
      asked, numbers, begins, interval_by_interval(numbers, begins, plus),
      [&](processor& me, number mine, bool begins_here) {
        return segmented_prefix(me, wider, begins_here, extended<number>(mine)).as_optional();
      });
}

[[nodiscard]] outcome run_data_distribution(request const& asked) {
  auto const numbers = made_for_all(asked);
  auto const begins = made_intervals(asked);
  named_operator const copy{"first", {}, [](number a, number /*b*/) { return a; }};
  return run_and_compare(asked, numbers, begins, interval_by_interval(numbers, begins, copy),
                         [](processor& me, number mine, bool begins_here) {
                           return std::optional(data_distribution(me, begins_here, mine));
                         });
}

[[nodiscard]] parameter operator_parameter() {
  return {"operator", "add, min, max, first or last", std::string("add")};
}

}  // namespace

algorithm prefix_entry() {
  return {
      .name = "prefix",
      .summary = "prefix: processor i gets x_0 + ... + x_i, for any associative operator",
      .topologies = "tree, hypercube, shuffle-exchange",
      .source = source,
      .example = "tree:4",
      .parameters = {{"kind", "inclusive, exclusive, backward or backward-exclusive",
                      std::string("inclusive")},
                     operator_parameter()},
      .run = run_prefix,
  };
}

algorithm segmented_prefix_entry() {
  return {
      .name = "segmented-prefix",
      .summary = "a prefix of each interval of processors, by one prefix of a wider operator",
      .topologies = "tree, hypercube, shuffle-exchange",
      .source = source,
      .example = "hypercube:4",
      .parameters = {operator_parameter()},
      .run = run_segmented_prefix,
  };
}

algorithm data_distribution_entry() {
  return {
      .name = "data-distribution",
      .summary = "all processors of an interval get its first one's value, by a segmented prefix",
      .topologies = "tree, hypercube, shuffle-exchange",
      .source = source,
      .example = "shuffle-exchange:4",
      .parameters = {},
      .run = run_data_distribution,
  };
}

}  // namespace lockstep
