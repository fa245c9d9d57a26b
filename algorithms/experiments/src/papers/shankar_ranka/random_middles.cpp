#include "papers/shankar_ranka/random_middles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/claim.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/claims_row.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/order_trend.hpp"
#include "random_access/likely_stage_2.hpp"

namespace lockstep {

namespace {

constexpr std::int64_t seeds_of_middles = 250;
constexpr std::int64_t seeds_of_many_elements = 50;
constexpr char const* without_draws = "in turn";
constexpr char const* with_draws = "first at random";

/// Traffic, and the number of processors that have it.
struct middle_case {
  int processors = 8;
  std::string traffic;
  std::int64_t t = 0;  ///< as `transportation` takes it
  std::int64_t seeds = seeds_of_middles;

  [[nodiscard]] bool is_random_traffic() const { return traffic == "random"; }
};

/// Sums and maxima over runs of one traffic.
struct middle_runs {
  double r = 0;               ///< most elements that a processor sends
  double c = 0;               ///< most that one receives
  std::uint64_t words = 0;    ///< most of a run, in both stages
  std::uint64_t stage_2 = 0;  ///< most of a run
  double largest_excess = 0;  ///< words beyond (r + c)(1 - 1/p), of a run
  double excess_of_all = 0;
  double worst_t = 0;             ///< max(r, c) of the run with most words over it
  std::uint64_t worst_words = 0;  ///< of that run
  claim bound_of_stage_2{};       ///< the same of all runs
  std::int64_t runs = 0;
  bool are_correct = true;

  [[nodiscard]] double mean_excess() const { return excess_of_all / static_cast<double>(runs); }
};

/// Adds a run with that seed.
void add_run(middle_runs& to, middle_case const& of, std::string const& first, std::int64_t seed) {
  auto const result =
      run_of_algorithm("transportation", crossbar_of(of.processors),
                       {{"t", of.t}, {"traffic", of.traffic}, {"first", first}, {"seed", seed}});
  to.r = static_cast<double>(counted(result, "r"));
  to.c = static_cast<double>(counted(result, "c"));
  to.stage_2 = std::max(to.stage_2, counted(result, "stage_2_words"));
  to.bound_of_stage_2 = claim_about(result.claims, "stage_2_words");
  to.bound_of_stage_2.figure = "stage 2";
  auto const words = result.record.counts().words;
  to.words = std::max(to.words, words);
  auto const excess = static_cast<double>(words) - (to.r + to.c) * (1 - 1.0 / of.processors);
  to.largest_excess = std::max(to.largest_excess, excess);
  to.excess_of_all += excess;
  auto const t = std::max(to.r, to.c);
  if (to.worst_t == 0 ||
      static_cast<double>(words) * to.worst_t > static_cast<double>(to.worst_words) * t) {
    to.worst_t = t;
    to.worst_words = words;
  }
  ++to.runs;
  to.are_correct = to.are_correct && result.correct;
}

/// Runs the traffic with each seed, or once without.
[[nodiscard]] middle_runs runs_of(middle_case const& of, bool is_random) {
  auto const seeds = is_random || of.is_random_traffic() ? of.seeds : 1;
  auto const stage = fmt::format("transportation on {}", crossbar_of(of.processors));
  begin_run(stage, static_cast<std::uint64_t>(seeds));
  middle_runs all;
  for (std::int64_t seed = 1; seed <= seeds; ++seed) {
    add_run(all, of, is_random ? "random" : "own", seed);
    begin_stage(stage, static_cast<std::uint64_t>(seeds));  // each run begins stages of its own
    note_done(static_cast<std::uint64_t>(seed));
  }
  return all;
}

/// Rounds words to a whole number, from 0 on.
[[nodiscard]] std::uint64_t rounded(double words) {
  return static_cast<std::uint64_t>(std::max(0.0, std::round(words)));
}

/// Says what section 2's probabilistic analysis supposes as we read it: its text does not say whether traffic is
/// random, or something is drawn. Other runs without draws are another program.
[[nodiscard]] hypothesis drawn_middles(bool is_random) {
  return {"random traffic, or first middles that are drawn, as we read it", is_random};
}

/// Makes the order of words beyond (r + c)(1 - 1/p): lockstep's, derived from the one of the t from
/// which on section 2 has 2 mu t.
[[nodiscard]] growth_order order_of_section_2() {
  return {"p sqrt(p ln p)", [](double p) { return p * std::sqrt(p * std::log(p)); }};
}

/// Says from which t on section 2 has 2 mu t.
[[nodiscard]] hypothesis many_elements(int p, double t) {
  return {"t = max(r, c) >= p sqrt(p ln p)", t >= order_of_section_2().value(p)};
}

/// Adds an excess of one size, which decides no order.
void add_excess(claimed_cells& cells, std::string figure, int p, double excess, bool is_random) {
  auto const order = order_of_section_2();
  claim const claimed{.figure = std::move(figure),
                      .formula = order.formula,
                      .value = order.value(p),
                      .bound = comparison::order,
                      .where = {drawn_middles(is_random)}};
  cells.add(claimed, rounded(excess)).ours();
}

/// Claims the words that stage 2 takes at most, most likely.
[[nodiscard]] claim claim_of_stage_2(middle_case const& of, double c, bool is_random) {
  likely_stage_2 const likely{static_cast<double>(of.processors), c};
  return {.figure = "stage 2, likely",
          .formula = likely_stage_2::formula,
          .value = likely.words(),
          .bound = comparison::at_most,
          .erratum = likely_stage_2::probability,
          .where = {drawn_middles(is_random)}};
}

/// Makes the row of runs: claims of ours, and section 2's 2t, which leaves terms of lower order open,
/// from its threshold on.
[[nodiscard]] paper_row row_of_runs(middle_case const& of, middle_runs const& runs,
                                    bool is_random) {
  auto const t = std::max(runs.r, runs.c);
  claimed_cells cells({{"p", of.processors}, {"r", runs.r}, {"c", runs.c}, {"t", t}});
  cells.add(runs.bound_of_stage_2, runs.stage_2)
      .ours()
      .add(claim_of_stage_2(of, runs.c, is_random), runs.stage_2)
      .ours();
  add_excess(cells, "largest excess", of.processors, runs.largest_excess, is_random);
  add_excess(cells, "mean excess", of.processors, runs.mean_excess(), is_random);
  cells.where(drawn_middles(is_random))
      .where(many_elements(of.processors, t))
      .about("most words", "2t", runs.words);
  return {fmt::format("p = {}, {}, r = {:g}, c = {:g}{}", of.processors, of.traffic, runs.r, runs.c,
                      is_random ? fmt::format(", {} seeds", runs.runs) : ""),
          is_random ? with_draws : without_draws, cells.cells(), runs.are_correct};
}

/// Makes the row of runs of random traffic: section 2's 2t beside the run that has most words over its t.
[[nodiscard]] paper_row row_of_random_traffic(middle_case const& of, bool is_random) {
  auto const runs = runs_of(of, is_random);
  claimed_cells cells({{"p", of.processors}, {"t", runs.worst_t}});
  add_excess(cells, "largest excess", of.processors, runs.largest_excess, true);
  add_excess(cells, "mean excess", of.processors, runs.mean_excess(), true);
  cells.where(drawn_middles(true))
      .where(many_elements(of.processors, runs.worst_t))
      .about("most words", "2t", runs.worst_words);
  return {fmt::format("p = {}, random, {:g} elements each, {} seeds", of.processors,
                      static_cast<double>(of.t), runs.runs),
          is_random ? with_draws : without_draws, cells.cells(), runs.are_correct};
}

/// The trends of the excesses of one traffic.
struct middle_trends {
  order_trend largest{order_of_section_2()};
  order_trend mean{order_of_section_2()};

