#include "papers/mayr_plaxton/merging_tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/mayr_plaxton/tables.hpp"
#include "papers/measured_algorithm.hpp"
#include "sorting/supposed_sizes.hpp"
#include "sorting/written_steps.hpp"

namespace lockstep {

namespace {

constexpr int most_dimensions = 7;
constexpr std::array<std::int64_t, 4> all_sizes_of_sets{1, 2, 3, 16};
constexpr int lists_on_half_each = 13;  // numbers of docs/errata
constexpr int sum_of_calls = 16;

[[nodiscard]] std::string cube_of(int d) { return fmt::format("hypercube:{}", d); }

[[nodiscard]] bool fits(int d, int most_processors) {
  return d <= most_dimensions && 1 << d <= most_processors;
}

/// Finds a number among a run's own figures or its parameters.
[[nodiscard]] double number_in(experiment_result const& run, char const* name) {
  auto found = run.figures.find(name);
  if (found == run.figures.end()) {
    found = run.parameters.find(name);
    if (found == run.parameters.end()) throw own_mistake(fmt::format("a run without {}", name));
  }
  return static_cast<double>(std::get<std::int64_t>(found->second));
}

[[nodiscard]] double steps_of(experiment_result const& run) {
  return static_cast<double>(run.record.counts().steps);
}

// Merge and MergeSort, on hypercubes of all dimensions.

[[nodiscard]] std::vector<claimed_operation> merges() {
  std::vector<claimed_operation> all;
  for (std::string const lists : {"half", "whole"})
    for (std::string const way : {"fft", "halving", "fused"}) {
      claimed_operation of{
          .title = fmt::format("Merge, {}, {}",
                               lists == "half" ? "both lists on all processors"
                                               : "each list on half of the processors",
                               way == "fused" ? "fused" : way + " prefixes"),
          .algorithm = "merge",
          .network = "hypercube",
          .parameters = {{"lists", lists}, {"fused", way == "fused"}},
          .with = ports::all};
      if (way == "halving") of.parameters["prefix"] = way;
      if (way == "halving" && lists == "whole") {
        of.erratum_number = lists_on_half_each;
        of.is_explained = keeps_bound_with_all_dimensions;
      }
      all.push_back(std::move(of));
    }
  return all;
}

[[nodiscard]] std::vector<claimed_operation> merge_sorts() {
  std::vector<claimed_operation> all;
  for (bool const fused : {false, true})
    all.push_back({.title = fused ? "MergeSort, fused" : "MergeSort",
                   .algorithm = "merge-sort",
                   .network = "hypercube",
                   .parameters = {{"fused", fused}},
                   .with = ports::all});
  return all;
}

// MultiWayMerge and MultiWayMergeSort, by l and m.

[[nodiscard]] paper_table multiway_merges(int most_processors) {
  paper_table table{"MultiWayMerge: 2^l lists of 2^m sets of k", {}, "input"};
  for (int l = 1; 2 * l <= most_dimensions; ++l)
    for (int m = 0; fits(2 * l + m, most_processors); ++m) {
      claimed_operation const of{.title = {},
                                 .algorithm = "multiway-merge",
                                 .network = "hypercube",
                                 .parameters = {{"l", std::int64_t{l}}},
                                 .with = ports::all};
      auto row = claimed_row(of, cube_of(2 * l + m), all_sizes_of_sets);
      row.network += fmt::format(", l = {}, m = {}", l, m);
      table.rows.push_back(std::move(row));
    }
  return table;
}

/// `bound`: of those that the paper has.
[[nodiscard]] paper_table multiway_sorts(std::string const& title, std::string const& bound,
                                         int most_processors) {
  paper_table table{title, {}, "input"};
  for (int d = 2; fits(d, most_processors); ++d)
    for (int const l : {1, 2, 4}) {
      if (l >= d) continue;
      claimed_operation const of{.title = {},
                                 .algorithm = "multiway-merge-sort",
                                 .network = "hypercube",
                                 .parameters = {{"l", fmt::to_string(l)}},
                                 .with = ports::all,
                                 .erratum_number = sum_of_calls,
                                 .bound = bound};
      auto row = claimed_row(of, cube_of(d), all_sizes_of_sets);
      row.network += fmt::format(", l = {}, m = {}", l, d - l);
      table.rows.push_back(std::move(row));
    }
  return table;
}

// Step by step, by the phases of a run.

[[nodiscard]] experiment_result measured_on_all_ports(
    std::string const& name, int d, std::map<std::string, parameter_value> const& given,
    std::span<observer* const> observers = {}) {
  auto const* const known = find_experiment(name);
  if (known == nullptr) throw own_mistake("there is no algorithm " + name);
  begin_run("making the input of " + name);
  return known->run({.network = parse(cube_of(d)),
                     .options = {.ports = ports::all, .strict = true},
                     .parameters = parameters_for(*known, given),
                     .observers = observers});
}

/// Watches how many ports of a processor are in use in a step.
class port_use : public observer {
 public:
  explicit port_use(int processors)
      : m_in(static_cast<std::size_t>(processors)), m_out(m_in.size()) {}

