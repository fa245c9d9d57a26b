#include "papers/jaja_ryu/sorting_phases.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include "papers/claimed_cells.hpp"
#include "papers/jaja_ryu/errata.hpp"
#include "papers/jaja_ryu/measured_block.hpp"
#include "routing/supposed_sizes.hpp"
#include "sorting/supposed_sizes.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::uint64_t time_of(phase_record const& phase, std::uint64_t tau) {
  return phase.startups * tau + phase.words;
}

/// Adds up the times of the phases whose names begin so.
[[nodiscard]] std::uint64_t time_of_phases(measured_block const& run, std::string_view name) {
  std::uint64_t time = 0;
  for (auto const& phase : run.result.record.phases())
    if (phase.name.starts_with(name)) time += time_of(phase, run.tau);
  return time;
}

[[nodiscard]] paper_row steps_of_column_sort(machine_of_paper const& on, std::int64_t n) {
  auto const run = measured_on(on, "column-sort", {{"n", n}});
  auto cells = on.cells({{"n", static_cast<double>(n)}});
  cells.where(detail::elements_of_columns)
      .at_most("transposes", "2(tau + (p - 1)m ceil(n/(mp^2)))",
               time_of_phases(run, "step 2") + time_of_phases(run, "step 4"))
      .at_most("longest shift", "tau + n/(2p)",
               std::max(time_of_phases(run, "step 6"), time_of_phases(run, "step 8")),
               shifts_in_whole_packets());
  return {on.text("n", n), "column-sort", cells.cells(), run.result.correct};
}

[[nodiscard]] paper_row steps_of_sample_sort(machine_of_paper const& on, std::int64_t n) {
  auto const run = measured_on(on, "sample-sort", {{"n", n}});
  auto cells = on.cells({{"n", static_cast<double>(n)}});
  cells.where(detail::room_with_high_probability)
      .at_most("samples", "tau + (p - 1)m ceil(5 ln n/m)", time_of_phases(run, "samples"))
      .at_most("transposes", "2 tau + 6n/p", time_of_phases(run, "transpose"), slots_are_padded());
  return {on.text("n", n), "sample-sort", cells.cells(), run.result.correct};
}

[[nodiscard]] paper_row steps_of_rotate_sort(machine_of_paper const& on, std::int64_t n) {
  auto const run = measured_on(on, "rotate-sort", {{"n", n}});
  std::uint64_t longest = 0;
  for (auto const& phase : run.result.record.phases())
    longest = std::max(longest, time_of(phase, run.tau));
  auto cells = on.cells({{"n", static_cast<double>(n)}});
  cells.where(detail::elements_for_shears)
      .where(detail::sizes_of_rotate_sort(static_cast<std::size_t>(n), on.p))
      .at_most("longest permutation", "tau + n/p + pm", longest, slices_are_longer());
  return {on.text("n", n), "rotate-sort", cells.cells(), run.result.correct};
}

}  // namespace

std::vector<paper_table> phases_of_sorts(int most_processors) {
  paper_table columns{"Section 5.1: the steps of column sort", {}, "input"};
  paper_table samples{"Section 5.1: the steps of sample sort", {}, "input"};
  paper_table rotations{"Section 5.1: the permutations of rotate sort, n = 8p^2", {}, "input"};
  for (int const p : {2, 4, 8, 16})
    for (auto const& on :
         {machine_of_paper{p, 1, 1}, machine_of_paper{p, 64, 8}, machine_of_paper{p, 1024, 16}}) {
      if (p > most_processors) continue;
      auto const square = std::int64_t{1} * p * p;
      columns.rows.push_back(steps_of_column_sort(on, 2 * square * p));
      auto n = square;
      while (!has_room_with_high_probability(p, static_cast<std::uint64_t>(n))) n += square;
      samples.rows.push_back(steps_of_sample_sort(on, n));
      if (p == 4 || p == 16) rotations.rows.push_back(steps_of_rotate_sort(on, 8 * square));
    }
  return {std::move(columns), std::move(samples), std::move(rotations)};
}

paper_table distributions_of_sample_sort(int most_processors) {
  paper_table table{
      "Section 5.1: \"running time does not depend on the input distribution of keys\": sample "
      "sort, in slots of ceil(3n/p^2) elements, beside its time for keys at random",
      {},
      "input"};
  for (int const p : {4, 8, 16}) {
    if (p > most_processors) continue;
    auto const n = std::int64_t{64} * p * p;
    machine_of_paper const on{p, 64, 1};
    auto const run_of = [&](char const* distribution) {
      return measured_on(on, "sample-sort",
                         {{"n", n}, {"distribution", std::string(distribution)}});
    };
    auto const at_random = run_of("R").time();
    for (auto const* const distribution : {"S", "C", "N"}) {
      auto const run = run_of(distribution);
      auto cells = on.cells({{"time of R", static_cast<double>(at_random)}});
      cells.equal("time", "time of R", run.time());
      table.rows.push_back({on.text("n", n), fmt::format("sample-sort, {}", distribution),
                            cells.cells(), run.result.correct});
    }
  }
  return table;
}

}  // namespace lockstep
