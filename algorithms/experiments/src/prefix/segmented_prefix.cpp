#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/prefix/pipelined_segments.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>

#include "files/csv_file.hpp"
#include "harness/experiment_list.hpp"
#include "prefix/pipelined_schemes.hpp"
#include "prefix/prefix_runs.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;

constexpr text_parameter column_of_beginnings{"begins",
                                              "column of the input file that says where intervals "
                                              "begin: 1 in a row that begins one, 0 in others"};

constexpr integer_parameter intervals_at_once{
    "k", "how many at once; more than one go pipelined", 1, 1, 50'000, true};

/// A segmented prefix, or one of Copy, which is the data distribution.
struct segmented_operation {
  std::string name;
  bool is_copy = false;

  template <class Number>
  [[nodiscard]] named_operator<Number> operator_of(arguments const& given) const {
    constexpr std::size_t first = 3;
    return is_copy ? operator_at<Number>(first) : operator_from<Number>(given);
  }
};

/// Takes in where intervals begin.
/// Errors: bad_input for another number than 0 and 1.
[[nodiscard]] std::vector<bool> beginnings_of(column_of_file const& column,
                                              std::string const& file) {
  return std::visit(
      [&]<class Number>(std::vector<Number> const& numbers) {
        std::vector<bool> begins(numbers.size());
        for (std::size_t row = 0; row < numbers.size(); ++row) {
          if (numbers[row] != Number{0} && numbers[row] != Number{1})
            throw bad_input(fmt::format(
                "{}: \"{}\" has {} in row {}; write 1 where an interval begins, and else 0", file,
                column.name, numbers[row], row + 1));
          begins[row] = numbers[row] == Number{1};
        }
        return begins;
      },
      column.values);
}

/// Makes the prefixes of the intervals in blocks of a file's rows, by one prefix on the machine.
template <class Number>
[[nodiscard]] std::vector<Number> prefixes_of_block(processor& me, prefix_problem<Number> const& of,
                                                    std::span<Number const> values) {
  using element = segmented<extended<Number>>;
  auto const first = even_block(of.values.size(), me.size(), me.rank()).first;
  std::vector<element> block;
  block.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    block.push_back({of.begins[first + i], extended<Number>(values[i])});
  std::vector<Number> prefixes;
  prefixes.reserve(values.size());
  for (auto const& sum : block_prefix(me, by_segments(of.plus.as_monoid()), std::span(block)))
    prefixes.push_back(sum.value.value);
  return prefixes;
}

/// Reads the columns that are asked for.
/// Errors: invalid_argument without the second; bad_input for a file that cannot be used, or sums that
/// do not fit into a number; out_of_memory.
[[nodiscard]] experiment_result segments_of_file(arguments const& given,
                                                 segmented_operation const& operation) {
  require_prefix_network(given.network());
  auto const file = given.request().input->string();
  if (given[column_of_beginnings].empty())
    throw invalid_argument(operation.name +
                           ": --input needs --begins COLUMN, whose numbers are 1 where an interval "
                           "begins, and else 0");
  auto begins = beginnings_of(read_csv_column(file, given[column_of_beginnings]), file);
  auto found = read_csv_column(file, given[input_column]);
  return std::visit(
      [&]<class Number>(std::vector<Number>& values) {
        require_memory_for_rows(given, values.size(), sizeof(segmented<extended<Number>>));
        prefix_problem<Number> const of{.given = given,
                                        .values = std::move(values),
                                        .plus = operation.operator_of<Number>(given),
                                        .begins = std::move(begins),
                                        .column = &found};
        if (of.plus.is_addition)
          of.for_each_interval([&](std::size_t first, std::span<Number const> interval) {
            require_sums_fit<Number>(interval, prefix_kind::inclusive, file, first);
          });
        return solve_prefix(of, [&](processor& me, std::span<Number const> block) {
          return prefixes_of_block(me, of, block);
        });
      },
      found.values);
}

/// Draws where intervals begin: at about every fourth processor.
[[nodiscard]] std::vector<bool> drawn_beginnings(arguments const& given, std::size_t count) {
  std::mt19937_64 random(given.seed() + 1);
  std::vector<bool> begins(count);
  std::generate(begins.begin(), begins.end(), [&] { return random() % 4 == 0; });
  return begins;
}

/// One at a time, as the paper's section 1 says.
[[nodiscard]] experiment_result run_once(arguments const& given,
                                         segmented_operation const& operation) {
  auto values = generated_for_all(given);
  auto begins = drawn_beginnings(given, values.size());
  prefix_problem<number> const of{.given = given,
                                  .values = std::move(values),
                                  .plus = operation.operator_of<number>(given),
                                  .begins = std::move(begins),
                                  .is_copy = operation.is_copy};
  return solve_prefix(of, [&](processor& me, std::span<number const> mine) {
    bool const begins_here = of.begins_at(me.rank());
    if (operation.is_copy) return data_distribution(me, begins_here, mine.front());
    return segmented_prefix(me, of.plus.as_monoid(), begins_here, mine.front()).value;
  });
}

/// Makes all k prefixes of a processor, which are of intervals.
[[nodiscard]] std::vector<number> prefixes_at_once(processor& me, prefix_problem<number> const& of,
                                                   std::span<number const> values,
                                                   prefix_schedule const& schedule) {
  std::vector<segmented<extended<number>>> mine;
  mine.reserve(values.size());
  for (std::size_t j = 0; j < values.size(); ++j)
    mine.push_back({of.begins_at(me.rank(), j), extended<number>(values[j])});
  std::vector<number> prefixes;
  prefixes.reserve(values.size());
  for (auto const& sum : pipelined_segmented_prefix(me, of.plus.as_monoid(),
                                                    std::span(std::as_const(mine)), schedule))
    prefixes.push_back(sum.value);
  return prefixes;
}

/// Makes all k data distributions of a processor.
[[nodiscard]] std::vector<number> copies_at_once(processor& me, prefix_problem<number> const& of,
                                                 std::span<number const> values,
                                                 prefix_schedule const& schedule) {
  std::vector<segmented<number>> mine;
  mine.reserve(values.size());
  for (std::size_t j = 0; j < values.size(); ++j)
    mine.push_back({of.begins_at(me.rank(), j), values[j]});
  return pipelined_data_distribution(me, std::span(std::as_const(mine)), schedule);
}

/// k at once, each with intervals of its own.
/// Errors: invalid_argument; out_of_memory.
[[nodiscard]] experiment_result run_at_once(arguments const& given,
                                            segmented_operation const& operation, std::size_t k) {
  auto const& network = given.network();
  require_prefix_network(network);
  require_memory(given, {.bytes_each = (operation.is_copy ? 530 : 480) * static_cast<double>(k),
                         .waiting = 1536,
                         .outgrown = 300,
                         .held = fmt::format("{} at once on each", k),
                         .remedy = "a smaller k"});
  auto const schedule = schedule_of(given, given[scheme_of_pipeline], k);
  auto const count = static_cast<std::size_t>(network.size()) * k;
  prefix_problem<number> const of{.given = given,
                                  .values = generated_numbers(given, count),
                                  .plus = operation.operator_of<number>(given),
                                  .begins = drawn_beginnings(given, count),
                                  .instances = k,
                                  .is_copy = operation.is_copy};
  auto const claims_of =
      operation.is_copy ? pipelined_data_distribution_claims : pipelined_segmented_prefix_claims;
  auto claims = claims_of(network, schedule.scheme(), k, given.request().options.ports);
  if (!operation.is_copy && !of.plus.identity.is_there)
    claims = for_any_operator(std::move(claims));
  auto result =
      solve(given, {}, std::move(claims), of, [&](processor& me, std::span<number const> mine) {
        return operation.is_copy ? copies_at_once(me, of, mine, schedule)
                                 : prefixes_at_once(me, of, mine, schedule);
      });
  add_schemes_to(result, given, schedule, k);
  return result;
}

[[nodiscard]] experiment_result run_segmented(arguments const& given,
                                              segmented_operation const& operation) {
  auto const scheme = given[scheme_of_pipeline];
  if (given.request().input) {
    if (scheme)
      throw invalid_argument(operation.name +
                             ": --scheme is for k at once; leave it out, or the input file");
    return segments_of_file(given, operation);
  }
  if (!given[input_column].empty()) throw invalid_argument("--column needs --input FILE");
  if (!given[column_of_beginnings].empty()) throw invalid_argument("--begins needs --input FILE");
  auto const k = given[intervals_at_once];
  return k == 1 && !scheme ? run_once(given, operation) : run_at_once(given, operation, k);
}

}  // namespace

experiment segmented_prefix_experiment() {
  return prefix_experiment_on(
      "hypercube:4",
      {.name = "segmented-prefix",
       .summary =
           "a prefix of each interval of processors, by one prefix of a wider operator; with an "
           "input file (CSV) of each interval of rows",
       .parameters = {intervals_at_once, prefix_operator, scheme_of_pipeline, input_column,
                      column_of_beginnings},
       .takes_files = true,
       .run = [](arguments const& given) {
         return run_segmented(given, {.name = "segmented-prefix"});
       }});
}

experiment data_distribution_experiment() {
  return prefix_experiment_on(
      "shuffle-exchange:4",
      {.name = "data-distribution",
       .summary =
           "all processors of an interval get its first one's value, by a segmented prefix; k at "
           "once are k segmented broadcasts; with an input file (CSV) rows get it",
       .parameters = {intervals_at_once, scheme_of_pipeline, input_column, column_of_beginnings},
       .takes_files = true,
       .run = [](arguments const& given) {
         return run_segmented(given, {.name = "data-distribution", .is_copy = true});
       }});
}

}  // namespace lockstep
