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

#include "files/csv_file.hpp"
#include "files/write_result.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "prefix/named_operator.hpp"
#include "prefix/prefix_of_column.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;

/// Generates a number for each processor.
/// Errors: invalid_argument for a network without prefixes; out_of_memory.
[[nodiscard]] std::vector<number> generated_for_all(arguments const& given) {
  require_prefix_network(given.network());
  require_memory(given, {.bytes_each = 64, .held = "numbers and their prefixes", .remedy = {}});
  return generated_numbers(given, static_cast<std::size_t>(given.processors()));
}

/// Draws where intervals begin: at about every fourth processor.
[[nodiscard]] std::vector<bool> generated_intervals(arguments const& given) {
  std::mt19937_64 random(given.seed() + 1);
  std::vector<bool> begins(static_cast<std::size_t>(given.processors()));
  std::generate(begins.begin(), begins.end(), [&] { return random() % 4 == 0; });
  return begins;
}

/// Adds one after the other, from one end or the other.
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

/// Adds one after the other, from the begin of each interval.
[[nodiscard]] std::vector<std::optional<number>> interval_by_interval(
    std::vector<number> const& numbers, std::vector<bool> const& begins,
    named_operator<number> const& plus) {
  std::vector<std::optional<number>> prefixes;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    prefixes.emplace_back(i == 0 || begins[i] ? numbers[i] : plus(*prefixes.back(), numbers[i]));
  return prefixes;
}

/// A result, and what the processors returned.
struct run_of_prefixes {
  experiment_result result;
  std::vector<std::optional<number>> prefixes;
};

/// Says what any program needs: a processor something of all before it in its interval, whatever
/// the operator.
[[nodiscard]] traffic_requirement prefix_requirement(topology const& network,
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
[[nodiscard]] run_of_prefixes run_and_compare(arguments const& given,
                                              std::vector<number> const& numbers,
                                              std::vector<bool> const& begins,
                                              std::vector<std::optional<number>> const& expected,
                                              Program const& program) {
  auto run = run_program(given, {}, [&](processor& me) -> std::optional<number> {
    auto const rank = static_cast<std::size_t>(me.rank());
    return program(me, numbers[rank], begins[rank]);
  });
  auto prefixes = std::move(run.results());
  auto result = result_of(given, std::move(run), prefixes == expected);
  result.claims = prefix_claims(given.network(), 1, given.request().options.ports);
  result.bounds = lower_bounds(result.record, prefix_requirement(given.network(), begins));
  return {std::move(result), std::move(prefixes)};
}

void require_identity(named_operator<number> const& plus, prefix_kind kind) {
  if (is_inclusive(kind) || plus.identity.is_there) return;
  throw invalid_argument(fmt::format(
      "prefix: {} has no identity, which an exclusive prefix begins with; take --kind inclusive "
      "or backward, or --operator add, min or max",
      plus.name));
}

[[nodiscard]] run_of_prefixes prefix_of_generated_numbers(arguments const& given,
                                                          named_operator<number> const& plus,
                                                          prefix_kind kind) {
  auto const numbers = generated_for_all(given);
  return run_and_compare(given, numbers, std::vector<bool>(numbers.size()),
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

[[nodiscard]] experiment_result run_prefix(arguments const& given) {
  auto const plus = operator_from<number>(given);
  auto const kind = given[kind_of_prefix];
  require_identity(plus, kind);
  if (given.request().input && given[textbook_form])
    throw invalid_argument("prefix: --textbook is for generated numbers; leave out the input file");
  if (given.request().input) return prefix_of_column(given);
  if (!given[input_column].empty())
    throw invalid_argument("prefix: a column of which file? give an input file, too");
  require_prefix_network(given.network());
  std::optional<output_file> out;
  if (given.request().output) out.emplace(*given.request().output);
  auto done = prefix_of_generated_numbers(given, plus, kind);
  if (out && done.result.correct)
    write_result(done.result, [&] { write_prefixes(*out, done.prefixes); });
  return std::move(done.result);
}

[[nodiscard]] experiment_result run_segmented_prefix(arguments const& given) {
  auto const plus = operator_from<number>(given);
  auto const numbers = generated_for_all(given);
  auto const begins = generated_intervals(given);
  auto const wider = with_identity<number>(plus);
  return run_and_compare(given, numbers, begins, interval_by_interval(numbers, begins, plus),
                         [&](processor& me, number mine, bool begins_here) {
                           return segmented_prefix(me, wider, begins_here, extended<number>(mine))
                               .as_optional();
                         })
      .result;
}

[[nodiscard]] experiment_result run_data_distribution(arguments const& given) {
  auto const numbers = generated_for_all(given);
  auto const begins = generated_intervals(given);
  named_operator<number> const copy{"first", {}, [](number a, number /*b*/) { return a; }};
  return run_and_compare(given, numbers, begins, interval_by_interval(numbers, begins, copy),
                         [](processor& me, number mine, bool begins_here) {
                           return std::optional(data_distribution(me, begins_here, mine));
                         })
      .result;
}

/// Completes an experiment: all three run on the same networks, first `shown`.
[[nodiscard]] experiment prefix_experiment_on(std::string const& shown, experiment of) {
  of.topologies = "tree, hypercube, shuffle-exchange";
  of.source = mayr_plaxton_1989;
  of.examples = {shown};
  for (auto const* const kind : {"tree:", "hypercube:", "shuffle-exchange:"})
    for (auto const* const d : {"3", "4", "6", "8"})
      if (kind + std::string(d) != shown) of.examples.push_back(kind + std::string(d));
  return of;
}

}  // namespace

experiment prefix_experiment() {
  return prefix_experiment_on(
      "tree:4",
      {.name = "prefix",
       .summary =
           "prefix: processor i gets x_0 + ... + x_i, for any associative operator; with an input "
           "file (CSV) row i of a column of numbers does, and the output file has that column and, "
           "beside it, \"prefix\"",
       .parameters = {kind_of_prefix, prefix_operator, input_column, textbook_form},
       .takes_files = true,
       .run = run_prefix});
}

experiment segmented_prefix_experiment() {
  return prefix_experiment_on(
      "hypercube:4",
      {.name = "segmented-prefix",
       .summary = "a prefix of each interval of processors, by one prefix of a wider operator",
       .parameters = {prefix_operator},
       .run = run_segmented_prefix});
}

experiment data_distribution_experiment() {
  return prefix_experiment_on(
      "shuffle-exchange:4",
      {.name = "data-distribution",
       .summary = "all processors of an interval get its first one's value, by a segmented prefix",
       .run = run_data_distribution});
}

}  // namespace lockstep
