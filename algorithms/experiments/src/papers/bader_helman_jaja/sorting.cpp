#include "papers/bader_helman_jaja/sorting.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "papers/fitted_model.hpp"
#include "papers/in_binary.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

constexpr std::int64_t radix = 1024;
constexpr std::uint64_t passes = 4;
constexpr std::uint64_t startups_of_a_pass = 4;
/// Of more keys only [R] is sorted: the words do not depend on the keys, and time passes.
constexpr std::int64_t most_keys_of_all = 4 << 20;
constexpr char const* words_formula = "(3R/p + 2(n/p^2 + p/2))(p - 1) a pass, 4 passes";

[[nodiscard]] std::string network_of(int processors) {
  return fmt::format("crossbar:{}", processors);
}

[[nodiscard]] std::uint64_t claimed_words(sorting_input const& input) {
  return passes * words_of_a_pass(input.processors, input.keys);
}

/// The formula alone.
[[nodiscard]] paper_cell claimed_cell(sorting_input const& input, std::string instance) {
  paper_cell cell{.figure = "words",
                  .formula = words_formula,
                  .claimed = claimed_words(input),
                  .instance = std::move(instance),
                  .is_ours = true};
  cell.judged.reason =
      "inputs [C] and [N] of more than 4M keys are left out: the words do not depend on the keys";
  return cell;
}

/// Words of a run beside the formula: the same with padded blocks, at most that with real ones.
[[nodiscard]] paper_cell words_cell(sorting_input const& input, sorting_costs const& costs,
                                    std::string instance) {
  bool const is_real = input.blocks == "real";
  auto cell = judged_cell({.figure = "words",
                           .formula = words_formula,
                           .value = claimed_words(input),
                           .bound = is_real ? comparison::at_most : comparison::equal},
                          costs.all.words);
  if (std::cmp_not_equal(costs.passes, passes)) cell.judged.is_fault = true;
  cell.is_ours = true;
  cell.instance = std::move(instance);
  return cell;
}

/// Lists the inputs of Table III on that many processors: keys per processor, by distribution.
[[nodiscard]] std::map<std::string, std::set<std::int64_t>> inputs_on(int processors) {
  std::map<std::string, std::set<std::int64_t>> inputs;
  for (auto const& machine : sorting_machines())
    if (machine.processors == processors)
      for (auto const& row : machine.rows) inputs[row.distribution].insert(row.keys_per_processor);
  return inputs;
}

