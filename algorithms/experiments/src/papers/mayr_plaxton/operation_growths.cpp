#include "papers/mayr_plaxton/operation_growths.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

/// The comparisons on the critical path of runs that differ in size.
class growing_comparisons {
 public:
  growing_comparisons(std::string algorithm, std::string formula)
      : m_algorithm(std::move(algorithm)), m_formula(std::move(formula)) {}

  /// Runs on a hypercube. `phase`: the one whose comparisons count, or nothing for those before the first;
  /// `claimed`: the formula's value; `size`: what the runs differ in.
  void run(int dimension, std::map<std::string, parameter_value> const& given,
           std::string const& phase, double claimed, double size) {
    auto const& known = *find_experiment(m_algorithm);
    begin_run("making the input of " + m_algorithm);
    auto const result = known.run({.network = parse(fmt::format("hypercube:{}", dimension)),
                                   .options = {.ports = ports::all, .strict = true},
                                   .parameters = parameters_for(known, given)});
    m_is_correct = m_is_correct && result.correct;
    std::uint64_t in_phases = 0;
    std::uint64_t comparisons = 0;
    for (auto const& one : result.record.phases()) {
      in_phases += one.work;
      if (one.name == phase) comparisons += one.work;
    }
    if (phase.empty()) comparisons = result.record.counts().work - in_phases;
    m_last = {static_cast<std::uint64_t>(claimed), comparisons};
    m_points.push_back({size, static_cast<double>(comparisons) / claimed});
  }

  /// Makes the row: the numbers of the last run, and the verdict of all.
  [[nodiscard]] paper_row row(std::string input, std::string const& statement) const {
    paper_cell cell{.figure = "operations",
                    .formula = m_formula,
                    .claimed = m_last.claimed,
                    .measured = m_last.comparisons,
                    .judged = judge_order(m_points),
                    .bound = comparison::order};
    return {std::move(input), statement + ", " + m_algorithm, {std::move(cell)}, m_is_correct};
  }

 private:
  struct numbers {
    std::uint64_t claimed = 0;
    std::uint64_t comparisons = 0;
  };

  std::string m_algorithm;
  std::string m_formula;
  std::vector<order_point> m_points;
  numbers m_last;
  bool m_is_correct = true;
};

/// Processors merge the sets that have come to them when those of Y are broadcast.
constexpr char const* phase_of_step_7 = "broadcast Y";

[[nodiscard]] paper_row merges_over_sets() {
  growing_comparisons merges("merge", "k");
  for (std::int64_t k = 1; k <= 256; k *= 4)
    merges.run(4, {{"k", k}}, phase_of_step_7, static_cast<double>(k), static_cast<double>(k));
  return merges.row("hypercube:4, k = 1 .. 256", "Merge step 7");
}

/// A processor merges at most four sets: on larger hypercubes the busiest one comes closer to what these take.
[[nodiscard]] paper_row merges_over_processors() {
  constexpr std::int64_t k = 64;
  growing_comparisons merges("merge", "k");
  for (int d = 0; d <= 8; ++d)
    merges.run(d, {{"k", k}}, phase_of_step_7, static_cast<double>(k), std::exp2(d));
  return merges.row(fmt::format("hypercube:0 .. 8, k = {}", k), "Merge step 7");
}

/// Sorts columns of k values; after step 1 a processor sorts them in row 0.
[[nodiscard]] paper_row local_sorts() {
  growing_comparisons sorts("multiway-merge-sort", "k log2 k");
  for (std::int64_t k = 4; k <= 1024; k *= 4) {
    auto const size = static_cast<double>(k);
    sorts.run(4, {{"k", k}, {"l", std::string("2")}}, "1: gather in columns",
              size * std::log2(size), size);
  }
  return sorts.row("hypercube:4, l = 2, k = 4 .. 1024", "MultiWayMergeSort step 2");
}

/// Sorts k values of each processor before the first merge.
[[nodiscard]] paper_row first_sorts() {
  growing_comparisons sorts("merge-sort", "k log2 k");
  for (std::int64_t k = 4; k <= 1024; k *= 4) {
    auto const size = static_cast<double>(k);
    sorts.run(4, {{"k", k}}, "", size * std::log2(size), size);
  }
  return sorts.row("hypercube:4, k = 4 .. 1024", "MergeSort, its local sort");
}

}  // namespace

paper_table growths_of_comparisons(int most_processors) {
  paper_table table{
      "Section 4: comparisons of local work, on the critical path: orders of growth, each over "
      "several runs",
      {},
      "input"};
  if (most_processors < 64) return table;
  table.rows = {merges_over_sets(), local_sorts(), first_sorts()};
  if (most_processors >= 256) table.rows.push_back(merges_over_processors());
  return table;
}

}  // namespace lockstep