  void message(message_record const& seen) override {
    if (seen.step != m_step) {
      std::ranges::fill(m_in, 0);
      std::ranges::fill(m_out, 0);
      m_step = seen.step;
    }
    if (seen.phase == no_phase) return;
    if (seen.phase >= m_most.size()) m_most.resize(seen.phase + 1);
    auto& most = m_most[seen.phase];
    most = std::max({most, ++m_in[static_cast<std::size_t>(seen.to)],
                     ++m_out[static_cast<std::size_t>(seen.from)]});
  }

  /// Finds the most in the phases whose name begins so.
  [[nodiscard]] std::uint64_t most_in(experiment_result const& run, std::string_view name) const {
    std::uint64_t most = 0;
    for (std::size_t phase = 0; phase < m_most.size(); ++phase)
      if (run.record.phases()[phase].name.starts_with(name)) most = std::max(most, m_most[phase]);
    return most;
  }

 private:
  std::vector<std::uint64_t> m_in;  ///< messages in this step, by processor
  std::vector<std::uint64_t> m_out;
  std::vector<std::uint64_t> m_most;  ///< by phase
  std::uint64_t m_step = 0;
};

/// The ports in use at a time in steps of an algorithm that need no more than one, as the paper says.
[[nodiscard]] paper_row ports_of(std::string const& name, int d,
                                 std::map<std::string, parameter_value> const& given,
                                 std::map<int, std::string> const& phases_of_steps) {
  port_use ports(1 << d);
  std::array<observer*, 1> const observers{&ports};
  auto const run = measured_on_all_ports(name, d, given, observers);
  claimed_cells cells(std::map<std::string, double, std::less<>>{});
  for (auto const& [step, phase] : phases_of_steps)
    cells.at_most(fmt::format("step {}", step), "1", ports.most_in(run, phase));
  return {fmt::format("{}, k = {}", cube_of(d), std::get<std::int64_t>(given.at("k"))), name,
          cells.cells(), run.correct};
}

/// The paper: "only step 4" uses more than one port at a time.
[[nodiscard]] paper_table ports_of_merge(int most_processors) {
  paper_table table{
      "Merge with prefixes by halving (number 12): ports of a processor in use at a time, in all "
      "steps but 4",
      {},
      "input"};
  for (int d = 2; fits(d, most_processors); ++d)
    for (std::int64_t const k : {1, 16})
      table.rows.push_back(ports_of("merge", d, {{"k", k}, {"prefix", std::string("halving")}},
                                    {{1, "reverse"},
                                     {2, "merge tokens"},
                                     {3, "unmerge tokens"},
                                     {5, "broadcast X"},
                                     {6, "broadcast Y"}}));
  return table;
}

/// The paper: "only steps 3, 4 and 6".
[[nodiscard]] paper_table ports_of_multiway_merge(int most_processors) {
  paper_table table{
      "MultiWayMerge: ports of a processor in use at a time, in all steps but 3, 4 and 6",
      {},
      "input"};
  for (int d = 2; fits(d, most_processors); ++d)
    for (int l = 1; 2 * l <= d; ++l)
      for (std::int64_t const k : {1, 16}) {
        auto row = ports_of("multiway-merge", d, {{"k", k}, {"l", std::int64_t{l}}},
                            {{1, "1: "}, {2, "2: "}, {5, "5: "}, {7, "7: "}});
        row.network += fmt::format(", l = {}", l);
        table.rows.push_back(std::move(row));
      }
  return table;
}

/// The paper: "steps 3 and 4".
[[nodiscard]] paper_table ports_of_multiway_sort(int most_processors) {
  paper_table table{
      "MultiWayMergeSort: ports of a processor in use at a time, in step 1", {}, "input"};
  for (int d = 2; fits(d, most_processors); ++d)
    for (std::int64_t const k : {2, 16})
      table.rows.push_back(
          ports_of("multiway-merge-sort", d, {{"k", k}, {"l", std::string("1")}}, {{1, "1: "}}));
  return table;
}

/// The steps of the phases whose name begins so.
[[nodiscard]] std::uint64_t steps_of_phases(experiment_result const& run, std::string_view name) {
  std::uint64_t steps = 0;
  for (auto const& phase : run.record.phases())
    if (phase.name.starts_with(name)) steps += phase.steps;
  return steps;
}

/// A row of a run, with the letters k, l, m and p.
[[nodiscard]] paper_row step_row(std::string input, std::string algorithm,
                                 claimed_cells const& cells, experiment_result const& run) {
  return {std::move(input), std::move(algorithm), cells.cells(), run.correct};
}

/// Steps 2 and 3 of Merge on 2p processors, by half of what they have on p: one less, which is
/// within the additive constant.
void add_half_of_a_step(claimed_cells& cells, std::string const& step, std::uint64_t measured,
                        int d) {
  std::optional<erratum> why;
  if (std::cmp_equal(measured, d))
    why = erratum{lists_on_half_each,
                  "our program merges 2p tokens on 2p processors over log p + 1 dimensions, a step "
                  "more, within the paper's additive constant; so does the way back of step 3"};
  cells.about(step, "log (p/2)", measured, why);
}

[[nodiscard]] paper_row steps_of_merge(int d, std::int64_t k, bool is_half) {
  auto const run = measured_on_all_ports(
      "merge", d, {{"k", k}, {"lists", std::string(is_half ? "half" : "whole")}});
  claimed_cells cells({{"k", static_cast<double>(k)}, {"p", static_cast<double>(1 << d)}});
  auto const merged = steps_of_phases(run, "merge tokens");
  auto const unmerged = steps_of_phases(run, "unmerge tokens");
  cells.at_most("step 1", is_half ? "log p" : "0", steps_of_phases(run, "reverse"));
  if (is_half) {
    cells.at_most("step 2", "2 log p", merged).at_most("step 3", "2 log p", unmerged);
  } else {
    add_half_of_a_step(cells, "step 2", merged, d);
    add_half_of_a_step(cells, "step 3", unmerged, d);
  }
  std::string const prefix = is_half ? "2k + 4 log p" : "2k + 4 log (p/2)";
  cells
      .at_most("step 4", is_half ? "4k + 4 log p" : "2k + 2 log (p/2)",
               steps_of_phases(run, "route"))
      .at_most("step 5", prefix, steps_of_phases(run, "broadcast X"))
      .at_most("step 6", prefix, steps_of_phases(run, "broadcast Y"));
  return step_row(fmt::format("{}, k = {}", cube_of(d), k),
                  is_half ? "both lists on all" : "each list on half", cells, run);
}

[[nodiscard]] paper_table merge_by_steps(int most_processors) {
  paper_table table{"Merge, step by step", {}, "input"};
  for (bool const is_half : {true, false})
    for (int const d : {1, 2, 5})
      for (std::int64_t const k : {1, 16})
        if (fits(d, most_processors)) table.rows.push_back(steps_of_merge(d, k, is_half));
  return table;
}

[[nodiscard]] paper_row steps_of_multiway_merge(int l, int m, std::int64_t k) {
  auto const run =
      measured_on_all_ports("multiway-merge", 2 * l + m, {{"k", k}, {"l", std::int64_t{l}}});
  claimed_cells cells({{"k", static_cast<double>(k)}, {"l", l}, {"m", m}});
  constexpr std::array formulas{"k + l", "k + l",     "8k + 17m", "k + m",
                                "k + l", "k + l + m", "k + l"};
  for (std::size_t step = 1; step <= formulas.size(); ++step)
    cells.at_most(fmt::format("step {}", step), formulas.at(step - 1),
                  steps_of_phases(run, fmt::format("{}: ", step)));
  return step_row(fmt::format("{}, l = {}, m = {}, k = {}", cube_of(2 * l + m), l, m, k),
                  "multiway-merge", cells, run);
}

[[nodiscard]] paper_table multiway_merge_by_steps(int most_processors) {
  paper_table table{"MultiWayMerge, step by step", {}, "input"};
  for (auto const& [l, m] : std::map<int, int>{{1, 2}, {2, 1}})
    for (std::int64_t const k : {1, 16})
      if (fits(2 * l + m, most_processors)) table.rows.push_back(steps_of_multiway_merge(l, m, k));
  return table;
}

[[nodiscard]] paper_row steps_of_multiway_sort(int l, int calls, std::int64_t k) {
  int const m = calls * l;
  auto const run =
      measured_on_all_ports("multiway-merge-sort", l + m, {{"k", k}, {"l", fmt::to_string(l)}});
  claimed_cells cells({{"k", static_cast<double>(k)},
                       {"l", l},
                       {"m", m},
                       {"n", static_cast<double>(k << m)},
                       {"p", static_cast<double>(1 << (l + m))}});
  // Section 4 has the sort for fewer than log p values of a processor.
  cells.where(detail::few_values)
      .at_most("step 1", "k + l", steps_of_phases(run, "1: "))
      .at_most("step 3", "sum of 14k + 5l + 19il, i = 0 .. m/l - 1", steps_of_phases(run, "3: "))
      .at_most("step 4", "k + log p", steps_of_phases(run, "4: "));
  return step_row(fmt::format("{}, l = {}, m = {}, k = {}", cube_of(l + m), l, m, k),
                  "multiway-merge-sort", cells, run);
}

[[nodiscard]] paper_table multiway_sort_by_steps(int most_processors) {
  paper_table table{"MultiWayMergeSort, step by step: l divides m", {}, "input"};
  for (int l = 1; l <= 3; ++l)
    for (int calls = 1; fits(l + calls * l, most_processors); ++calls)
      for (std::int64_t const k : {2, 16})
        table.rows.push_back(steps_of_multiway_sort(l, calls, k));
  return table;
}

// What the paper concludes for its own choices of k: dominant terms, beside which lower ones stay open.

/// A sort of k 2^m values on 2^d processors, m = d - l.
struct chosen_sort {
  int d = 0;
  int l = 0;
  std::int64_t k = 0;
};

[[nodiscard]] paper_row conclusion_row(chosen_sort const& of, std::string const& formula,
                                       std::string const& choice_of_k, bool is_chosen) {
  auto const& [d, l, k] = of;
  auto const run =
      measured_on_all_ports("multiway-merge-sort", d, {{"k", k}, {"l", fmt::to_string(l)}});
  auto const n = static_cast<double>(k << (d - l));
  claimed_cells cells({{"p", static_cast<double>(1 << d)}, {"n", n}});
  cells.where(choice_of_k, is_chosen).about("steps", formula, run.record.counts().steps);
  auto in_row = cells.cells();
  set_steps_beside_bounds(in_row.front(), run);
  return {fmt::format("{}, l = {}, k = {}, n = {}", cube_of(d), l, k, n), "multiway-merge-sort",
          std::move(in_row), run.correct};
}

/// The paper: "for k = log p the algorithm runs in 47/2 log^2 p / log((p log p)/n) + O(log p)".
[[nodiscard]] paper_table sorts_of_log_p(int most_processors) {
  paper_table table{"MultiWayMergeSort, k = log p, without the O(log p)", {}, "input"};
  for (int d = 2; fits(d, most_processors); ++d)
    for (int l = 1; l < d; ++l)
      table.rows.push_back(
          conclusion_row({d, l, d}, "47/2 (log p)^2/log ((p log p)/n)", "k = log p", true));
  return table;
}

/// The paper: for n = p "we can set k = log p/log log p", and get 19/2 log^2 p / log log p, beside
/// O((log p/log log p)^2). The nearest power of two is taken, as n = p needs one.
[[nodiscard]] paper_table sorts_of_a_value_each(int most_processors) {
  paper_table table{"MultiWayMergeSort, n = p, without the O((log p/log log p)^2)", {}, "input"};
  for (int d = 2; fits(d, most_processors); ++d)
    for (int l = 1; l < d && l <= 3; ++l) {
      std::int64_t const k = std::int64_t{1} << l;  // for n = p
      bool const is_chosen = std::exp2(std::round(std::log2(d / std::log2(d)))) == double(k);
      table.rows.push_back(
          conclusion_row({d, l, k}, "19/2 (log p)^2/log (log p)",
                         "k = log p/log log p (ours: the power of two nearest to it)", is_chosen));
    }
  return table;
}

}  // namespace

bool keeps_bound_with_all_dimensions(experiment_result const& merge) {
  auto const d = std::countr_zero(merge.record.processors().size());
  return steps_of(merge) <= 6 * number_in(merge, "k") + 12 * (d - 1) + 2;
}

std::vector<paper_table> merging_tables(int most_processors) {
  std::vector<int> dimensions;
  for (int d = 1; fits(d, most_processors); ++d) dimensions.push_back(d);
  std::vector<paper_table> tables;
  for (auto const& of : merges())
    tables.push_back(mayr_plaxton_table(of, dimensions, all_sizes_of_sets));
  tables.push_back(merge_by_steps(most_processors));
  tables.push_back(ports_of_merge(most_processors));
  for (auto const& of : merge_sorts())
    tables.push_back(mayr_plaxton_table(of, dimensions, all_sizes_of_sets));
  tables.push_back(multiway_merges(most_processors));
  tables.push_back(multiway_merge_by_steps(most_processors));
  tables.push_back(ports_of_multiway_merge(most_processors));
  tables.push_back(multiway_sorts("MultiWayMergeSort, 14k + 5l + 19il for a call",
                                  detail::steps_by_calls, most_processors));
  tables.push_back(
      multiway_sorts("MultiWayMergeSort, \"approximately\" (14k + 4l + 12m)m/l for all calls",
                     detail::steps_approximately, most_processors));
  tables.push_back(multiway_sort_by_steps(most_processors));
  tables.push_back(ports_of_multiway_sort(most_processors));
  tables.push_back(sorts_of_log_p(most_processors));
  tables.push_back(sorts_of_a_value_each(most_processors));
  return tables;
}

}  // namespace lockstep
