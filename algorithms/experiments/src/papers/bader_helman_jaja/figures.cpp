#include "papers/bader_helman_jaja/figures.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "papers/bader_helman_jaja/routing.hpp"
#include "papers/bader_helman_jaja/sorting.hpp"
#include "papers/entries.hpp"
#include "papers/in_binary.hpp"
#include "papers/judged_check.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/measured_grid.hpp"

namespace lockstep {

namespace {

constexpr std::array<char const*, 2> readings{"padded", "real"};

[[nodiscard]] counts counts_of(experiment_result const& result) {
  if (!result.correct) throw wrong_result("a run for a figure");
  return result.record.counts();
}

/// The h-family with h = c n/p.
[[nodiscard]] counts routed(int processors, std::int64_t elements, std::int64_t c,
                            std::string const& blocks) {
  return counts_of(measured_algorithm("h-relation", fmt::format("crossbar:{}", processors),
                                      {{"n", elements},
                                       {"h", c * elements / processors},
                                       {"pattern", std::string("family")},
                                       {"blocks", blocks}}));
}

[[nodiscard]] counts sorted(sorting_input const& input) {
  auto const costs = measured_sort(input);
  if (!costs.correct) throw wrong_result("a sort for a figure");
  return costs.all;
}

[[nodiscard]] std::string label_of(tau_sigma_model const& model) {
  return fmt::format("{}: tau = {:.4g} us, sigma = {:.3g} us", model.label, model.tau_us,
                     model.sigma_us_per_word);
}

[[nodiscard]] figure_axis processors_axis() {
  return {.quantity = "processors p", .unit = "", .column = "processors"};
}

[[nodiscard]] figure_axis keys_axis() {
  return {.quantity = "keys n", .unit = "", .column = "keys", .has_binary_prefixes = true};
}

[[nodiscard]] std::vector<tau_sigma_model> routing_models() {
  std::vector<tau_sigma_model> models;
  for (auto const& machine : routing_machines()) models.push_back(routing_model(machine));
  return models;
}

[[nodiscard]] std::string notes_on(std::vector<tau_sigma_model> const& models,
                                   std::string const& fitted_to) {
  std::vector<std::string> labels;
  labels.reserve(models.size());
  for (auto const& model : models) labels.push_back(label_of(model));
  return fmt::format("{} (fitted to {})", fmt::join(labels, "; "), fitted_to);
}

/// Panels of each machine, for padded blocks and for real ones.
void add_panels(paper_figure& figure, std::vector<tau_sigma_model> const& models,
                std::array<measured_grid, 2> const& grids) {
  for (std::size_t reading = 0; reading < readings.size(); ++reading)
    for (auto const& model : models)
      figure.panels.push_back(priced_panel(model.label, readings[reading], grids[reading], model));
}

/// Judges a statement on times by words, where that says enough.
[[nodiscard]] judgement of_times(bool is_so_of_words) {
  if (!is_so_of_words) return holds_if(false);
  return undecided("so it is of words; the paper says it of times");
}

constexpr char const* inversely_for_large_n =
    "section 3.1, \"scales inversely with p whenever n is large\"";

/// "Scales inversely with p": twice the processors take half the words, but for those that
/// stay where they are, which are fewer.
[[nodiscard]] figure_check inverse_check(std::string statement, std::string quoted,
                                         quotient_range const& found) {
  return {std::move(statement),
          fmt::format("twice as many processors take 1/{:.2f} to 1/{:.2f} of the words",
                      found.largest, found.least),
          of_times(found.least >= 1.7 && found.largest <= 2), std::move(quoted)};
}

[[nodiscard]] std::vector<double> as_x(std::span<int const> values) {
  return {values.begin(), values.end()};
}

[[nodiscard]] std::vector<double> as_x(std::vector<std::int64_t> const& values) {
  std::vector<double> x(values.size());
  std::ranges::transform(values, x.begin(), [](auto value) { return static_cast<double>(value); });
  return x;
}

/// The curves' points are those of the function.
template <class Point>
[[nodiscard]] measured_curve curve_of(std::string name, auto const& values, Point const& point) {
  measured_curve curve{std::move(name), {}};
  for (auto const value : values) curve.points.push_back(point(value));
  return curve;
}

/// Its index, or the number of values if it is not among them.
[[nodiscard]] std::size_t place_of(int value, std::span<int const> values) {
  return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
}

/// How much of the words of padded blocks is p(p - 1), for few elements.
[[nodiscard]] figure_check square_check(int processors, std::int64_t elements,
                                        std::uint64_t words) {
  auto const share = 100.0 * processors * (processors - 1) / static_cast<double>(words);
  return {fmt::format("p = {}, n = {}", processors, in_binary(elements)),
          fmt::format("p(p - 1) is {:.1f} % of the words, and half of them at n = p^3/5 = {}",
                      share, processors * processors * processors / 5),
          undecided("the paper says it of times, and words are counted"),
          "section 3.1, \"dominated by O(p^2) as shown in the case of the 32-processor\""};
}

/// The paper's own size is not among those that are drawn.
[[nodiscard]] figure_check square_check_left_out() {
  return {"p = 32, n = 128K",
          "not run",
          {claim_verdict::not_run, "--up-to leaves out 32 processors"},
          "section 3.1, \"dominated by O(p^2) as shown in the case of the 32-processor\""};
}

/// Time grows with h as a + b h.
[[nodiscard]] figure_check h_check(measured_grid const& over_p) {
  bool is_direct = true;
  for (std::size_t i = 0; i < over_p.x.size(); ++i) {
    auto const rise = [&](std::size_t from) {
      return static_cast<std::int64_t>(over_p.words(from + 1, i)) -
             static_cast<std::int64_t>(over_p.words(from, i));
    };
    is_direct = is_direct && rise(0) > 0 && rise(1) == 2 * rise(0) && rise(2) == 4 * rise(0);
  }
  std::vector<std::string> ratios;
  for (std::size_t c = 0; c < over_p.curves.size(); ++c)
    ratios.push_back(fmt::format("{:.2f}", static_cast<double>(over_p.words(c, 0)) /
                                               static_cast<double>(over_p.words(0, 0))));
  return {"all h",
          fmt::format("words are a + b h; for h = 1, 2, 4, 8 n/p at p = {}: {}", over_p.x.front(),
                      fmt::join(ratios, " : ")),
          of_times(is_direct), "section 3.1, \"varies directly with the parameter h\""};
}

/// By how much the words of the curves differ from their largest, over all points.
[[nodiscard]] double largest_spread(measured_grid const& grid) {
  double spread = 0;
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    std::vector<double> words;
    for (std::size_t c = 0; c < grid.curves.size(); ++c)
      words.push_back(static_cast<double>(grid.words(c, i)));
    auto const [least, largest] = std::ranges::minmax(words);
    spread = std::max(spread, 1 - least / largest);
  }
  return 100 * spread;
}

[[nodiscard]] bool are_linear(measured_grid const& grid) {
  bool all = true;
  for (std::size_t c = 0; c < grid.curves.size(); ++c) all = all && is_linear(grid, c);
  return all;
}

/// Begins a figure with a panel for each machine and blocks, and a curve for each input.
[[nodiscard]] paper_figure figure_by_machine(std::string name, std::string title, std::string note,
                                             std::string time, figure_axis x) {
  return {.name = std::move(name),
          .title = std::move(title),
          .note = std::move(note),
          .time = std::move(time),
          .x = std::move(x),
          .columns = {.panel = "machine", .reading = "blocks", .curve = "input"},
          .panels = {}};
}

}  // namespace