[[nodiscard]] paper_table table_3_words(int processors) {
  paper_table table{
      fmt::format("Words of Table III, {} processors, padded blocks", processors), {}, "input"};
  for (auto const& [distribution, all_keys] : inputs_on(processors)) {
    paper_row row{.network = '[' + distribution + ']',
                  .algorithm = network_of(processors),
                  .cells = {},
                  .correct = true};
    for (auto const keys : all_keys) {
      sorting_input const input{
          .processors = processors, .keys = keys * processors, .distribution = distribution};
      auto instance = "n/p = " + in_binary(keys);
      if (distribution != "R" && input.keys > most_keys_of_all) {
        row.cells.push_back(claimed_cell(input, std::move(instance)));
        continue;
      }
      auto const costs = measured_sort(input);
      row.cells.push_back(words_cell(input, costs, std::move(instance)));
      row.correct = *row.correct && costs.correct;
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

[[nodiscard]] erratum remark_on(sorting_machine const& machine, tau_sigma_model const& model) {
  return {
      0,
      fmt::format(
          "{}: 16 start-ups at tau = {:.4g} us and the words of 4 passes at sigma = "
          "{:.3g} us, fitted to these {} times of BHJ (least squares of relative "
          "errors, the largest is {:.0f} %); local work is in sigma, collective set-up in tau; R = "
          "1024 and routing in two phases are assumed: the paper does not give the table's R, and "
          "BHJ takes the fastest h-relation for each problem",
          machine.name, model.tau_us, model.sigma_us_per_word, machine.rows.size(),
          100 * largest_error(model, sorting_costs_on(machine)))};
}

/// Rows of a distribution: the code of Alexandrov et al., without counts, and the
/// paper's.
void add_rows(paper_table& table, sorting_machine const& machine, std::string const& distribution,
              tau_sigma_model const& model) {
  paper_row alexandrov{.network = '[' + distribution + ']', .algorithm = "AIS", .cells = {}};
  paper_row bader{.network = alexandrov.network, .algorithm = "BHJ", .cells = {}};
  for (auto const& times : machine.rows) {
    if (times.distribution != distribution) continue;
    paper_cell cell;
    cell.figure = "seconds";
    cell.formula = "another program";
    cell.instance = "n/p = " + in_binary(times.keys_per_processor);
    cell.printed = times.alexandrov;
    cell.judged.reason = "another program (AIS), whose counts the paper does not give";
    alexandrov.cells.push_back(cell);
    auto const words =
        words_of_a_pass(machine.processors, times.keys_per_processor * machine.processors);
    cell.formula = "tau start-ups + sigma words";
    cell.printed = times.bader;
    cell.priced = priced_seconds(model, passes * startups_of_a_pass, passes * words);
    cell.judged = beside_seconds(is_near(*cell.priced, times.bader));
    cell.explanation = remark_on(machine, model);
    bader.cells.push_back(std::move(cell));
  }
  table.rows.push_back(std::move(alexandrov));
  table.rows.push_back(std::move(bader));
}

[[nodiscard]] paper_table table_3_seconds(sorting_machine const& machine) {
  paper_table table{
      fmt::format("Table III, {}, {} processors, in seconds", machine.name, machine.processors),
      {},
      "input"};
  auto const model = sorting_model(machine);
  for (auto const* const distribution : {"R", "C", "N"})
    add_rows(table, machine, distribution, model);
  return table;
}

}  // namespace

sorting_costs measured_sort(sorting_input const& input) {
  auto const result = measured_algorithm("radix-sort", network_of(input.processors),
                                         {{"n", input.keys},
                                          {"radix", radix},
                                          {"distribution", input.distribution},
                                          {"blocks", input.blocks}});
  return {result.record.counts(), std::get<std::int64_t>(result.figures.at("passes")),
          result.correct};
}

std::uint64_t words_of_a_pass(int processors, std::int64_t keys) {
  auto const p = static_cast<std::uint64_t>(processors);
  auto const q = (static_cast<std::uint64_t>(radix) + p - 1) / p;
  return (3 * q + 2 * static_cast<std::uint64_t>(keys) / (p * p) + p) * (p - 1);
}

std::vector<timed_counts> sorting_costs_on(sorting_machine const& machine) {
  std::vector<timed_counts> times;
  times.reserve(machine.rows.size());
  for (auto const& row : machine.rows)
    times.push_back(
        {passes * startups_of_a_pass,
         passes * words_of_a_pass(machine.processors, row.keys_per_processor * machine.processors),
         row.bader});
  return times;
}

tau_sigma_model sorting_model(sorting_machine const& machine) {
  return fitted_model(sorting_costs_on(machine), machine.name);
}

paper_table distributions_table(int processors, std::vector<std::int64_t> const& keys) {
  paper_table table{fmt::format("Figure 4: words of each distribution, {} processors; n, p and R "
                                "are ours, since our text lacks "
                                "the drawing, which has seconds",
                                processors),
                    {},
                    "input"};
  for (auto const* const blocks : {"padded", "real"})
    for (auto const n : keys) {
      paper_row row{.network = "n = " + in_binary(n),
                    .algorithm = fmt::format("{} blocks", blocks),
                    .cells = {},
                    .correct = true};
      for (auto const* const distribution : {"R", "S", "C", "N"}) {
        sorting_input const input{processors, n, distribution, blocks};
        auto const costs = measured_sort(input);
        row.cells.push_back(words_cell(input, costs, fmt::format("[{}]", distribution)));
        row.correct = *row.correct && costs.correct;
      }
      table.rows.push_back(std::move(row));
    }
  return table;
}

std::vector<paper_table> sorting_tables(int most_processors) {
  std::vector<paper_table> tables;
  for (int const processors : {16, 32})
    if (processors <= most_processors) tables.push_back(table_3_words(processors));
  for (auto const& machine : sorting_machines())
    if (machine.processors <= most_processors) tables.push_back(table_3_seconds(machine));
  constexpr int figure_4_processors = 16;
  if (figure_4_processors <= most_processors)
    tables.push_back(distributions_table(figure_4_processors, {1 << 14, 1 << 17, 1 << 20}));
  return tables;
}

}  // namespace lockstep
