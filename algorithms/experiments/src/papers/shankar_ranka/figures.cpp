#include "papers/shankar_ranka/figures.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/entries.hpp"
#include "papers/judged_check.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

constexpr char const* from_counts = "measured counts";
constexpr char const* from_formulas = "formulas";

[[nodiscard]] experiment_result right_result(std::string const& name, int p,
                                             std::map<std::string, parameter_value> const& given) {
  auto result = measured_algorithm(name, crossbar_of(p), given);
  if (!result.correct) throw wrong_result("a run for a figure");
  return result;
}

/// A write of n elements, and what section 4.5 has for it with all terms.
struct write_total {
  double words = 0;  ///< by the busiest port of each phase
  double bound = 0;
};

[[nodiscard]] write_total total_of(int processors, std::int64_t elements,
                                   std::string const& pattern, std::string const& variant) {
  auto const result = right_result("random-access-write", processors,
                                   {{"n", elements}, {"pattern", pattern}, {"variant", variant}});
  auto const k = static_cast<double>(std::get<std::int64_t>(result.parameters.at("k")));
  auto const n = static_cast<double>(elements);
  double const p = processors;
  return {static_cast<double>(counted(result, "port_words")),
          3 * n / p + 4 * k * p + 4 * n / (k * p) + p * (p - 1)};
}

[[nodiscard]] std::int64_t cube_of(int p) { return std::int64_t{1} * p * p * p; }

/// Panels of one p, and the checks over all of them.
struct asymptote {
  figure_panel panel;
  double at_cube = 0;  ///< largest share for n = p^3
  double last = 0;     ///< and for the most elements
  bool is_bounded = true;
};

[[nodiscard]] asymptote asymptote_of(int p, std::string const& variant,
                                     std::vector<int> const& sizes) {
  asymptote found{.panel = {.name = fmt::format("p = {}", p), .reading = variant, .curves = {}}};
  figure_curve bound{"4.5 with all terms", from_formulas, {}};
  for (auto const* const pattern : {"random", "few-hot", "permutation"}) {
    figure_curve curve{pattern, from_counts, {}};
    for (int const size : sizes) {
      auto const n = cube_of(p) * size / 4;
      auto const total = total_of(p, n, pattern, variant);
      double const claimed = 3 * static_cast<double>(n) / p;
      curve.points.push_back({size / 4.0, total.words / claimed});
      if (bound.points.size() < sizes.size())
        bound.points.push_back({size / 4.0, total.bound / claimed});
      found.is_bounded = found.is_bounded && total.words <= total.bound;
      if (size == 4) found.at_cube = std::max(found.at_cube, curve.points.back().us);
    }
    found.last = std::max(found.last, curve.points.back().us);
    found.panel.curves.push_back(std::move(curve));
  }
  found.panel.curves.push_back(std::move(bound));
  return found;
}

/// The words in or out of the busiest processor if all elements go straight to their owners.
[[nodiscard]] double straight_words(int processors, std::int64_t elements, access_pattern pattern) {
  bucket_layout const layout(static_cast<std::size_t>(elements), processors);
  auto const pointers = generated_pointers(pattern, layout, 1);
  machine const on(crossbar{processors}, {.strict = true});
  begin_run("running on " + on.topology().spec());
  auto const run = on.run([&](processor& me) {
    auto const mine =
        std::span(pointers).subspan(layout.first_of(me.rank()), layout.size_of(me.rank()));
    return transportation(me, mine, [&](std::size_t address) { return layout.owner(address); },
                          {.route = transportation_route::direct, .keeps_route = false})
        .elements.size();
  });
  std::uint64_t most = 0;
  for (auto const& each : run.processors())
    most = std::max({most, each.words_sent, each.words_received});
  return static_cast<double>(most);
}

[[nodiscard]] figure_measure ratio() { return {.column = "ratio", .is_time = false}; }

