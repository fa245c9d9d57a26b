#include "papers/bader_helman_jaja/prediction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "papers/bader_helman_jaja/g_group_words.hpp"
#include "papers/in_binary.hpp"

namespace lockstep {

namespace {

constexpr std::int64_t timed_processors = 64;
constexpr std::array<std::int64_t, 3> timed_elements{1 << 20, 2 << 20, 4 << 20};

/// Computes 2n/p + h.
[[nodiscard]] std::uint64_t handled_elements(g_group_setting const& input, std::int64_t n) {
  return static_cast<std::uint64_t>((2 + input.c) * n / timed_processors);
}

/// The times of one machine, row by row, in each row by n.
struct predicted_times {
  std::vector<timed_work> single;
  std::vector<timed_work> two;
  local_work_model by{};
};

/// How good the predictions of a machine are, and how good guesses without any counts.
struct prediction_score {
  std::size_t two_predicted = 0;      ///< cases in which two phases are predicted to be faster
  std::size_t right = 0;              ///< cases in which the faster way is predicted
  std::size_t two_faster = 0;         ///< cases that "always two phases" has right
  double largest_error = 0;           ///< of the two-phase times
  double largest_error_of_equal = 0;  ///< of the single-phase times, taken for the two-phase ones
};

/// Counts how good the predictions are, and the guesses.
[[nodiscard]] prediction_score score_of(predicted_times const& times) {
  prediction_score score{.largest_error = largest_error(times.by, times.two)};
  for (std::size_t i = 0; i < times.two.size(); ++i) {
    auto const& single = times.single[i];
    auto const& two = times.two[i];
    bool const is_predicted = times.by.seconds(single.spent) > times.by.seconds(two.spent);
    bool const is_faster = single.seconds > two.seconds;
    score.two_predicted += is_predicted ? 1 : 0;
    score.two_faster += is_faster ? 1 : 0;
    score.right += is_predicted == is_faster ? 1 : 0;
    score.largest_error_of_equal =
        std::max(score.largest_error_of_equal, std::abs(1 - single.seconds / two.seconds));
  }
  return score;
}

/// Says how good the predictions are, beside guesses.
[[nodiscard]] std::string text_of(prediction_score const& score, std::size_t cases) {
  auto text = fmt::format(
      "The two-phase times come out up to {:.0f} % off; the single-phase times, taken for them, "
      "are up to {:.0f} % off. Which of both is faster comes out right in {} of {} cases, as it "
      "does in {} by always taking two phases",
      100 * score.largest_error, 100 * score.largest_error_of_equal, score.right, cases,
      score.two_faster);
  if (score.two_predicted == cases) text += "; the fit never picks one phase";
  if (score.largest_error_of_equal <= score.largest_error)
    text += ". On this machine it tells nothing beyond equal local work of both";
  return text;
}

/// Makes the remark on all predictions of a machine.
[[nodiscard]] erratum remark_on_prediction(routing_machine const& machine,
                                           predicted_times const& times) {
  return {0, fmt::format(
                 "{}, predicted: tau = {:.3g} us, sigma = {:.3g} us a word and {:.3g} us for each "
                 "of 2n/p + h elements that Steps 1, 2 (3 of two phases) and 5 handle, fitted to "
                 "the 12 single-phase times alone (the largest error there is {:.0f} %), without "
                 "the all-to-all of the counts H_i in Step 2 of one phase. {}",
                 machine.name, times.by.tau_us, times.by.sigma_us_per_word,
                 times.by.gamma_us_per_element, 100 * largest_error(times.by, times.single),
                 text_of(score_of(times), times.two.size()))};
}

/// Makes a cell on which nothing is judged.
[[nodiscard]] paper_cell cell_of_prediction(std::size_t i, std::string figure, std::string formula,
                                            std::optional<double> printed,
                                            std::optional<double> priced, erratum const& remark) {
  paper_cell cell{.figure = std::move(figure),
                  .formula = std::move(formula),
                  .instance = "n = " + in_binary(timed_elements[i]),
                  .printed = printed,
                  .priced = priced};
  cell.judged = {claim_verdict::decides_nothing,
                 "errors and ratios of the times of another machine are not judged"};
  cell.explanation = remark;
  return cell;
}

/// Adds the rows of an input: predicted seconds, their errors, those of taking the single-phase seconds
/// instead, and the ratio of both ways.
void add_predicted_rows(paper_table& table, routing_machine const& machine, std::size_t row,
                        predicted_times const& times, erratum const& remark) {
  auto const& [c, g, t] = machine.rows[row].input;
  auto const input =
      fmt::format("h = {}n/p, g = {}, t = {}", c == 1 ? "" : fmt::format("{}", c), g, t);
  std::array<paper_row, 4> rows{{{input, "two-phase, predicted", {}},
                                 {input, "error, in %", {}},
                                 {input, "error of two = single, in %", {}},
                                 {input, "single/two, predicted", {}}}};
  for (std::size_t i = 0; i < timed_elements.size(); ++i) {
    auto const& two = times.two[row * timed_elements.size() + i];
    auto const& single = times.single[row * timed_elements.size() + i];
    auto const predicted = times.by.seconds(two.spent);
    rows[0].cells.push_back(cell_of_prediction(i, "seconds",
                                               "tau rounds + sigma words + gamma (2n/p + h)",
                                               two.seconds, predicted, remark));
    rows[0].cells.back().judged = beside_seconds(is_near(predicted, two.seconds));
    rows[1].cells.push_back(cell_of_prediction(i, "error", "predicted/paper - 1", std::nullopt,
                                               100 * (predicted / two.seconds - 1), remark));
    rows[2].cells.push_back(cell_of_prediction(i, "error", "single-phase/two-phase seconds - 1",
                                               100 * (single.seconds / two.seconds - 1),
                                               std::nullopt, remark));
    rows[3].cells.push_back(cell_of_prediction(i, "ratio", "of both predicted times",
                                               single.seconds / two.seconds,
                                               times.by.seconds(single.spent) / predicted, remark));
  }
  for (auto& made : rows) table.rows.push_back(std::move(made));
}

}  // namespace

std::vector<timed_work> single_phase_work(routing_machine const& machine) {
  std::vector<timed_work> times;
  for (auto const& row : machine.rows)
    for (std::size_t i = 0; i < timed_elements.size(); ++i) {
      auto const pex = stepwise_cost_of(row.input, static_cast<int>(timed_processors),
                                        timed_elements[i], round_order::pex);
      times.push_back({{pex.startups, pex.words, handled_elements(row.input, timed_elements[i])},
                       row.single_phase[i]});
    }
  return times;
}

std::vector<timed_work> two_phase_work(routing_machine const& machine,
                                       std::vector<std::vector<g_group_costs>> const& measured) {
  std::vector<timed_work> times;
  for (std::size_t row = 0; row < machine.rows.size(); ++row)
    for (std::size_t i = 0; i < timed_elements.size(); ++i) {
      auto const& real = measured[i][row].real;
      times.push_back(
          {{real.rounds, real.words, handled_elements(machine.rows[row].input, timed_elements[i])},
           machine.rows[row].two_phase[i]});
    }
  return times;
}

paper_table two_phase_prediction_table(routing_machine const& machine,
                                       std::vector<std::vector<g_group_costs>> const& measured) {
  predicted_times times{single_phase_work(machine), two_phase_work(machine, measured)};
  times.by = fitted_with_local_work(times.single);
  paper_table table{
      machine.title + ": two-phase seconds, predicted by a fit to the single-phase ones",
      {},
      "input"};
  auto const remark = remark_on_prediction(machine, times);
  for (std::size_t row = 0; row < machine.rows.size(); ++row)
    add_predicted_rows(table, machine, row, times, remark);
  return table;
}

}  // namespace lockstep