  void add(int processors, middle_runs const& runs) {
    largest.add(processors, runs.largest_excess);
    mean.add(processors, runs.mean_excess());
  }
  /// `label`: of the remarks.
  [[nodiscard]] std::vector<paper_cell> cells(std::string const& label, bool is_random) const {
    std::vector cells{
        largest.cell("largest excess", label + ", largest", "", {drawn_middles(is_random)}),
        mean.cell("mean excess", label + ", mean", "", {drawn_middles(is_random)})};
    for (auto& cell : cells) cell.is_ours = true;
    return cells;
  }
};

/// The rows of runs, and those of their trends.
struct middle_tables {
  paper_table runs;
  paper_table trends;
};

/// Adds the rows of a traffic for those sizes, and of the trends over them.
void add_traffic(middle_tables& tables, std::string const& traffic,
                 std::vector<middle_case> const& of) {
  middle_trends in_turn;
  middle_trends drawn;
  for (auto const& one : of) {
    auto const one_run = runs_of(one, false);
    auto const all_seeds = runs_of(one, true);
    tables.runs.rows.push_back(row_of_runs(one, one_run, false));
    tables.runs.rows.push_back(row_of_runs(one, all_seeds, true));
    in_turn.add(one.processors, one_run);
    drawn.add(one.processors, all_seeds);
  }
  if (of.empty()) return;
  auto const label =
      fmt::format("p = {} to {}, {}", of.front().processors, of.back().processors, traffic);
  tables.trends.rows.push_back(
      {label, without_draws, in_turn.cells(traffic + ", " + without_draws, false)});
  tables.trends.rows.push_back({label, with_draws, drawn.cells(traffic + ", " + with_draws, true)});
}

}  // namespace

std::vector<paper_table> random_middles(int most_processors) {
  std::string const title = "Section 2: transportation, the first middles drawn";
  middle_tables tables{{title + "; words beyond (r + c)(1 - 1/p)", {}, "input"},
                       {title + "; the trends of these words", {}, "input"}};
  std::vector<middle_case> worst_in_turn;
  std::vector<middle_case> worst_of_many;  // from section 2's threshold p sqrt(p ln p) on
  std::vector<middle_case> bad_for_draws;
  std::vector<middle_case> random_traffic;
  for (int const p : {8, 16, 32, 64}) {
    if (p > most_processors) continue;
    worst_in_turn.push_back({p, "adversary", 0});
    if (p <= 32)
      worst_of_many.push_back({p, "adversary", std::int64_t{1} * p * p, seeds_of_many_elements});
    if (p <= 32) bad_for_draws.push_back({p, "uniform", std::int64_t{1} * p * p / 2});
    auto const threshold = static_cast<std::int64_t>(std::ceil(order_of_section_2().value(p)));
    random_traffic.push_back({p, "random", threshold, seeds_of_many_elements});
  }
  if (worst_in_turn.empty()) return {};
  add_traffic(tables, "adversary", worst_in_turn);
  for (auto const& one : worst_of_many)
    for (bool const is_random : {false, true})
      tables.runs.rows.push_back(row_of_runs(one, runs_of(one, is_random), is_random));
  add_traffic(tables, "uniform", bad_for_draws);
  paper_table random{
      "Section 2: transportation, random traffic from p sqrt(p ln p) on", {}, "input"};
  for (auto const& one : random_traffic)
    for (bool const is_random : {false, true})
      random.rows.push_back(row_of_random_traffic(one, is_random));
  return {std::move(tables.runs), std::move(random), std::move(tables.trends)};
}

}  // namespace lockstep
