#include "papers/jaja_ryu/operations.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/judgement.hpp>

#include "papers/claimed_cells.hpp"

namespace lockstep {

namespace {

/// A run of a sweep: on which machine, and how large.
struct run_of_sweep {
  machine_of_paper on;
  std::int64_t given = 1;  ///< the size that the algorithm is told
  double n = 1;            ///< of the formula
  double size = 1;         ///< what the runs of the sweep differ in
};

/// Runs of several sizes, and the order in which their operations are to grow.
struct sweep_of_paper {
  std::string statement;  ///< of the paper: "Theorem 3.2"
  std::string input;
  std::string algorithm;
  std::string size_parameter;
  std::string formula;
  std::vector<run_of_sweep> runs;
};

/// Judges the order by all runs; the cell has the numbers of the largest.
[[nodiscard]] paper_row judged_growth(sweep_of_paper const& of) {
  std::vector<order_point> points;
  paper_cell cell{.figure = "operations", .formula = of.formula, .bound = comparison::order};
  bool is_correct = true;
  for (auto const& [on, given, n, size] : of.runs) {
    auto const run = measured_on(on, of.algorithm, {{of.size_parameter, given}});
    is_correct = is_correct && run.result.correct;
    auto const claimed = on.cells({{"n", n}}).value(of.formula);
    auto const operations = run.counted().work;
    points.push_back({size, static_cast<double>(operations) / claimed});
    cell.claimed = static_cast<std::uint64_t>(claimed);
    cell.measured = operations;
  }
  cell.judged = judge_order(points);
  return {of.input, of.statement + ", " + of.algorithm, {std::move(cell)}, is_correct};
}

/// Processors 2, 4, 8, .., each with `each_of(p)` numbers.
template <class EachOf>
[[nodiscard]] std::vector<run_of_sweep> over_processors(machine_of_paper on, int most,
                                                        EachOf const& each_of) {
  std::vector<run_of_sweep> runs;
  for (on.p = 2; on.p <= most && on.p <= 512; on.p *= 2) {
    auto const each = each_of(on.p);
    runs.push_back({on, each, static_cast<double>(each * on.p), static_cast<double>(on.p)});
  }
  return runs;
}

/// 1, 4, 16, .. numbers of each processor.
[[nodiscard]] std::vector<run_of_sweep> over_numbers(machine_of_paper const& on) {
  std::vector<run_of_sweep> runs;
  for (std::int64_t each = 1; each <= 4096; each *= 4)
    runs.push_back({on, each, static_cast<double>(each * on.p), static_cast<double>(each)});
  return runs;
}

constexpr char const* operations_of_sum = "n/p + tau/m log p/log (tau/m)";

/// Names the runs over processors: "p = 2 .. 64, tau = 16, m = 8, n = p".
[[nodiscard]] std::string text_of(std::vector<run_of_sweep> const& runs, std::string const& n) {
  auto const& last = runs.back().on;
  return fmt::format("p = 2 .. {}, tau = {}, m = {}, n = {}", last.p, last.tau, last.m, n);
}

void add_sums(paper_table& table, int most_processors) {
  for (machine_of_paper const& on : {machine_of_paper{64, 16, 8}, {64, 1024, 16}})
    table.rows.push_back(judged_growth({"Theorem 3.2", on.text() + ", n/p = 1 .. 4096", "reduce",
                                        "summands", operations_of_sum, over_numbers(on)}));
  for (machine_of_paper const& price : {machine_of_paper{2, 16, 8}, {2, 16, 4}}) {
    auto const one_each =
        over_processors(price, most_processors, [](int /*p*/) { return std::int64_t{1}; });
    table.rows.push_back(judged_growth({"Theorem 3.2", text_of(one_each, "p"), "reduce", "summands",
                                        operations_of_sum, one_each}));
    auto const enough = over_processors(
        price, most_processors, [&](int p) { return price.tau * std::lround(std::log2(p)); });
    table.rows.push_back(
        judged_growth({"Theorem 3.2", text_of(enough, "tau p log p, as we read it"), "reduce",
                       "summands", "n/p", enough}));
  }
}

/// Adds up matrices of n x n.
void add_matrix_sums(paper_table& table, machine_of_paper const& on) {
  std::vector<run_of_sweep> runs;
  for (std::int64_t n = 8; n <= 128; n *= 2)
    runs.push_back({on, n, static_cast<double>(n), static_cast<double>(n)});
  table.rows.push_back(judged_growth(
      {"Lemma 5.2", on.text() + ", n = 8 .. 128", "matrix-sum", "n", "n^2", std::move(runs)}));
}

}  // namespace

paper_table sums_of_many(std::vector<machine_of_paper> const& machines) {
  paper_table table{
      "Theorem 3.2, n > p: the sum of n numbers, those of each processor added up first",
      {},
      "input"};
  for (auto const& on : machines)
    for (std::int64_t const each : {4, 100}) {
      auto const run = measured_on(on, "reduce", {{"summands", each}});
      table.rows.push_back(
          row_of_claims(on.text("n", each * on.p), "k-ary", run,
                        {{"time"}, {"words", false}, {"work", false, "operations"}}));
    }
  return table;
}

paper_table growths_of_operations(int most_processors) {
  paper_table table{
      "Operations of Theorem 3.2 and Lemma 5.2, on the critical path: orders of growth, each over "
      "several runs",
      {},
      "input"};
  if (most_processors < 64) return table;  // less than three phases say nothing of growth
  add_sums(table, most_processors);
  add_matrix_sums(table, {64, 16, 8});
  return table;
}

}  // namespace lockstep
