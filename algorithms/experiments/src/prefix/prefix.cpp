#include <lockstep/algorithms/prefix/prefix.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/memory.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>

#include "files/csv_file.hpp"
#include "files/write_result.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "network_kind.hpp"
#include "prefix/check_prefixes.hpp"
#include "prefix/named_operator.hpp"

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

/// Numbers, evenly spread over the processors, and their combinations.
template <class Number>
struct prefix_problem {
  std::vector<Number> values;
  named_operator<Number> plus;
  prefix_kind kind = prefix_kind::inclusive;
  std::vector<bool> begins{};  ///< where intervals begin; all one interval where it is empty

  [[nodiscard]] bool begins_at(int i) const {
    return !begins.empty() && begins[static_cast<std::size_t>(i)];
  }
};

/// A result, and what the processors computed.
template <class Number>
struct run_of_prefixes {
  experiment_result result;
  std::vector<Number> prefixes;
};

/// Finds how many intervals' distances are looked at on this network. A shuffle-exchange searches for
/// them, and keeps a table of 4 p bytes for each processor that others are asked their way to.
[[nodiscard]] std::size_t intervals_looked_at(topology const& network) {
  constexpr std::size_t most_bytes = std::size_t{1} << 26;
  if (!is<shuffle_exchange>(network)) return std::numeric_limits<std::size_t>::max();
  return most_bytes / (4 * static_cast<std::size_t>(network.size())) + 1;
}

/// Says what any program needs: a processor something of all before it in its interval, whatever
/// the operator. All these networks have links both ways.
template <class Number>
[[nodiscard]] traffic_requirement prefix_requirement(topology const& network,
                                                     prefix_problem<Number> const& of) {
  traffic_requirement needed;
  int first = 0;
  auto intervals = intervals_looked_at(network);
  for (int rank = 1; rank < network.size(); ++rank) {
    if (of.begins_at(rank)) {
      first = rank;
      if (intervals > 0) --intervals;
    }
    if (rank == first) continue;
    needed.taken_in = needed.sent = 1;
    ++needed.moved;
    if (intervals > 0) needed.distance = std::max(needed.distance, network.hops(rank, first));
    needed.joined = std::max(needed.joined, static_cast<std::uint64_t>(rank - first) + 1);
  }
  return needed;
}

/// Bytes on a processor's stack while it waits.
[[nodiscard]] std::size_t waiting_on(topology const& network) {
  return is<binary_tree>(network) ? 1000 : 1300;
}

