#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/experiments/output_file.hpp>
#include <lockstep/experiments/registry.hpp>

#include "files/csv_file.hpp"
#include "files/write_result.hpp"
#include "harness/entries.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"
#include "prefix/generated_numbers.hpp"
#include "prefix/named_operator.hpp"
#include "prefix/prefix_of_column.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;

/// One for each processor.
/// Errors: invalid_argument for a network without prefixes; out_of_memory.
[[nodiscard]] std::vector<number> generated_for_all(experiment_request const& asked) {
  constexpr std::size_t bytes_each = 64;  // its number, what it returns, what it ought to
  require_prefix_network(*asked.network);
  machine(asked.network, asked.options).require_memory(bytes_each);
  return generated_numbers(asked, static_cast<std::size_t>(asked.network->size()));
}

/// Where intervals begin: at about every fourth processor.
[[nodiscard]] std::vector<bool> generated_intervals(experiment_request const& asked) {
  std::mt19937_64 random(static_cast<std::uint64_t>(whole_number(asked, "seed", 1, 0)) + 1);
  std::vector<bool> begins(static_cast<std::size_t>(asked.network->size()));
  std::generate(begins.begin(), begins.end(), [&] { return random() % 4 == 0; });
  return begins;
}

/// One after the other, from one end or the other.
[[nodiscard]] std::vector<std::optional<number>> one_after_another(
    std::vector<number> numbers, named_operator<number> const& plus, prefix_kind kind) {
  bool const backward = !is_forward(kind);
  if (backward) std::ranges::reverse(numbers);
  std::vector<std::optional<number>> prefixes;
  std::optional<number> sum = plus.identity.as_optional();
  for (auto const next : numbers) {
    if (!is_inclusive(kind)) prefixes.push_back(sum);
    if (!sum)
      sum = next;
    else
      sum = backward ? plus(next, *sum) : plus(*sum, next);
    if (is_inclusive(kind)) prefixes.push_back(sum);
  }
  if (backward) std::ranges::reverse(prefixes);
  return prefixes;
}

[[nodiscard]] std::vector<std::optional<number>> interval_by_interval(
    std::vector<number> const& numbers, std::vector<bool> const& begins,
    named_operator<number> const& plus) {
  std::vector<std::optional<number>> prefixes;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    prefixes.emplace_back(i == 0 || begins[i] ? numbers[i] : plus(*prefixes.back(), numbers[i]));
  return prefixes;
}

/// A run, and what its processors returned.
struct run_of_prefixes {
  experiment_result result;
  std::vector<std::optional<number>> prefixes;
};

/// Of intervals: a processor needs something of all before it in its own, whatever the operator.
[[nodiscard]] traffic_requirement prefix_demand(topology const& network,
                                                std::vector<bool> const& begins) {
  traffic_requirement needed;
  int first = 0;
  for (int rank = 1; rank < network.size(); ++rank) {
    if (begins[static_cast<std::size_t>(rank)]) first = rank;
    if (rank == first) continue;
    needed.taken_in = needed.sent = 1;
    ++needed.moved;
    needed.distance = std::max(needed.distance, network.hops(first, rank));
    needed.joined = std::max(needed.joined, static_cast<std::uint64_t>(rank - first) + 1);
  }
  return needed;
}

/// Runs `program(me, number, begins)` on every processor, and compares what it returns.
template <class Program>
[[nodiscard]] run_of_prefixes run_and_compare(experiment_request const& asked,
                                              std::vector<number> const& numbers,
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
  auto prefixes = std::move(run.results());
  bool const correct = prefixes == expected;
  experiment_result result{.record = std::move(run), .correct = correct};
  result.claims = prefix_claims(*asked.network, 1, asked.options.ports);
  result.bounds = lower_bounds(result.record, prefix_demand(*asked.network, begins));
  result.parameters = asked.parameters;
  return {std::move(result), std::move(prefixes)};
}

void require_identity(named_operator<number> const& plus, prefix_kind kind) {
  if (is_inclusive(kind) || plus.identity.is_there) return;
  throw invalid_argument(fmt::format(
      "prefix: {} has no identity, which an exclusive prefix begins with; take --kind inclusive "
      "or backward, or --operator add, min or max",
      plus.name));
}

[[nodiscard]] run_of_prefixes prefix_of_made_numbers(experiment_request const& asked,
                                                     named_operator<number> const& plus,
                                                     prefix_kind kind) {
  auto const numbers = generated_for_all(asked);
  return run_and_compare(asked, numbers, std::vector<bool>(numbers.size()),
                         one_after_another(numbers, plus, kind),
                         [&](processor& me, number mine, bool /*begins*/) -> std::optional<number> {
                           if (!plus.identity.is_there) return prefix(me, plus, mine, kind);
                           return prefix(me, monoid{plus.identity.value, plus}, mine, kind);
                         });
}

