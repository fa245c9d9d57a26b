#include "papers/bader_helman_jaja/routing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "papers/bader_helman_jaja/g_group_words.hpp"
#include "papers/bader_helman_jaja/prediction.hpp"
#include "papers/fitted_model.hpp"
#include "papers/in_binary.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

constexpr int table_processors = 64;
constexpr std::int64_t million = 1 << 20;
constexpr std::array<std::int64_t, 3> table_elements{million, 2 * million, 4 * million};

[[nodiscard]] std::string multiple_of_n_p(std::int64_t c) {
  return c == 1 ? "n/p" : fmt::format("{}n/p", c);
}

[[nodiscard]] std::string name_of(g_group_setting const& input) {
  return fmt::format("h = {}, g = {}, t = {}", multiple_of_n_p(input.c), input.g, input.t);
}

/// A figure of a run that has to be exactly this, by lockstep's own counting.
[[nodiscard]] paper_cell exact_cell(std::string const& figure, std::string formula,
                                    std::uint64_t claimed, std::uint64_t measured) {
  auto cell =
      judged_cell({.figure = figure, .formula = std::move(formula), .value = claimed}, measured);
  cell.instance = figure;
  cell.is_ours = true;
  return cell;
}

[[nodiscard]] paper_row words_row(int processors, std::int64_t elements,
                                  g_group_costs const& measured) {
  auto const p = static_cast<std::uint64_t>(processors);
  auto const n = static_cast<std::uint64_t>(elements);
  auto const h = static_cast<std::uint64_t>(measured.input.c) * (n / p);
  auto const cost = [&](round_order order) {
    return stepwise_cost_of(measured.input, processors, elements, order);
  };
  auto const pex = cost(round_order::pex);
  auto const lp = cost(round_order::lp);
  std::string const largest = "sum of the rounds' largest blocks, by Eq. 8";
  return {
      .network = name_of(measured.input),
      .algorithm = fmt::format("crossbar:{}", processors),
      .cells = {exact_cell("padded", "(n/p^2 + p/2 + h/p + p/2)(p - 1)",
                           (n / (p * p) + h / p + p) * (p - 1), measured.padded.words),
                exact_cell("real", "(n/p^2 + h/p)(p - 1)", (n / (p * p) + h / p) * (p - 1),
                           measured.real.words),
                exact_cell("PEX", largest, pex.words, measured.pex.words),
                exact_cell("start-ups", "of PEX, by Eq. 8", pex.startups, measured.pex.startups),
                exact_cell("LP", largest, lp.words, measured.lp.words),
                exact_cell("pipelined", "h", h, measured.pipelined.words)},
      .correct = measured.correct};
}

/// Rounds of the two phases, if each is a step: what stepwise counting takes for start-ups.
[[nodiscard]] double two_phase_seconds(tau_sigma_model const& by, g_group_costs const& of) {
  return priced_seconds(by, of.real.rounds, of.real.words);
}

[[nodiscard]] double single_phase_seconds(tau_sigma_model const& by, g_group_costs const& of) {
  return priced_seconds(by, of.pex.startups, of.pex.words);
}

using costs_by_n = std::vector<std::vector<g_group_costs>>;

/// The least and the largest of some values, as a text.
struct value_range {
  std::optional<double> least{};
  std::optional<double> largest{};

  void add(double value) {
    least = std::min(least.value_or(value), value);
    largest = std::max(largest.value_or(value), value);
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{:.2g} to {:.2g}", least.value_or(0), largest.value_or(0));
  }
};

/// Subtracts the priced time from the two-phase seconds, in us for each element of a processor.
[[nodiscard]] value_range left_over(routing_machine const& machine, costs_by_n const& measured,
                                    tau_sigma_model const& model) {
  value_range range;
  for (std::size_t row = 0; row < machine.rows.size(); ++row)
    for (std::size_t i = 0; i < measured.size(); ++i) {
      auto const more = machine.rows[row].two_phase[i] - two_phase_seconds(model, measured[i][row]);
      range.add(1e6 * more * table_processors / static_cast<double>(table_elements[i]));
    }
  return range;
}

