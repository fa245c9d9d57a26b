#include "papers/jaja_ryu/cheaper_ways.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include <fmt/format.h>

#include "collectives/schedule_formulas.hpp"
#include "papers/claimed_cells.hpp"

namespace lockstep {

namespace {

/// A way to go, by the name of its scheme, and the bound on its time.
struct way_of_paper {
  std::string scheme;
  std::string bound;
};

using two_ways = std::array<way_of_paper, 2>;

/// Runs both ways. Result: the row of the one that takes less time, the first on a tie.
[[nodiscard]] paper_row cheaper_way(machine_of_paper const& on, std::string const& algorithm,
                                    std::int64_t each, two_ways const& ways) {
  auto const run = [&](way_of_paper const& way) {
    return measured_on(on, algorithm, {{"words", each}, {"scheme", way.scheme}});
  };
  auto const first = run(ways[0]);
  auto const second = run(ways[1]);
  bool const is_first = first.time() <= second.time();
  auto const time = is_first ? first.time() : second.time();
  auto const n = each * on.p;
  auto cells = on.cells({{"n", static_cast<double>(n)}});
  cells
      .where(whole_packets_of_latency(static_cast<std::uint64_t>(on.tau),
                                      static_cast<std::uint64_t>(on.m)))
      .at_most("time", fmt::format("min({}, {})", ways[0].bound, ways[1].bound), time)
      .at_most("first way", ways[0].bound, first.time())
      .at_most("second way", ways[1].bound, second.time());
  return {on.text("n", n), is_first ? ways[0].scheme : ways[1].scheme, cells.cells(),
          first.result.correct && second.result.correct};
}

}  // namespace

paper_table cheaper_way_of_items(std::vector<machine_of_paper> const& machines) {
  paper_table table{
      "Lemma 3.2, min{}: an item of each processor to all, the cheaper of both ways", {}, "input"};
  for (auto const& on : machines)
    table.rows.push_back(cheaper_way(
        on, "all-gather", 1,
        {{{"direct", time_of_items}, {"two-phase-filled", time_of_items_in_two_phases}}}));
  return table;
}

paper_table cheaper_way_of_blocks(std::vector<machine_of_paper> const& machines) {
  paper_table table{
      "Corollary 3.1, min{}: n words dealt out, the cheaper of both ways", {}, "input"};
  for (auto const& on : machines)
    for (std::int64_t const each : {1, 20, 500})
      table.rows.push_back(cheaper_way(
          on, "scatter", each, {{{"k-ary", time_of_pieces_by_trees}, {"direct", time_of_pieces}}}));
  return table;
}

}  // namespace lockstep
