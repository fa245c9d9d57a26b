#include <lockstep/algorithms/prefix/prefix.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "harness/experiment_list.hpp"
#include "prefix/prefix_runs.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;

/// Reads the column that is asked for, and computes its prefixes by `block_prefix`.
/// Errors: bad_input for a file that cannot be used, or sums that do not fit into a number;
/// out_of_memory.
[[nodiscard]] experiment_result prefix_of_file(arguments const& given, prefix_kind kind) {
  require_prefix_network(given.network());
  auto const file = given.request().input->string();
  auto found = read_csv_column(file, given[input_column]);
  return std::visit(
      [&]<class Number>(std::vector<Number>& values) {
        require_memory_for_rows(given, values.size(), sizeof(Number));
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
  require_identity("prefix", plus, kind);
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

}  // namespace lockstep