/// Tells by how much the seconds of a single phase grow with h where g is the same.
[[nodiscard]] std::string growth_at_equal_g(routing_machine const& machine) {
  std::vector<double> percents;
  for (std::size_t row = 1; row < machine.rows.size(); ++row) {
    auto const& before = machine.rows[row - 1];
    auto const& after = machine.rows[row];
    if (after.input.g != before.input.g) continue;
    for (std::size_t i = 0; i < after.single_phase.size(); ++i)
      percents.push_back(100 * (after.single_phase[i] / before.single_phase[i] - 1));
  }
  auto const [least, largest] = std::ranges::minmax(percents);
  return fmt::format(
      "these words grow with g, and at equal g the seconds grow with h, too, by {:.0f} to {:.0f} %",
      std::max(0.0, least), largest);
}

/// The remarks on values side by side.
struct remarks {
  erratum single_phase;
  erratum two_phase;
  erratum stepwise;
  erratum stepwise_where_one_phase_wins;
  erratum pipelined;
};

[[nodiscard]] remarks remarks_on(routing_machine const& machine, costs_by_n const& measured,
                                 tau_sigma_model const& model) {
  return {
      {0, fmt::format("{}, single-phase: rounds of PEX with a barrier after each, tau = {:.3g} us "
                      "and sigma = {:.3g} us a word, fitted to these 12 times (least squares of "
                      "relative errors, the largest is {:.0f} %); {}",
                      machine.name, model.tau_us, model.sigma_us_per_word,
                      100 * largest_error(model, single_phase_times(machine)),
                      growth_at_equal_g(machine))},
      {0, fmt::format("{}, two-phase: at the same tau and sigma; the rest, {} us for each of the "
                      "n/p elements, is local work (Steps 1, 3 and 5), which is not counted",
                      machine.name, left_over(machine, measured, model).text())},
      {0,
       "single/two, stepwise: the count that explains that two-phase routing wins: about g n/p "
       "words against (1 - 1/p)(n/p + h), so if g > 1 + hp/n; the seconds' ratio is smaller, "
       "for local work is in both of them"},
      {0, "single/two, stepwise: one phase was faster here, which this count does not explain"},
      {0,
       "single/two, pipelined: without barriers a single phase takes h words, never more than "
       "two phases; the seconds' ratio lies between both counts"}};
}

/// Makes the cell that the remark explains, if the remark holds there.
[[nodiscard]] paper_cell timed_cell(std::size_t i, std::string figure, std::string formula,
                                    double printed, double priced, erratum const& remark,
                                    bool is_so) {
  paper_cell cell{.figure = std::move(figure),
                  .formula = std::move(formula),
                  .instance = "n = " + in_binary(table_elements[i]),
                  .printed = printed,
                  .priced = priced};
  cell.judged = beside_seconds(is_so);
  if (is_so) cell.explanation = remark;
  return cell;
}

/// Whether that many seconds, besides those of words, are 1 to 7 us for each of the n/p elements.
[[nodiscard]] bool is_local_work(std::size_t i, double seconds) {
  auto const each = 1e6 * seconds * table_processors / static_cast<double>(table_elements[i]);
  return 1 <= each && each <= 7;
}

[[nodiscard]] double ratio(std::uint64_t of, std::uint64_t to) {
  return static_cast<double>(of) / static_cast<double>(to);
}

/// The rows of an input: seconds in two phases and in a single one, and their ratio, beside the
/// ratio of two counts.
void add_rows(paper_table& table, routing_times const& times, std::size_t row,
              costs_by_n const& measured, tau_sigma_model const& model, remarks const& say) {
  auto const add = [&](std::string const& what, auto cell) {
    paper_row made{.network = name_of(times.input), .algorithm = what, .cells = {}};
    for (std::size_t i = 0; i < measured.size(); ++i)
      made.cells.push_back(cell(i, measured[i][row]));
    table.rows.push_back(std::move(made));
  };
  // In two phases each round pays a start-up, as each message of PEX does.
  std::string const price_of_rounds = "tau rounds + sigma words";
  std::string const price = "tau start-ups + sigma words";
  add("two-phase", [&](std::size_t i, g_group_costs const& of) {
    auto const priced = two_phase_seconds(model, of);
    return timed_cell(i, "seconds", price_of_rounds, times.two_phase[i], priced, say.two_phase,
                      is_local_work(i, times.two_phase[i] - priced));
  });
  add("single-phase", [&](std::size_t i, g_group_costs const& of) {
    auto const priced = single_phase_seconds(model, of);
    return timed_cell(i, "seconds", price, times.single_phase[i], priced, say.single_phase,
                      is_near(priced, times.single_phase[i]));
  });
  auto const seconds_ratio = [&](std::size_t i) {
    return times.single_phase[i] / times.two_phase[i];
  };
  add("single/two, stepwise", [&](std::size_t i, g_group_costs const& of) {
    auto const counted = ratio(of.pex.words, of.real.words);
    auto const& remark = seconds_ratio(i) > 1 ? say.stepwise : say.stepwise_where_one_phase_wins;
    return timed_cell(i, "ratio", "words of PEX / words in two phases", seconds_ratio(i), counted,
                      remark, seconds_ratio(i) < counted);
  });
  add("single/two, pipelined", [&](std::size_t i, g_group_costs const& of) {
    auto const counted = ratio(of.pipelined.words, of.real.words);
    return timed_cell(i, "ratio", "words pipelined / words in two phases", seconds_ratio(i),
                      counted, say.pipelined, seconds_ratio(i) > counted);
  });
}

}  // namespace