paper_figure routing_over_sizes(std::span<int const> processors,
                                std::vector<std::int64_t> const& elements) {
  auto const models = routing_models();
  std::array<measured_grid, 2> grids;
  for (std::size_t reading = 0; reading < readings.size(); ++reading) {
    grids[reading].x = as_x(processors);
    for (auto const n : elements)
      grids[reading].curves.push_back(curve_of("n = " + in_binary(n), processors, [&](int p) {
        return routed(p, n, 4, readings[reading]);
      }));
  }
  auto figure = figure_by_machine(
      "bader-helman-jaja-2",
      "Routing an h-relation in two phases, h = 4n/p (Bader, Helman and JaJa 1996, Fig. 2)",
      notes_on(models, "the single-phase seconds of Tables I and II"), "routing time",
      processors_axis());
  add_panels(figure, models, grids);
  auto const& padded = grids[0];
  if (processors.size() > 1)
    figure.checks.push_back(
        inverse_check("the largest n", inversely_for_large_n, quotients_of(padded.curves.back())));
  auto const place = place_of(32, processors);  // as in the paper
  figure.checks.push_back(
      place == processors.size() || elements.front() != std::int64_t{1} << 17
          ? square_check_left_out()
          : square_check(processors[place], elements.front(), padded.words(0, place)));
  return figure;
}

paper_figure routing_over_h(std::span<int const> processors, std::int64_t elements) {
  auto const models = routing_models();
  std::array<measured_grid, 2> grids;
  for (std::size_t reading = 0; reading < readings.size(); ++reading) {
    grids[reading].x = as_x(processors);
    for (std::int64_t const c : {1, 2, 4, 8})
      grids[reading].curves.push_back(
          curve_of(c == 1 ? "h = n/p" : fmt::format("h = {}n/p", c), processors,
                   [&](int p) { return routed(p, elements, c, readings[reading]); }));
  }
  auto figure =
      figure_by_machine("bader-helman-jaja-6",
                        fmt::format("Routing h-relations of {} elements in two phases "
                                    "(after Bader, Helman and JaJa 1996, Fig. 6; n is ours)",
                                    in_binary(elements)),
                        notes_on(models, "the single-phase seconds of Tables I and II"),
                        "routing time", processors_axis());
  add_panels(figure, models, grids);
  figure.checks.push_back(h_check(grids[0]));
  if (processors.size() > 1)
    figure.checks.push_back(
        inverse_check("h = 8n/p", inversely_for_large_n, quotients_of(grids[0].curves.back())));
  return figure;
}

