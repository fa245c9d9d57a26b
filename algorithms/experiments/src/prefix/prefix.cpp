#include <lockstep/algorithms/prefix/prefix.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/topologies/binary_tree.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "network_kind.hpp"
#include "prefix/prefix_problem.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;

constexpr choice_parameter kind_of_prefix{
    "kind",
    "inclusive, exclusive, backward or backward-exclusive; where the exclusive ones begin there is "
    "the operator's identity (0; of min and max the largest and the smallest number; first and "
    "last have none)",
    std::array{named_choice{"inclusive", prefix_kind::inclusive},
               named_choice{"exclusive", prefix_kind::exclusive},
               named_choice{"backward", prefix_kind::backward},
               named_choice{"backward-exclusive", prefix_kind::backward_exclusive}}};

constexpr text_parameter input_column{
    "column", "column of numbers in the input file; needed if it has several"};

/// Bytes on a processor's stack while it waits.
[[nodiscard]] std::size_t waiting_on(topology const& network) {
  return is<binary_tree>(network) ? 1000 : 1300;
}

/// Has every processor make the prefixes of its block by `program(me, block)`.
template <class Number, class Program>
[[nodiscard]] experiment_result solve_prefix(prefix_problem<Number> const& of,
                                             Program const& program) {
  auto const& given = of.given;
  return solve(given, {}, prefix_claims(given.network(), 1, given.request().options.ports), of,
               program);
}

/// Generates a number for each processor.
/// Errors: invalid_argument for a network without prefixes; out_of_memory.
[[nodiscard]] std::vector<number> generated_for_all(arguments const& given) {
  require_prefix_network(given.network());
  require_memory(given, {.bytes_each = 192,
                         .waiting = waiting_on(given.network()),
                         .held = "numbers and their prefixes",
                         .remedy = {}});
  return generated_numbers(given, static_cast<std::size_t>(given.processors()));
}

/// Reads the column that is asked for, and computes its prefixes by `block_prefix`.
/// Errors: bad_input for a file that cannot be used, or sums that do not fit into a number;
/// out_of_memory.
[[nodiscard]] experiment_result prefix_of_file(arguments const& given, prefix_kind kind) {
  require_prefix_network(given.network());
  auto const file = given.request().input->string();
  auto found = read_csv_column(file, given[input_column]);
  return std::visit(
      [&]<class Number>(std::vector<Number>& values) {
        auto const rows = values.size();
        // The blocks, and once more one after the other.
        require_memory(given, {.bytes_each = 2 * sizeof(Number) * static_cast<double>(rows) /
                                             given.processors(),
                               .waiting = waiting_on(given.network()),
                               .held = fmt::format("the prefixes of {} rows", rows),
                               .remedy = "a shorter file"});
        auto const plus = operator_from<Number>(given);
        if (plus.is_addition) require_sums_fit<Number>(values, kind, file);
        return solve_prefix(
            prefix_problem<Number>{given, std::move(values), plus, kind, {}, 1, &found},
            [&](processor& me, std::span<Number const> block) {
              return detail::block_prefix_of(me, plus.as_monoid(), block, kind,
                                             [](extended<Number> const& sum) { return sum.value; });
            });
      },
      found.values);
}

[[nodiscard]] experiment_result run_prefix(arguments const& given) {
  auto const plus = operator_from<number>(given);
  auto const kind = given[kind_of_prefix];
  if (!is_inclusive(kind) && !plus.identity.is_there)
    throw invalid_argument(fmt::format(
        "prefix: {} has no identity, which an exclusive prefix begins with; take --kind inclusive "
        "or backward, or --operator add, min or max",
        plus.name));
  bool const has_file = given.request().input.has_value();
  if (has_file && given[textbook_form])
    throw invalid_argument("prefix: --textbook is for generated numbers; leave out the input file");
  if (has_file) return prefix_of_file(given, kind);
  if (!given[input_column].empty()) throw invalid_argument("--column needs --input FILE");
  return solve_prefix(prefix_problem<number>{given, generated_for_all(given), plus, kind},
                      [&](processor& me, std::span<number const> mine) {
                        return prefix(me, plus.as_monoid(), mine.front(), kind).value;
                      });
}

/// Generates a number for each processor, and draws where intervals begin: at about every fourth.
[[nodiscard]] prefix_problem<number> generated_intervals(arguments const& given,
                                                         named_operator<number> const& plus) {
  prefix_problem<number> made{given, generated_for_all(given), plus};
  std::mt19937_64 random(given.seed() + 1);
  made.begins.resize(made.values.size());
  std::generate(made.begins.begin(), made.begins.end(), [&] { return random() % 4 == 0; });
  return made;
}

[[nodiscard]] experiment_result run_segmented_prefix(arguments const& given) {
  auto const of = generated_intervals(given, operator_from<number>(given));
  return solve_prefix(of, [&](processor& me, std::span<number const> mine) {
    return segmented_prefix(me, of.plus.as_monoid(), of.begins_at(me.rank()), mine.front()).value;
  });
}

[[nodiscard]] experiment_result run_data_distribution(arguments const& given) {
  auto const of =
      generated_intervals(given, {"first", {}, [](number a, number /*b*/) { return a; }});
  return solve_prefix(of, [&](processor& me, std::span<number const> mine) {
    return data_distribution(me, of.begins_at(me.rank()), mine.front());
  });
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