[[nodiscard]] figure_panel panel_of_pattern(access_pattern pattern,
                                            std::span<int const> processors) {
  std::string const name(name_of(pattern));
  figure_panel panel{.name = name, .reading = "n = p^3", .curves = {}};
  figure_curve straight{"straight to the owners", from_counts, {}};
  figure_curve stages{"two stages", from_counts, {}};
  figure_curve hybrid{"hybrid", from_counts, {}};
  figure_curve bound{"4.5 with all terms", from_formulas, {}};
  for (int const p : processors) {
    auto const n = cube_of(p);
    double const each = static_cast<double>(n) / p;
    straight.points.push_back({1.0 * p, straight_words(p, n, pattern) / each});
    auto const total = total_of(p, n, name, "arbitrary");
    stages.points.push_back({1.0 * p, total.words / each});
    bound.points.push_back({1.0 * p, total.bound / each});
    hybrid.points.push_back({1.0 * p, total_of(p, n, name, "hybrid").words / each});
  }
  panel.curves = {std::move(straight), std::move(stages), std::move(hybrid), std::move(bound)};
  return panel;
}

/// Elements that go straight: (1 - 1/p)n of one address's, which grows as p over n/p.
[[nodiscard]] figure_check straight_check(figure_panel const& one_hot) {
  bool is_all = true;
  for (auto const& [p, share] : one_hot.curves.front().points) is_all = is_all && share == p - 1;
  auto const& last = one_hot.curves.front().points.back();
  return {"elements sent straight",
          fmt::format("one-hot: {:g} n/p words for p = {:g}, all elements of the others", last.us,
                      last.x),
          holds_if(is_all),
          "section 1, \"could increase the time taken from O(n/p) mu to O(n) mu\""};
}

/// Two stages take no more for hot spots than the bound that has no pattern in it.
[[nodiscard]] figure_check severity_check(std::vector<figure_panel> const& panels) {
  std::vector<double> last;
  bool is_bounded = true;
  for (auto const& panel : panels) {
    auto const& stages = panel.curves[1].points;
    auto const& bound = panel.curves[3].points;
    for (std::size_t i = 0; i < stages.size(); ++i)
      is_bounded = is_bounded && stages[i].us <= bound[i].us;
    last.push_back(stages.back().us);
  }
  auto const [least, largest] = std::ranges::minmax(last);
  auto const& bound = panels.front().curves[3].points.back();
  return {"two stages",
          fmt::format("{:.2f} to {:.2f} n/p words in two stages for p = {:g}, at most {:.2f}",
                      least, largest, bound.x, bound.us),
          holds_if(is_bounded),
          "conclusions, \"independent of the presence and severity of the hot spots\""};
}

/// A transportation's words over 2t, for t the larger of the words sent and received.
[[nodiscard]] figure_point share_of(int p, std::string const& traffic, std::int64_t t) {
  auto const result = right_result("transportation", p, {{"t", t}, {"traffic", traffic}});
  auto const most = static_cast<double>(std::max(counted(result, "r"), counted(result, "c")));
  return {most / (1.0 * p * p), static_cast<double>(result.record.counts().words) / (2 * most)};
}

[[nodiscard]] figure_panel panel_of_squares(int p, std::vector<int> const& squares) {
  figure_curve adversary{"adversary", from_counts, {}};
  figure_curve random{"random", from_counts, {}};
  figure_curve bound{"4.5: 2p(t/p + p)", from_formulas, {}};
  for (int const square : squares) {
    auto const t = std::int64_t{square} * p * p;
    adversary.points.push_back(share_of(p, "adversary", t));
    auto const x = adversary.points.back().x;
    random.points.push_back(share_of(p, "random", t + std::int64_t{2} * p));
    bound.points.push_back({x, 1 + 1 / x});
  }
  return {.name = fmt::format("p = {}", p),
          .reading = "words over 2t",
          .curves = {std::move(adversary), std::move(random), std::move(bound)}};
}

[[nodiscard]] figure_check square_check(figure_panel const& panel) {
  auto const& found = panel.curves.front().points;
  auto const& bound = panel.curves.back().points;
  bool is_bounded = true;
  for (std::size_t i = 0; i < found.size(); ++i)
    is_bounded = is_bounded && found[i].us <= bound[i].us;
  return {panel.name,
          fmt::format("{:.2f} times 2t for t = {:.3g} p^2, {:.2f} times for {:.3g} p^2",
                      found.front().us, found.front().x, found.back().us, found.back().x),
          is_bounded ? undecided("how large the terms of lower order are, the paper leaves open")
                     : holds_if(false),
          "section 2, \"2 mu t (+ lower order terms) when t >= O(p^2 + ...)\""};
}

}  // namespace