paper_figure sorting_over_distributions(int processors, std::vector<std::int64_t> const& keys) {
  std::vector<tau_sigma_model> const models{sorting_model(sorting_machines().front())};
  std::array<measured_grid, 2> grids;
  for (std::size_t reading = 0; reading < readings.size(); ++reading) {
    grids[reading].x = as_x(keys);
    for (auto const* const distribution : {"R", "S", "C", "N"})
      grids[reading].curves.push_back(
          curve_of(fmt::format("[{}]", distribution), keys, [&](std::int64_t n) {
            return sorted({processors, n, distribution, readings[reading]});
          }));
  }
  auto figure = figure_by_machine(
      "bader-helman-jaja-4",
      fmt::format("Radix sort of each distribution, {} processors, R = "
                  "1024 (after Bader, Helman and JaJa 1996, Fig. 4; n, p and R are ours)",
                  processors),
      notes_on(models, "the BHJ seconds of Table III"), "sorting time", keys_axis());
  figure.marks = "the curves of the four inputs lie on one another";
  add_panels(figure, models, grids);
  auto const spread = largest_spread(grids[0]);
  figure.checks.push_back(
      {"padded blocks",
       spread == 0 ? "the same words for all" : fmt::format("{:.2f} % fewer words", spread),
       of_times(spread == 0), "section 5.2, \"radix sort is independent of input distribution\""});
  figure.checks.push_back(
      {"blocks of real size take what there is",
       fmt::format("up to {:.1f} % fewer words for one than for another", largest_spread(grids[1])),
       holds_if(true)});
  return figure;
}

paper_figure sorting_over_sizes(std::span<int const> processors,
                                std::vector<std::int64_t> const& keys) {
  std::vector<tau_sigma_model> models;
  for (auto const& machine : sorting_machines()) models.push_back(sorting_model(machine));
  measured_grid grid{as_x(keys), {}};
  for (int const p : processors)
    grid.curves.push_back(curve_of(fmt::format("p = {}", p), keys, [&](std::int64_t n) {
      return sorted({.processors = p, .keys = n});
    }));
  auto figure = figure_by_machine(
      "bader-helman-jaja-5",
      "Radix sort of [R], R = 1024 (after Bader, Helman and JaJa 1996, Fig. 5; "
      "n, p and R are ours)",
      notes_on(models, "the BHJ seconds of Table III"), "sorting time", keys_axis());
  for (auto const& model : models)
    figure.panels.push_back(priced_panel(model.label, readings[0], grid, model));
  figure.checks.push_back({"all p",
                           are_linear(grid) ? "words are a + b n exactly" : "words are not",
                           of_times(are_linear(grid)), "section 5.2, \"linear in input size n\""});
  measured_curve over_p{"", {}};
  for (auto const& curve : grid.curves) over_p.points.push_back(curve.points.back());
  if (processors.size() > 1)
    figure.checks.push_back(inverse_check(fmt::format("n = {}", in_binary(keys.back())),
                                          "section 5.2, \"scales inversely with p\"",
                                          quotients_of(over_p)));
  return figure;
}

std::array<figure_entry, 4> bader_helman_jaja_figure_entries() {
  using sizes = std::span<int const>;
  auto const entry = [](int number, std::string const& summary, std::vector<int> shown,
                        paper_figure (*draw)(sizes)) {
    return figure_entry{.name = fmt::format("bader-helman-jaja-{}", number),
                        .summary = summary,
                        .sizes = std::move(shown),
                        .measure = size_measure::processors,
                        .has_cross_overs = false,
                        .draw = draw};
  };
  static constexpr std::int64_t kilo = 1 << 10;
  auto const doubled = [](std::int64_t from, std::int64_t to) {
    std::vector<std::int64_t> all;
    for (; from <= to; from *= 2) all.push_back(from);
    return all;
  };
  static auto const routed_elements = doubled(128 * kilo, 2048 * kilo);
  static auto const figure_4_keys = doubled(16 * kilo, 1024 * kilo);
  static auto const figure_5_keys = doubled(64 * kilo, 4096 * kilo);
  return {entry(2, "time to route an h-relation, h = 4n/p, over processors", {4, 8, 16, 32, 64},
                [](sizes of) { return routing_over_sizes(of, routed_elements); }),
          entry(4, "time to sort over keys, for each distribution", {16},
                [](sizes of) { return sorting_over_distributions(of.back(), figure_4_keys); }),
          entry(5, "time to sort over keys, for each number of processors", {8, 16, 32, 64},
                [](sizes of) { return sorting_over_sizes(of, figure_5_keys); }),
          entry(6, "time to route h-relations over processors, for each h", {8, 16, 32, 64},
                [](sizes of) { return routing_over_h(of, 1024 * kilo); })};
}

}  // namespace lockstep
