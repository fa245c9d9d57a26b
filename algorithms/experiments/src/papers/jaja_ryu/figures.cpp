#include "papers/jaja_ryu/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include "papers/claimed_cells.hpp"
#include "papers/entries.hpp"
#include "papers/judged_check.hpp"
#include "papers/measured_algorithm.hpp"
#include "routing/supposed_sizes.hpp"

namespace lockstep {

namespace {

constexpr char const* by_counts = "measured counts";

using given_parameters = std::map<std::string, parameter_value>;

/// Runs an algorithm on a crossbar. Errors: broken_invariant for a wrong result.
[[nodiscard]] counts counts_of(std::string const& name, int p, given_parameters const& given) {
  auto const result = measured_algorithm(name, crossbar_of(p), given);
  if (!result.correct) throw wrong_result(name + " for a figure");
  return result.record.counts();
}

[[nodiscard]] double time_of(counts const& of, std::int64_t tau) {
  return static_cast<double>(of.startups) * static_cast<double>(tau) +
         static_cast<double>(of.words);
}

[[nodiscard]] figure_measure time_in_words() { return {.column = "time", .is_time = false}; }

[[nodiscard]] std::vector<std::int64_t> doubled(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> all;
  for (; from <= to; from *= 2) all.push_back(from);
  return all;
}

/// Finds the least x of both curves from which on the first is lower: 0 where it is at all of them.
[[nodiscard]] std::optional<figure_point> lower_from(figure_curve const& ours,
                                                     figure_curve const& theirs) {
  std::optional<figure_point> from;
  bool is_always = true;
  for (auto const& point : ours.points) {
    auto const same_x = [&](figure_point const& other) { return other.x == point.x; };
    auto const rival = std::ranges::find_if(theirs.points, same_x);
    if (rival == theirs.points.end()) continue;
    bool const is_lower = point.us < rival->us;
    is_always = is_always && is_lower;
    if (!is_lower)
      from.reset();
    else if (!from)
      from = point;
  }
  return from && is_always ? figure_point{} : from;
}

[[nodiscard]] bool share_an_x(figure_curve const& a, figure_curve const& b) {
  return std::ranges::any_of(a.points, [&](figure_point const& point) {
    return std::ranges::find(b.points, point.x, &figure_point::x) != b.points.end();
  });
}

void add_cross_overs(figure_panel& panel) {
  auto const& ours = panel.curves.front();
  for (auto const& curve : panel.curves | std::views::drop(1))
    if (share_an_x(ours, curve)) panel.cross_overs.push_back({curve.name, lower_from(ours, curve)});
}

// --- Sorts over n/p

/// A sort, and from which n/p on the paper has a bound for it.
struct sort_of_paper {
  std::string title;
  std::string algorithm;
  double (*least_each)(double p);
};

/// Finds the least n/p that is enough for samples.
[[nodiscard]] double least_for_samples(double p) {
  auto const processors = static_cast<int>(p);
  std::uint64_t each = 1;
  while (!has_room_with_high_probability(processors, each * static_cast<std::uint64_t>(processors)))
    ++each;
  return static_cast<double>(each);
}

[[nodiscard]] std::array<sort_of_paper, 5> const& sorts_of_paper() {
  static std::array<sort_of_paper, 5> const sorts{
      {{"column sort", "column-sort", [](double p) { return 2 * (p - 1) * (p - 1); }},
       {"rotate sort", "rotate-sort", [](double p) { return p; }},
       {"sample sort", "sample-sort", least_for_samples},
       {"median sort", "median-sort", [](double p) { return 2 * (p - 1) * (p - 1); }},
       {"radix sort of 32 bits", "radix-sort", [](double) { return 1.0; }}}};
  return sorts;
}

/// The counts of a sort, over n/p.
using counts_over_keys = std::vector<std::pair<std::int64_t, counts>>;

[[nodiscard]] counts_over_keys sorted_over_keys(sort_of_paper const& sort, int p,
                                                std::int64_t packet, std::int64_t most_each) {
  counts_over_keys all;
  for (auto const each : doubled(p, most_each)) {
    if (static_cast<double>(each) < sort.least_each(p)) continue;
    all.emplace_back(each, counts_of(sort.algorithm, p, {{"n", each * p}, {"packet", packet}}));
  }
  return all;
}

[[nodiscard]] figure_curve priced_curve(std::string name, counts_over_keys const& all,
                                        std::int64_t tau) {
  figure_curve curve{std::move(name), by_counts, {}};
  for (auto const& [each, of] : all)
    curve.points.push_back({static_cast<double>(each), time_of(of, tau)});
  return curve;
}

/// Whether 5.1's own bounds say that sample sort is faster than column sort.
[[nodiscard]] bool has_lower_bound(double p, double each, start_up_price const& price) {
  auto const tau = static_cast<double>(price.tau);
  auto const m = static_cast<double>(price.packet);
  double const samples = (p - 1) * m * std::ceil(5 * std::log(each * p) / m);
  return 3 * tau + samples + 6 * each < 4 * tau + 3 * each + 2 * p * m;
}

/// "The column sort algorithm is best when n >= 2p(p - 1)^2", beside sample and rotate sort.
[[nodiscard]] figure_check best_check(figure_panel const& panel, int p,
                                      start_up_price const& price) {
  auto const& column = panel.curves.front();
  bool is_best = true;
  bool is_foreseen = true;
  double least = std::numeric_limits<double>::infinity();
  double largest = 0;
  bool has_sample_sort = false;
  for (auto const rival : {std::size_t{1}, std::size_t{2}})
    for (auto const& ours : column.points)
      for (auto const& theirs : panel.curves[rival].points) {
        if (theirs.x != ours.x) continue;
        auto const ratio = theirs.us / ours.us;
        least = std::min(least, ratio);
        largest = std::max(largest, ratio);
        has_sample_sort = has_sample_sort || rival == 2;
        if (ratio >= 1) continue;
        is_best = false;
        is_foreseen = is_foreseen && rival == 2 && has_lower_bound(p, ours.x, price);
      }
  auto found = fmt::format("{} {:.2f} to {:.2f} times its time",
                           has_sample_sort ? "rotate and sample sort take" : "rotate sort takes",
                           least, largest);
  judgement judged = holds_if(is_best || is_foreseen);
  if (!is_best && is_foreseen)
    judged = {
        claim_verdict::our_program_exceeds,
        "sample sort is faster where a start-up costs more than 3n/p words, as by 5.1's bounds"};
  return {fmt::format("{}, {}", panel.name, panel.reading), found, std::move(judged),
          "section 5.1, \"column sort algorithm is best when n >= 2p(p - 1)^2\""};
}

void add_sort_panels(paper_figure& figure, int p, std::vector<start_up_price> const& prices,
                     std::int64_t most_each) {
  auto const needed = std::int64_t{2} * (p - 1) * (p - 1);
  auto const most = std::min(most_each, 8 * needed);
  for (auto const& price : prices) {
    figure_panel panel{.name = fmt::format("p = {}", p),
                       .reading = fmt::format("tau = {}, m = {}", price.tau, price.packet),
                       .curves = {}};
    for (auto const& sort : sorts_of_paper())
      panel.curves.push_back(
          priced_curve(sort.title, sorted_over_keys(sort, p, price.packet, most), price.tau));
    add_cross_overs(panel);
    if (!panel.curves.front().points.empty()) figure.checks.push_back(best_check(panel, p, price));
    figure.panels.push_back(std::move(panel));
  }
}

// --- Algorithms over m

/// An algorithm that communicates all of its elements, and what it is asked for.
struct measured_line {
  std::string title;
  std::string algorithm;
  given_parameters given;
};

[[nodiscard]] std::vector<measured_line> algorithms_on(int p, std::int64_t n) {
  std::vector<measured_line> lines{
      {"transposition", "transpose", {{"words", n / p}}},
      {"randomized routing", "randomized-routing", {{"n", n}}},
      {"load balancing, one source", "balance", {{"n", n}, {"loads", "one"}}},
      {"rotate sort", "rotate-sort", {{"n", n}}},
      {"sample sort", "sample-sort", {{"n", n}}},
      {"FFT", "fft", {{"n", n}, {"layout", "cyclic"}}}};
  if (n / p >= std::int64_t{2} * (p - 1) * (p - 1))
    lines.push_back({"column sort", "column-sort", {{"n", n}}});
  return lines;
}

/// How much longer the last packets make an algorithm than those of a word.
[[nodiscard]] double growth_of(figure_curve const& curve) {
  return curve.points.back().us / curve.points.front().us;
}

[[nodiscard]] figure_panel panel_over_packets(int p, std::int64_t n, std::int64_t tau) {
  figure_panel panel{.name = fmt::format("p = {}", p),
                     .reading = fmt::format("n = {}, tau = {}", n, tau),
                     .curves = {}};
  for (auto& line : algorithms_on(p, n)) {
    figure_curve curve{line.title, by_counts, {}};
    for (auto const packet : doubled(1, tau)) {
      line.given["packet"] = packet;
      line.given["tau"] = tau;
      curve.points.push_back(
          {static_cast<double>(packet), time_of(counts_of(line.algorithm, p, line.given), tau)});
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

/// The remark after Theorem 3.4, of routing alone: its hypotheses, and the findings.
[[nodiscard]] figure_check routing_check(figure_panel const& panel, int p, std::int64_t n) {
  auto const& routing = panel.curves[1];
  auto const most = 6 * std::log(static_cast<double>(n));
  figure_point last = routing.points.front();
  for (auto const& point : routing.points)
    if (point.x <= most) last = point;
  auto const growth = last.us / routing.points.front().us;
  figure_check check{
      fmt::format("{}, {}", panel.name, panel.reading),
      fmt::format("{} takes {:.1f} times longer with packets of {:g} words", routing.name, growth,
                  last.x),
      growth < 2 ? holds_if(true) : undecided("how far dominated, the paper leaves open"),
      "section 3, remark, \"the effect of the parameter m is dominated\""};
  if (!has_room_with_high_probability(p, static_cast<std::uint64_t>(n)))
    check.judged = {claim_verdict::outside_the_claim,
                    fmt::format("made for {}", detail::room_with_high_probability)};
  return check;
}

/// How much longer larger packets make all algorithms.
[[nodiscard]] figure_check packets_check(figure_panel const& panel) {
  std::string found;
  for (auto const& curve : panel.curves)
    found += fmt::format("{}{} {:.1f}", found.empty() ? "" : ", ", curve.name, growth_of(curve));
  return {fmt::format("times longer with packets of {:g} words, {}, {}",
                      panel.curves.front().points.back().x, panel.name, panel.reading),
          found, undecided("beyond 6 ln n words the paper says nothing of packets")};
}

// --- Broadcasts over tau

[[nodiscard]] figure_panel panel_over_start_ups(int p, std::int64_t words, std::int64_t most_tau) {
  figure_panel panel{
      .name = fmt::format("p = {}", p), .reading = fmt::format("{} words", words), .curves = {}};
  for (std::int64_t const way : {1, 2}) {
    figure_curve curve{fmt::format("way {} of Theorem 3.3", way), by_counts, {}};
    for (auto const tau : doubled(1, most_tau)) {
      auto const of =
          counts_of("block-broadcast", p, {{"words", words}, {"way", way}, {"tau", tau}});
      curve.points.push_back({static_cast<double>(tau), time_of(of, tau)});
    }
    panel.curves.push_back(std::move(curve));
  }
  add_cross_overs(panel);
  return panel;
}

}  // namespace

paper_figure sorts_over_keys(std::span<int const> processors,
                             std::vector<start_up_price> const& prices, std::int64_t most_each) {
  paper_figure figure{
      .name = "jaja-ryu-sorts",
      .title = "Sorting over keys of a processor (JaJa and Ryu 1994, section 5.1)",
      .note = "time: tau for each start-up, 1 for each word; keys of 32 bits are drawn at random",
      .basis = "Each sort from the least n on for which the paper has a bound.",
      .marks = "circles: keys from which column sort is faster",
      .time = "time / word",
      .x = {.quantity = "keys of a processor n/p",
            .unit = "",
            .column = "keys_each",
            .has_binary_prefixes = true},
      .columns = {.panel = "processors", .reading = "price", .curve = "algorithm"},
      .panels = {},
      .y = time_in_words()};
  for (int const p : processors) add_sort_panels(figure, p, prices, most_each);
  return figure;
}

paper_figure times_over_packets(std::span<int const> processors, std::int64_t elements,
                                std::int64_t tau) {
  paper_figure figure{
      .name = "jaja-ryu-packets",
      .title = "Time over packet size (JaJa and Ryu 1994, sections 3 to 5)",
      .note = "time: tau for each start-up, 1 for each word; messages are rounded up to packets",
      .time = "time / word",
      .x = {.quantity = "packet m", .unit = "words", .column = "packet"},
      .columns = {.panel = "processors", .reading = "input", .curve = "algorithm"},
      .panels = {},
      .y = time_in_words()};
  for (int const p : processors) {
    figure.panels.push_back(panel_over_packets(p, elements, tau));
    figure.checks.push_back(routing_check(figure.panels.back(), p, elements));
    figure.checks.push_back(packets_check(figure.panels.back()));
  }
  return figure;
}

paper_figure broadcasts_over_start_ups(std::span<int const> processors,
                                       std::vector<std::int64_t> const& words,
                                       std::int64_t most_tau) {
  paper_figure figure{
      .name = "jaja-ryu-start-ups",
      .title =
          "Broadcast of a block over the price of a start-up "
          "(JaJa and Ryu 1994, Theorem 3.3)",
      .note = "time: tau for each start-up, 1 for each word; packets of a word, k = tau + 1",
      .marks = "circles: tau from which way 1 is faster",
      .time = "time / word",
      .x = {.quantity = "price of a start-up tau", .unit = "words", .column = "tau"},
      .columns = {.panel = "processors", .reading = "block", .curve = "algorithm"},
      .panels = {},
      .y = time_in_words()};
  for (int const p : processors)
    for (auto const length : words)
      figure.panels.push_back(panel_over_start_ups(p, length, most_tau));
  return figure;
}

std::array<figure_entry, 3> jaja_ryu_figure_entries() {
  using sizes = std::span<int const>;
  auto const entry = [](std::string const& name, std::string const& summary, std::vector<int> shown,
                        bool has_cross_overs, paper_figure (*draw)(sizes)) {
    return figure_entry{.name = "jaja-ryu-" + name,
                        .summary = summary,
                        .sizes = std::move(shown),
                        .measure = size_measure::processors,
                        .has_cross_overs = has_cross_overs,
                        .draw = draw};
  };
  constexpr std::int64_t most_each = 8192;
  return {
      entry("sorts", "time of each sort over keys, with cross-over points", {4, 8, 16, 32}, true,
            [](sizes of) {
              return sorts_over_keys(of, {{16, 1}, {1024, 1}, {1024, 16}}, most_each);
            }),
      entry("packets", "time of each algorithm over the packet size", {8, 16, 64}, false,
            [](sizes of) { return times_over_packets(of, 65'536, 1024); }),
      entry("start-ups", "time of both broadcasts of a block over tau", {16, 64, 512}, true,
            [](sizes of) {
              return broadcasts_over_start_ups(of, {64, 1024, 65'536}, 65'536);
            })};
}

}  // namespace lockstep