paper_figure total_over_elements(std::span<int const> processors, std::vector<int> const& sizes) {
  paper_figure figure{
      .name = "shankar-ranka-total",
      .title = "Words of a random access write over 3n/p (Shankar and Ranka 1997, 4.5)",
      .note = "by the busiest port of each phase; k for which vectors are shortest",
      .time = "words / (3n/p)",
      .x = {.quantity = "n/p^3", .unit = "", .column = "n_over_p3"},
      .columns = {.panel = "processors", .reading = "variant", .curve = "input"},
      .panels = {},
      .y = ratio()};
  for (auto const* const variant : {"arbitrary", "hybrid"})
    for (int const p : processors) {
      auto found = asymptote_of(p, variant, sizes);
      figure.checks.push_back(
          {fmt::format("{}, {}", found.panel.name, variant),
           fmt::format("{:.2f} times 3n/p for n = p^3, {:.2f} times for {:g} p^3", found.at_cube,
                       found.last, sizes.back() / 4.0),
           found.is_bounded && found.at_cube > 1
               ? undecided("how large the terms of lower order are, the paper leaves open")
               : holds_if(found.is_bounded),
           "section 4, \"optimal with a complexity of 3 mu n/p\""});
      figure.panels.push_back(std::move(found.panel));
    }
  return figure;
}

paper_figure hot_spots_over_processors(std::span<int const> processors) {
  paper_figure figure{
      .name = "shankar-ranka-hot-spots",
      .title =
          "Words of a random access write over n/p, with and without hot spots "
          "(Shankar and Ranka 1997, section 1)",
      .note = "by the busiest port of each phase; straight: of the busiest processor",
      .time = "words / (n/p)",
      .x = {.quantity = "processors p", .unit = "", .column = "processors"},
      .columns = {.panel = "input", .reading = "size", .curve = "algorithm"},
      .panels = {},
      .y = ratio()};
  for (auto const pattern : {access_pattern::random, access_pattern::permutation,
                             access_pattern::few_hot, access_pattern::one_hot})
    figure.panels.push_back(panel_of_pattern(pattern, processors));
  figure.checks = {straight_check(figure.panels.back()), severity_check(figure.panels)};
  return figure;
}

paper_figure square_term(std::span<int const> processors, std::vector<int> const& squares) {
  paper_figure figure{
      .name = "shankar-ranka-square",
      .title = "Words of a transportation over 2t (Shankar and Ranka 1997, section 2)",
      .note = "adversary: messages are rounded up almost everywhere",
      .time = "words / (2t)",
      .x = {.quantity = "t/p^2", .unit = "", .column = "t_over_p2"},
      .columns = {.panel = "processors", .reading = "measure", .curve = "traffic"},
      .panels = {},
      .y = ratio()};
  std::vector<int> descending(processors.begin(), processors.end());
  std::ranges::reverse(descending);  // the first panel has the widest range
  for (int const p : descending) {
    figure.panels.push_back(panel_of_squares(p, squares));
    figure.checks.push_back(square_check(figure.panels.back()));
  }
  return figure;
}

std::array<figure_entry, 3> shankar_ranka_figure_entries() {
  using sizes = std::span<int const>;
  auto const entry = [](std::string const& name, std::string const& summary, std::vector<int> shown,
                        paper_figure (*draw)(sizes)) {
    return figure_entry{.name = "shankar-ranka-" + name,
                        .summary = summary,
                        .sizes = std::move(shown),
                        .measure = size_measure::processors,
                        .has_cross_overs = false,
                        .draw = draw};
  };
  return {entry("total", "words of a random access write over 3n/p, over n", {4, 8, 16, 32},
                [](sizes of) {
                  return total_over_elements(of, {1, 2, 4, 8, 16, 32, 64});
                }),
          entry("hot-spots", "words of a random access write beside a direct exchange, over p",
                {4, 8, 16, 32, 64}, [](sizes of) { return hot_spots_over_processors(of); }),
          entry("square", "words of a transportation over 2t, over t", {8, 16, 32}, [](sizes of) {
            return square_term(of, {0, 1, 2, 4, 8});
          })};
}

}  // namespace lockstep
