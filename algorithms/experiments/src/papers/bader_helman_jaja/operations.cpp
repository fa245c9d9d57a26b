#include "papers/bader_helman_jaja/operations.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/judgement.hpp>

#include "papers/claimed_cells.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

/// A run of a row: where, on how many elements, of how many values.
struct sized_run {
  int p = 4;
  std::int64_t n = 64;
  std::int64_t values = 4;
  double size = 1;  ///< what the runs of the row differ in
};

/// A statement about the operations of an algorithm.
struct stated_growth {
  char const* statement;
  char const* algorithm;
  char const* formula;
  char const* where;  ///< a text that says when it is met
  bool has_values;    ///< whether the algorithm is told the number of values
};

constexpr stated_growth routing{"section 3", "h-relation", "h", "h >= p^2", false};
constexpr stated_growth counting{"section 4.1", "counting-sort", "n/p + R", "n >= p^3", true};

/// Makes a row by the operations of the runs on the critical path, with the numbers of the last one.
[[nodiscard]] paper_row growth_of(stated_growth const& what, std::string input,
                                  std::vector<sized_run> const& runs) {
  std::vector<order_point> points;
  paper_cell cell;
  bool is_correct = true;
  for (auto const& [p, n, values, size] : runs) {
    std::map<std::string, parameter_value> given{{"n", n}};
    if (what.has_values) given["range"] = values;
    auto const result = measured_algorithm(what.algorithm, crossbar_of(p), given);
    is_correct = is_correct && result.correct;
    auto const elements = static_cast<double>(n);
    claimed_cells cells(
        {{"p", p}, {"n", elements}, {"h", elements / p}, {"R", static_cast<double>(values)}});
    auto const operations = result.record.counts().work;
    cell = cells.where(what.where).about("operations", what.formula, operations).cells().front();
    points.push_back({size, static_cast<double>(operations) / cells.value(what.formula)});
  }
  cell.bound = comparison::order;
  if (cell.verdict() != claim_verdict::outside_the_claim) cell.judged = judge_order(points);
  return {std::move(input),
          fmt::format("{}, {}", what.statement, what.algorithm),
          {std::move(cell)},
          is_correct};
}

[[nodiscard]] std::vector<sized_run> over_elements() {
  std::vector<sized_run> runs;
  for (std::int64_t n = 512; n <= 131'072; n *= 4)
    runs.push_back({8, n, 64, static_cast<double>(n)});
  return runs;
}

[[nodiscard]] std::vector<sized_run> over_values() {
  std::vector<sized_run> runs;
  for (std::int64_t values = 16; values <= 16'384; values *= 4)
    runs.push_back({8, 4096, values, static_cast<double>(values)});
  return runs;
}

[[nodiscard]] std::vector<sized_run> over_processors(int most) {
  std::vector<sized_run> runs;
  for (int const p : powers_up_to(most))
    runs.push_back({p, std::int64_t{1} * p * p * p, p, static_cast<double>(p)});
  return runs;
}

}  // namespace

paper_table growths_of_local_work(int most_processors) {
  paper_table table{
      "Sections 3 and 4.1: operations on the critical path: orders of growth, each over several "
      "runs",
      {},
      "input"};
  if (most_processors < 16) return table;  // less than three machines say nothing of growth
  auto const machines = over_processors(most_processors);
  auto const on = fmt::format("p = 4 .. {}, n = p^3", machines.back().p);
  table.rows = {growth_of(routing, "p = 8, h = n/p, n = 512 .. 131072", over_elements()),
                growth_of(routing, on + ", h = n/p", machines),
                growth_of(counting, "p = 8, R = 64, n = 512 .. 131072", over_elements()),
                growth_of(counting, "p = 8, n = 4096, R = 16 .. 16384", over_values()),
                growth_of(counting, on + ", R = p", machines)};
  return table;
}

}  // namespace lockstep
