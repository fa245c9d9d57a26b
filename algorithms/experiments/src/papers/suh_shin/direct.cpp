#include "papers/suh_shin/direct.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/measured_exchange.hpp"

namespace lockstep {

namespace {

/// Runs the direct exchange of blocks of one word.
[[nodiscard]] experiment_result measured_direct_exchange(std::string const& network) {
  begin_run("making the input of all-to-all-direct");
  return find_experiment("all-to-all-direct")
      ->run({.network = parse(network),
             .parameters = {{"words", std::int64_t{1}}, {"seed", std::int64_t{1}}}});
}

/// Makes the row of a run beside the bounds of direct exchanges.
[[nodiscard]] paper_row bounded_row(int a, std::string algorithm, experiment_result const& result,
                                    bool is_direct) {
  auto const side = static_cast<std::uint64_t>(a);
  auto const& all = result.record.counts();
  hypothesis const direct{"direct exchanges only: each block goes by itself, straight", is_direct};
  return {fmt::format("mesh:{0}x{0}", a),
          std::move(algorithm),
          {lower_bound_cell(
               "serialised_steps", "a^3/4", direct_exchange_bound(side), all.serialised_steps,
               {direct, {"a message over a link in a step", true}, {"a even", a % 2 == 0}}),
           lower_bound_cell("steps", "N - 1", side * side - 1, all.steps,
                            {direct, {"one port", true}})},
          result.correct};
}

}  // namespace

paper_table direct_exchange_table(std::span<int const> sides) {
  paper_table table{
      "Section 1: Scott's a^3/4 steps of any direct exchange on an a x a mesh, and N - 1", {}};
  for (int const a : sides) {
    auto const network = fmt::format("mesh:{0}x{0}", a);
    table.rows.push_back(bounded_row(a, "direct [17]", measured_direct_exchange(network), true));
    table.rows.push_back(bounded_row(a, "proposed", measured_exchange(network), false));
  }
  return table;
}

paper_table direct_exchange_of_figure_1(int most_processors) {
  paper_table table{"Section 1, Fig. 1a: the direct exchange [17] on a 2 x 4 mesh", {}};
  constexpr int processors = 2 * 4;
  if (processors > most_processors) return table;
  auto const result = measured_direct_exchange("mesh:2x4");
  auto const& all = result.record.counts();
  std::uint64_t contended = 0;
  for (auto const& step : result.record.steps()) contended += step.contention > 1 ? 1 : 0;
  claimed_cells cells({});
  cells.equal("steps", "7", all.steps)
      .equal("steps with contention", "4", contended)
      .equal("serialised_steps", "11", all.serialised_steps)
      .equal("link_words", "11", all.link_words);
  table.rows.push_back({"mesh:2x4", "direct [17]", cells.cells_of(result), result.correct});
  return table;
}

}  // namespace lockstep