/// Runs `program(me, block)` on every processor, which makes the prefixes of its block, and
/// compares them with what one gets by combining one after another. Bounds are for generated
/// numbers, one for each processor.
template <class Number, class Program>
[[nodiscard]] run_of_prefixes<Number> run_and_compare(arguments const& given,
                                                      prefix_problem<Number> const& of,
                                                      Program const& program) {
  std::vector<Number> prefixes(of.values.size());
  auto claims = prefix_claims(given.network(), 1, given.request().options.ports);
  expect_steps(claims);
  auto run = run_program(given, {}, [&](processor& me) {
    auto const [first, count] = even_block(prefixes.size(), me.size(), me.rank());
    std::ranges::transform(program(me, std::span(of.values).subspan(first, count)),
                           std::span(prefixes).subspan(first, count).begin(),
                           &extended<Number>::value);
  });
  bool const correct = are_prefixes<Number>(prefixes, of.values, of.plus, of.kind, of.begins);
  auto result = result_of(given, std::move(run), correct);
  result.claims = std::move(claims);
  if (!given.request().input)
    result.bounds = lower_bounds(result.record, prefix_requirement(given.network(), of));
  return {std::move(result), std::move(prefixes)};
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

/// Writes prefixes, beside the column if there is one.
template <class Number>
void write_prefixes(std::ostream& file, column_of_file const* column,
                    run_of_prefixes<Number> const& done) {
  if (column == nullptr) {
    write_csv<Number>(file, std::array{written_column<Number>{"prefix", done.prefixes}});
    return;
  }
  auto const* const name = column->name == "prefix" ? "prefix of prefix" : "prefix";
  write_csv_beside<Number>(file, *column, {name, done.prefixes});
}

/// Computes the prefixes of generated numbers, or of a column by `block_prefix`. Writes them beside
/// the column, under names that can be told apart when they are read again. An exclusive min or max
/// in double precision has inf or -inf if nothing has to be combined.
/// Errors: bad_input for sums that do not fit into a number; those of the run.
template <class Number>
[[nodiscard]] experiment_result prefix_of(arguments const& given, prefix_problem<Number> const& of,
                                          column_of_file const* column = nullptr) {
  if (column != nullptr && of.plus.is_addition)
    require_sums_fit<Number>(of.values, of.kind, given.request().input->string());
  asked_output out(given);
  auto const plus = of.plus.as_monoid();
  auto done = run_and_compare(given, of, [&](processor& me, std::span<Number const> block) {
    if (column == nullptr) return std::vector{prefix(me, plus, block.front(), of.kind)};
    return detail::block_prefix_of(me, plus, block, of.kind,
                                   [](extended<Number> const& sum) { return sum; });
  });
  if constexpr (std::floating_point<Number>)
    if (column != nullptr && of.plus.is_addition)
      require_no_overflow(done.prefixes, of.kind, given.request().input->string());
  out.take(done.result, done.prefixes.size(),
           [&](std::ostream& file) { write_prefixes<Number>(file, column, done); });
  if (column == nullptr) return std::move(done.result);
  auto const block = even_block(of.values.size(), given.processors(), 0).count;
  done.result.figures["rows"] = static_cast<std::int64_t>(of.values.size());
  done.result.figures["block"] = static_cast<std::int64_t>(block);
  done.result.parameters["column"] = column->name;
  return std::move(done.result);
}

/// Reads the column that is asked for, and computes its prefixes.
/// Errors: bad_input for a file that cannot be used, or sums that do not fit into a number;
/// out_of_memory.
[[nodiscard]] experiment_result prefix_of_file(arguments const& given, prefix_kind kind) {
  require_prefix_network(given.network());
  auto found = read_csv_column(given.request().input->string(), given[input_column]);
  return std::visit(
      [&]<class Number>(std::vector<Number>& values) {
        auto const rows = values.size();
        require_memory(
            given, {.bytes_each = sizeof(Number) * static_cast<double>(rows) / given.processors(),
                    .waiting = waiting_on(given.network()),
                    .held = fmt::format("the prefixes of {} rows", rows),
                    .remedy = "a shorter file"});
        return prefix_of<Number>(given, {std::move(values), operator_from<Number>(given), kind},
                                 &found);
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
  return prefix_of<number>(given, {generated_for_all(given), plus, kind});
}

/// Generates a number for each processor, and draws where intervals begin: at about every fourth.
[[nodiscard]] prefix_problem<number> generated_intervals(arguments const& given,
                                                         named_operator<number> const& plus) {
  prefix_problem<number> made{generated_for_all(given), plus};
  std::mt19937_64 random(given.seed() + 1);
  made.begins.resize(made.values.size());
  std::generate(made.begins.begin(), made.begins.end(), [&] { return random() % 4 == 0; });
  return made;
}

[[nodiscard]] experiment_result run_segmented_prefix(arguments const& given) {
  auto const of = generated_intervals(given, operator_from<number>(given));
  auto const plus = of.plus.as_monoid();
  auto const program = [&](processor& me, std::span<number const> mine) {
    return std::array{segmented_prefix(me, plus, of.begins_at(me.rank()), mine.front())};
  };
  return run_and_compare(given, of, program).result;
}

[[nodiscard]] experiment_result run_data_distribution(arguments const& given) {
  auto const of =
      generated_intervals(given, {"first", {}, [](number a, number /*b*/) { return a; }});
  auto const program = [&](processor& me, std::span<number const> mine) {
    return std::array{
        extended<number>(data_distribution(me, of.begins_at(me.rank()), mine.front()))};
  };
  return run_and_compare(given, of, program).result;
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
