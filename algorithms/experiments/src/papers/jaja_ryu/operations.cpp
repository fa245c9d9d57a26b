#include "papers/jaja_ryu/operations.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "papers/jaja_ryu/growth_sweep.hpp"

namespace lockstep {

namespace {

constexpr char const* operations_of_sum = "n/p + tau/m log p/log (tau/m)";

/// 1, 4, 16, .. numbers of each processor.
[[nodiscard]] std::vector<run_of_sweep> over_numbers(machine_of_paper const& on) {
  std::vector<run_of_sweep> runs;
  for (std::int64_t each = 1; each <= 4096; each *= 4)
    runs.push_back({on, each, static_cast<double>(each * on.p), static_cast<double>(each)});
  return runs;
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

void add_sums(paper_table& table, int most_processors) {
  for (machine_of_paper const& on : {machine_of_paper{64, 16, 8}, {64, 1024, 16}})
    table.rows.push_back(judged_growth({.statement = "Theorem 3.2",
                                        .input = on.text() + ", n/p = 1 .. 4096",
                                        .algorithm = "reduce",
                                        .size_parameter = "summands",
                                        .formula = operations_of_sum,
                                        .runs = over_numbers(on)}));
  for (machine_of_paper const& price : {machine_of_paper{2, 16, 8}, {2, 16, 4}}) {
    auto const one_each =
        over_processors(price, most_processors, [](int /*p*/) { return std::int64_t{1}; });
    table.rows.push_back(judged_growth({.statement = "Theorem 3.2",
                                        .input = text_of_processors(one_each, "p"),
                                        .algorithm = "reduce",
                                        .size_parameter = "summands",
                                        .formula = operations_of_sum,
                                        .runs = one_each}));
    auto const enough = over_processors(
        price, most_processors, [&](int p) { return price.tau * std::lround(std::log2(p)); });
    table.rows.push_back(
        judged_growth({.statement = "Theorem 3.2",
                       .input = text_of_processors(enough, "tau p log p, as we read it"),
                       .algorithm = "reduce",
                       .size_parameter = "summands",
                       .formula = "n/p",
                       .runs = enough}));
  }
}

/// Adds up matrices of n x n.
void add_matrix_sums(paper_table& table, machine_of_paper const& on) {
  std::vector<run_of_sweep> runs;
  for (std::int64_t n = 8; n <= 128; n *= 2)
    runs.push_back({on, n, static_cast<double>(n), static_cast<double>(n)});
  table.rows.push_back(judged_growth({.statement = "Lemma 5.2",
                                      .input = on.text() + ", n = 8 .. 128",
                                      .algorithm = "matrix-sum",
                                      .size_parameter = "n",
                                      .formula = "n^2",
                                      .runs = std::move(runs)}));
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
