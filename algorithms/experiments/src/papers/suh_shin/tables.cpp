#include "papers/suh_shin/tables.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/exchange/all_to_all_cyclic.hpp>
#include <lockstep/algorithms/exchange/exchange_rivals.hpp>
#include <lockstep/topologies/parse.hpp>

#include "exchange/grid_shape.hpp"
#include "harness/sources.hpp"
#include "papers/claims_row.hpp"
#include "papers/entries.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/measured_exchange.hpp"
#include "papers/suh_shin/direct.hpp"
#include "papers/suh_shin/errata.hpp"

namespace lockstep {

namespace {

/// A column of the tables: what `counts` calls it, the formula, and its value.
struct formula_cell {
  std::string figure;
  std::string formula;
  std::uint64_t value = 0;
};
using formula_row = std::array<formula_cell, 5>;

[[nodiscard]] formula_row table_2_formulas(exchange_rival const& of, counts const& costs) {
  auto const& [startups, words, hops, rearranged, barriers] = of.formulas;
  return {{{"startups", startups, costs.startups},
           {"words", words, costs.words},
           {"hops", hops, costs.hops},
           {"rearranged", rearranged, costs.rearranged},
           {"barriers", barriers, costs.barriers}}};
}

/// Makes a row of Table 1: what the run's claims quote of it, beside the run.
[[nodiscard]] paper_row row_of_table_1(std::string const& network) {
  static std::array<claimed_figure, 5> const columns{
      {{"startups"}, {"words"}, {"hops"}, {"rearranged"}, {"barriers"}}};
  return row_of_claims(network, "proposed", measured_exchange(network), "Suh and Shin",
                       orders_for_two_steps().number, columns);
}

/// Makes a row of Table 2: formulas beside a run.
/// `why_less`: why it may rearrange fewer words than the formula says, if it may.
[[nodiscard]] paper_row measured_row(std::string const& network, exchange_rival const& rival, int d,
                                     experiment_result const& result,
                                     std::string const& why_less = "") {
  paper_row row{
      .network = network, .algorithm = rival.name, .cells = {}, .correct = result.correct};
  for (auto const& [figure, formula, value] : table_2_formulas(rival, claimed_costs(rival, d, 1)))
    row.cells.push_back(judged_cell({.figure = figure,
                                     .formula = formula,
                                     .value = value,
                                     .erratum = figure == "rearranged" ? why_less : ""},
                                    metric_value(result.record.counts(), figure)));
  return row;
}

/// Makes the row of [16]: its formulas beside the cyclic exchange, whose schedule is lockstep's.
[[nodiscard]] paper_row row_of_16(std::string const& network, exchange_rival const& rival, int d) {
  auto const result =
      measured_algorithm("all-to-all", network, {{"scheme", std::string("cyclic")}});
  auto row =
      measured_row(network, rival, d, result, d < 3 ? "" : detail::fewer_rearrangements_than_16);
  row.algorithm = "[16], as lockstep reads it";
  row.cells.front().explanation = program_of_16();
  return row;
}

/// Makes a row of formulas alone.
[[nodiscard]] paper_row claimed_row(std::string const& network, exchange_rival const& rival,
                                    int d) {
  bool const is_valid = unsupported_reason(rival, d).empty();
  auto const costs = is_valid ? claimed_costs(rival, d, 1) : counts{};
  paper_row row{.network = network, .algorithm = rival.name, .cells = {}};
  for (auto const& [figure, formula, value] : table_2_formulas(rival, costs)) {
    auto& cell = row.cells.emplace_back(
        paper_cell{.figure = figure, .formula = formula, .judged = no_program_of_rival()});
    if (is_valid)
      cell.claimed = value;
    else
      cell.judged.reason = sizes_of_13;
  }
  return row;
}

using names = std::vector<std::string>;

[[nodiscard]] names no_larger_than(int most_processors, names networks) {
  std::erase_if(networks, [&](std::string const& network) {
    return parse(network)->size() > most_processors;
  });
  return networks;
}

/// Finds the largest d up to 5 whose 2^d x 2^d network is no larger.
[[nodiscard]] int largest_d_within(int most_processors) {
  int d = 5;
  while (d > 0 && 1 << 2 * d > most_processors) --d;
  return d;
}

/// Lists the sides of the meshes of the direct exchange.
[[nodiscard]] std::vector<int> sides_up_to(int most_processors) {
  std::vector<int> sides{2, 4, 8, 16};
  std::erase_if(sides, [&](int a) { return a * a > most_processors; });
  return sides;
}

[[nodiscard]] std::vector<paper_table> tables_of_suh_shin(int most_processors) {
  names const plane_tori{"torus:4x4",   "torus:4x8",   "torus:8x4",   "torus:8x8",   "torus:8x12",
                         "torus:12x8",  "torus:12x12", "torus:8x16",  "torus:16x16", "torus:20x20",
                         "torus:24x24", "torus:32x16", "torus:16x32", "torus:32x32"};
  names const plane_meshes{"mesh:2x2",  "mesh:2x4",   "mesh:4x2",   "mesh:4x4",   "mesh:4x6",
                           "mesh:6x4",  "mesh:6x6",   "mesh:6x10",  "mesh:10x6",  "mesh:8x8",
                           "mesh:16x6", "mesh:16x16", "mesh:24x24", "mesh:32x16", "mesh:32x32"};
  names const tori{"torus:4x4x4",     "torus:8x4x4",    "torus:4x8x4",   "torus:8x8x8",
                   "torus:12x8x4",    "torus:4x8x12",   "torus:8x8x16",  "torus:8x12x16",
                   "torus:4x4x4x4",   "torus:8x4x4x4",  "torus:4x4x4x8", "torus:4x4x8x4",
                   "torus:4x4x4x4x4", "torus:4x4x4x4x8"};
  names const meshes{"mesh:2x2x2",   "mesh:6x4x2",   "mesh:4x6x2",     "mesh:6x6x6",
                     "mesh:4x6x8",   "mesh:8x8x8",   "mesh:2x2x2x2",   "mesh:6x4x4x2",
                     "mesh:2x4x4x6", "mesh:4x4x4x4", "mesh:2x2x2x2x2", "mesh:4x4x2x2x2"};
  auto const table_1 = [&](std::string const& kind, names const& networks) {
    return suh_shin_table_1("Table 1, " + kind, no_larger_than(most_processors, networks));
  };
  int const largest_d = largest_d_within(most_processors);
  std::string const either_way =
      "; the paper has R <= C, and on other networks the coordinates change names";
  return {table_1("R x C torus" + either_way, plane_tori),
          table_1("N1 x ... x Nn torus", tori),
          table_1("R x C mesh" + either_way, plane_meshes),
          table_1("N1 x ... x Nn mesh", meshes),
          suh_shin_table_2(true, 2, largest_d),
          suh_shin_table_2(false, 2, largest_d),
          direct_exchange_table(sides_up_to(most_processors)),
          direct_exchange_of_figure_1(most_processors)};
}

}  // namespace

paper_table suh_shin_table_1(std::string title, std::span<std::string const> networks) {
  paper_table table{std::move(title), {}};
  for (auto const& network : networks) table.rows.push_back(row_of_table_1(network));
  return table;
}

paper_table suh_shin_table_2(bool wraps, int least_d, int largest_d) {
  paper_table table{fmt::format("Table 2, 2^d x 2^d {}", wraps ? "torus" : "mesh"), {}};
  for (int d = least_d; d <= largest_d; ++d) {
    grid_shape const shape{{1 << d, 1 << d}, wraps};
    for (auto const& rival : exchange_rivals()) {
      if (rival.wraps != wraps) continue;
      table.rows.push_back(rival.name == "proposed" ? measured_row(shape.spec(), rival, d,
                                                                   measured_exchange(shape.spec()))
                           : rival.name == "[16]"   ? row_of_16(shape.spec(), rival, d)
                                                    : claimed_row(shape.spec(), rival, d));
    }
  }
  return table;
}

paper_entry suh_shin_entry() {
  return {
      .name = "suh-shin",
      .source = suh_shin_2001,
      .tables = tables_of_suh_shin,
      .missing = missing_of_suh_shin,
  };
}

}  // namespace lockstep