std::vector<timed_counts> single_phase_times(routing_machine const& machine) {
  std::vector<timed_counts> times;
  for (auto const& row : machine.rows)
    for (std::size_t i = 0; i < table_elements.size(); ++i) {
      auto const pex =
          stepwise_cost_of(row.input, table_processors, table_elements[i], round_order::pex);
      times.push_back({pex.startups, pex.words, row.single_phase[i]});
    }
  return times;
}

tau_sigma_model routing_model(routing_machine const& machine) {
  return fitted_model(single_phase_times(machine), machine.name);
}

g_group_costs measured_g_group(g_group_setting const& input, int processors,
                               std::int64_t elements) {
  auto const network = fmt::format("crossbar:{}", processors);
  std::map<std::string, parameter_value> const pattern{{"n", elements},
                                                       {"h", input.c * elements / processors},
                                                       {"pattern", std::string("g-group")},
                                                       {"g", input.g},
                                                       {"t", input.t}};
  g_group_costs costs{.input = input, .correct = true};
  auto const run = [&](std::string const& name, std::map<std::string, parameter_value> parameters) {
    parameters.insert(pattern.begin(), pattern.end());
    auto const result = measured_algorithm(name, network, parameters);
    costs.correct = costs.correct && result.correct;
    return result.record.counts();
  };
  auto const direct = [&](std::string const& order, std::string const& timing) {
    return run("h-relation-direct", {{"order", order}, {"timing", timing}});
  };
  costs.padded = run("h-relation", {{"blocks", std::string("padded")}});
  costs.real = run("h-relation", {{"blocks", std::string("real")}});
  costs.pex = direct("pex", "stepwise");
  costs.lp = direct("lp", "stepwise");
  costs.pipelined = direct("pex", "pipelined");
  return costs;
}

paper_table g_group_words_table(int processors, std::int64_t elements,
                                std::vector<g_group_costs> const& measured) {
  paper_table table{fmt::format("Words of Tables I and II, n = {}: two phases (padded, real), "
                                "a single one (PEX, LP, pipelined)",
                                in_binary(elements)),
                    {},
                    "input"};
  for (auto const& one : measured) table.rows.push_back(words_row(processors, elements, one));
  return table;
}

paper_table g_group_seconds_table(routing_machine const& machine, costs_by_n const& measured) {
  paper_table table{machine.title + ", 64 processors, in seconds", {}, "input"};
  auto const model = routing_model(machine);
  auto const say = remarks_on(machine, measured, model);
  for (std::size_t row = 0; row < machine.rows.size(); ++row)
    add_rows(table, machine.rows[row], row, measured, model, say);
  return table;
}

std::vector<paper_table> g_group_tables(int most_processors) {
  if (most_processors < table_processors) return {};
  std::vector<paper_table> tables;
  costs_by_n measured;
  for (auto const elements : table_elements) {
    auto& of_n = measured.emplace_back();
    for (auto const& row : routing_machines()[0].rows)
      of_n.push_back(measured_g_group(row.input, table_processors, elements));
    tables.push_back(g_group_words_table(table_processors, elements, of_n));
  }
  for (auto const& machine : routing_machines())
    for (auto const make : {g_group_seconds_table, two_phase_prediction_table})
      tables.push_back(make(machine, measured));
  return tables;
}

}  // namespace lockstep