void write_prefixes(output_file& out, std::vector<std::optional<number>> const& prefixes) {
  std::vector<number> values(prefixes.size());
  std::ranges::transform(prefixes, values.begin(), [](auto const& of) { return of.value(); });
  std::array<written_column<number>, 1> const column{{{"prefix", values}}};
  write_csv<number>(out.stream(), column);
  out.complete();
}

[[nodiscard]] experiment_result run_prefix(experiment_request const& asked) {
  auto const plus = operator_from<number>(asked);
  auto const kind = kind_from(asked);
  require_identity(plus, kind);
  if (asked.input) return prefix_of_column(asked);
  if (!text_parameter(asked, "column", "").empty())
    throw invalid_argument("prefix: a column of which file? give an input file, too");
  require_prefix_network(*asked.network);
  std::optional<output_file> out;
  if (asked.output) out.emplace(*asked.output);
  auto done = prefix_of_made_numbers(asked, plus, kind);
  if (out && done.result.correct)
    write_result(done.result, [&] { write_prefixes(*out, done.prefixes); });
  return std::move(done.result);
}

[[nodiscard]] experiment_result run_segmented_prefix(experiment_request const& asked) {
  auto const plus = operator_from<number>(asked);
  auto const numbers = generated_for_all(asked);
  auto const begins = generated_intervals(asked);
  auto const wider = with_identity<number>(plus);
  return run_and_compare(asked, numbers, begins, interval_by_interval(numbers, begins, plus),
                         [&](processor& me, number mine, bool begins_here) {
                           return segmented_prefix(me, wider, begins_here, extended<number>(mine))
                               .as_optional();
                         })
      .result;
}

[[nodiscard]] experiment_result run_data_distribution(experiment_request const& asked) {
  auto const numbers = generated_for_all(asked);
  auto const begins = generated_intervals(asked);
  named_operator<number> const copy{"first", {}, [](number a, number /*b*/) { return a; }};
  return run_and_compare(asked, numbers, begins, interval_by_interval(numbers, begins, copy),
                         [](processor& me, number mine, bool begins_here) {
                           return std::optional(data_distribution(me, begins_here, mine));
                         })
      .result;
}

[[nodiscard]] parameter operator_parameter() {
  return {"operator", "add, min, max, first or last", std::string("add")};
}

}  // namespace

experiment prefix_entry() {
  return {
      .name = "prefix",
      .summary =
          "prefix: processor i gets x_0 + ... + x_i, for any associative operator; with an input "
          "file (CSV) row i of a column of numbers does, and the output file has that column and, "
          "beside it, \"prefix\"",
      .topologies = "tree, hypercube, shuffle-exchange",
      .source = mayr_plaxton_1989,
      .examples = {"tree:4", "tree:3", "tree:6", "tree:8", "hypercube:3", "hypercube:4",
                   "hypercube:6", "hypercube:8", "shuffle-exchange:3", "shuffle-exchange:4",
                   "shuffle-exchange:6", "shuffle-exchange:8"},
      .parameters = {{"kind",
                      "inclusive, exclusive, backward or backward-exclusive; where the exclusive "
                      "ones begin there is the operator's identity (0; of min and max the largest "
                      "and the smallest number; first and last have none)",
                      std::string("inclusive")},
                     operator_parameter(),
                     {"column", "column of numbers in the input file; needed if it has several",
                      std::string()}},
      .takes_files = true,
      .run = run_prefix,
  };
}

experiment segmented_prefix_entry() {
  return {
      .name = "segmented-prefix",
      .summary = "a prefix of each interval of processors, by one prefix of a wider operator",
      .topologies = "tree, hypercube, shuffle-exchange",
      .source = mayr_plaxton_1989,
      .examples = {"hypercube:4", "hypercube:3", "hypercube:6", "hypercube:8", "tree:3", "tree:4",
                   "tree:6", "tree:8", "shuffle-exchange:3", "shuffle-exchange:4",
                   "shuffle-exchange:6", "shuffle-exchange:8"},
      .parameters = {operator_parameter()},
      .run = run_segmented_prefix,
  };
}

experiment data_distribution_entry() {
  return {
      .name = "data-distribution",
      .summary = "all processors of an interval get its first one's value, by a segmented prefix",
      .topologies = "tree, hypercube, shuffle-exchange",
      .source = mayr_plaxton_1989,
      .examples = {"shuffle-exchange:4", "shuffle-exchange:3", "shuffle-exchange:6",
                   "shuffle-exchange:8", "tree:3", "tree:4", "tree:6", "tree:8", "hypercube:3",
                   "hypercube:4", "hypercube:6", "hypercube:8"},
      .parameters = {},
      .run = run_data_distribution,
  };
}

}  // namespace lockstep
