#include "papers/bader_helman_jaja/bounds.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "harness/stages.hpp"
#include "papers/bader_helman_jaja/formulas.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

/// A bound beside the exact largest value and what was measured.
struct bounded_value {
  std::string figure;
  std::string formula;
  std::uint64_t bound = 0;
  std::string exact_formula;
  std::uint64_t exact = 0;
  std::uint64_t measured = 0;
};

/// Sets the bound beside what was measured, which has to be the exact value. Where that is less, erratum 11
/// tells a sharper bound.
[[nodiscard]] paper_cell cell_of(bounded_value value) {
  auto cell = judged_cell({.figure = value.figure,
                           .formula = std::move(value.formula),
                           .value = value.bound,
                           .bound = comparison::at_most},
                          value.measured);
  cell.instance = value.figure;
  cell.exact = value.exact;
  cell.exact_formula = std::move(value.exact_formula);
  if (value.measured != value.exact) cell.judged.is_fault = true;
  if (value.exact != value.bound)
    cell.explanation = {
        11,
        "a sharper bound for few elements: of N < p(p - 1)/2 elements no bin gets more "
        "than (sqrt(8N + 1) - 1)/2"};
  return cell;
}

[[nodiscard]] std::uint64_t figure(experiment_result const& result, std::string const& name) {
  return static_cast<std::uint64_t>(std::get<std::int64_t>(result.figures.at(name)));
}

[[nodiscard]] paper_row tight_row_of(int processors, std::int64_t a) {
  auto const p = static_cast<std::int64_t>(processors);
  auto const h = p * (p - 1) / 2 + p * a;
  auto const network = fmt::format("crossbar:{}", processors);
  auto const result = measured_algorithm(
      "h-relation", network,
      {{"n", p * h}, {"h", h}, {"pattern", std::string("tight")}, {"blocks", std::string("real")}});
  auto const bin = static_cast<std::uint64_t>(p - 1 + a);
  auto const held = static_cast<std::uint64_t>(h + p * (p - 1) / 2);
  auto const words = 2 * static_cast<std::uint64_t>(p - 1) * bin;
  std::string const largest = of_section_3::bin_of_step_2;
  auto const met = [&](std::string const& name, std::string const& formula, std::uint64_t value,
                       std::uint64_t measured) {
    return cell_of({name, formula, value, formula, value, measured});
  };
  // The paper takes h to be a multiple of p.
  auto through = met("bin2", largest, bin, figure(result, "bin2"));
  claim const bound_of_step_4{.figure = "bin2",
                              .formula = largest,
                              .value = bin,
                              .bound = comparison::at_most,
                              .where = {{"p divides h", h % p == 0}}};
  through.where = bound_of_step_4.where;
  if (!through.judged.is_fault)
    through.judged = judge(bound_of_step_4, static_cast<double>(*through.measured));
  auto const ours = [](paper_cell cell) {
    cell.is_ours = true;
    return cell;
  };
  return {
      .network = network,
      .algorithm = "h-relation",
      .cells = {met("bin1", largest, bin, figure(result, "bin1")), std::move(through),
                ours(met("intermediate", "n/p + p(p - 1)/2", held, figure(result, "intermediate"))),
                ours(met("words", "2(p - 1)(n/p^2 + (p - 1)/2)", words,
                         result.record.counts().words))},
      .correct = result.correct};
}

/// The largest of the bins that processors deal out, each the row that makes it as large as can be.
[[nodiscard]] std::uint64_t largest_bin_of(int processors, std::uint64_t elements) {
  machine const on(crossbar{processors}, {.strict = true});
  begin_run("running on " + on.topology().spec());
  auto const run = on.run([&](processor& me) {
    auto const row = tight_row(me.rank(), elements, me.size());
    std::vector<int> destinations;
    for (std::size_t j = 0; j < row.size(); ++j)
      destinations.insert(destinations.end(), row[j], static_cast<int>(j));
    return h_relation(me, std::span<int const>(destinations), [](int j) { return j; })
        .largest_bin_out;
  });
  return std::ranges::max(run.results());
}

/// The destinations of a processor's p elements: as many for processor 0 as let them reach the bin of
/// intermediate 0, which is the d-th of those that they are dealt to from here, and others elsewhere.
[[nodiscard]] std::vector<int> wide_destinations(int rank, int p) {
  int const d = rank == 0 ? 0 : p - rank;
  int const reaching = d + 1 < p ? d + 1 : 0;
  int const left_over = p % 2 == 0 && d + 1 == p ? p / 2 : 0;  // so that p divides h
  std::vector<int> destinations(static_cast<std::size_t>(reaching + left_over), 0);
  for (int next = 0; destinations.size() < static_cast<std::size_t>(p); ++next)
    destinations.push_back(1 + (rank + next) % (p - 1));
  return destinations;
}

[[nodiscard]] paper_row wide_row_of(int processors) {
  auto const p = static_cast<std::uint64_t>(processors);
  auto const h = p * (p - 1) / 2 + (p % 2 == 0 ? p / 2 : 0);
  machine const on(crossbar{processors}, {.strict = true});
  begin_run("running on " + on.topology().spec());
  auto const run = on.run([&](processor& me) {
    auto const destinations = wide_destinations(me.rank(), me.size());
    auto const routed = h_relation(me, std::span<int const>(destinations), [](int j) { return j; });
    bool const is_right =
        std::ranges::count(routed.elements, me.rank()) == std::ssize(routed.elements) &&
        (me.rank() == 0 ? routed.elements.size() == h : routed.elements.size() <= h);
    return is_right ? routed.largest_bin_through : 0;
  });
  return {
      .network = fmt::format("crossbar:{}, h = {}", processors, h),
      .algorithm = "h-relation",
      .cells = {cell_of({"bin2", of_section_3::bin_of_step_4, largest_bin(h, processors),
                         "largest that h elements can make, at most n/p of each source",
                         exact_largest_bin(h, p, processors), std::ranges::max(run.results())})},
      .correct = std::ranges::count(run.results(), 0U) == 0};
}

[[nodiscard]] paper_row small_row_of(int processors) {
  auto const p = static_cast<std::uint64_t>(processors);
  return {.network = fmt::format("crossbar:{}", processors),
          .algorithm = "h-relation",
          .cells = {cell_of(
              {"bin1", of_section_3::bin_of_step_2, largest_bin(p, processors),
               "floor((sqrt(8n/p + 1) - 1)/2) if n/p < p(p - 1)/2, else floor(n/p^2 + (p - 1)/2)",
               exact_largest_bin(p, p, processors), largest_bin_of(processors, p)})},
          .correct = true};
}

}  // namespace

paper_table tight_bins_table(std::span<int const> processors, std::int64_t a) {
  paper_table table{fmt::format("Bin bounds met: n/p = h = p(p - 1)/2 + p a, a = {}", a), {}};
  for (int const p : processors) table.rows.push_back(tight_row_of(p, a));
  return table;
}

paper_table wide_bins_table(std::span<int const> processors) {
  paper_table table{
      "Bin bounds of Step 4 met for h > n/p, n = p^2 (for even p but for half an element, number "
      "11)",
      {}};
  for (int const p : processors) table.rows.push_back(wide_row_of(p));
  return table;
}

paper_table small_bins_table(std::span<int const> processors) {
  paper_table table{"Bin bounds for n = p^2: met for p = 3, below the rounded bound from p = 5 on",
                    {}};
  for (int const p : processors) table.rows.push_back(small_row_of(p));
  return table;
}

}  // namespace lockstep
