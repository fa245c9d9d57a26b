#include "papers/jaja_ryu/radix_passes.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "papers/claimed_cells.hpp"
#include "papers/jaja_ryu/errata.hpp"
#include "papers/jaja_ryu/measured_block.hpp"

namespace lockstep {

namespace {

/// Computes the time of those phases of a run in which keys move, and not counts of digits.
[[nodiscard]] std::uint64_t time_of_routing(measured_block const& run) {
  std::uint64_t time = 0;
  for (auto const& phase : run.result.record.phases())
    if (phase.name.starts_with("route ")) time += phase.startups * run.tau + phase.words;
  return time;
}

[[nodiscard]] paper_row sorted_by_digits(machine_of_paper const& on, std::int64_t n,
                                         int digit_bits) {
  auto const range = std::int64_t{1} << digit_bits;
  auto const run = [&](std::string const& name, std::string const& parameter) {
    return measured_on(on, name, {{"n", n}, {parameter, range}, {"blocks", std::string("padded")}});
  };
  auto const all = run("radix-sort", "radix");
  auto const pass = run("counting-sort", "range");
  auto cells = on.cells({{"b", static_cast<double>(counted(all.result, "key_bits"))},
                         {"r", digit_bits},
                         {"T_comm", static_cast<double>(time_of_routing(pass))},
                         {"T", static_cast<double>(pass.time())}});
  cells.equal("passes", "b/r", counted(all.result, "passes"))
      .equal("routing", "(b/r) T_comm", time_of_routing(all))
      .at_most("time", "(b/r) T_comm", all.time(), ranks_are_counted())
      .equal("time, with counts", "(b/r) T", all.time())
      .ours();
  return {on.text("n", n), fmt::format("r = {}", digit_bits), cells.cells(),
          all.result.correct && pass.result.correct};
}

}  // namespace

paper_table radix_passes_of_sort(int most_processors) {
  paper_table table{
      "Section 5.1: radix sort of keys of b bits, r at a time; T_comm and T are of a counting sort "
      "of "
      "digits of r bits: where its keys move, and in all",
      {},
      "input"};
  for (int const p : {2, 4, 16, 64})
    for (auto const& on : {machine_of_paper{p, 64, 8}, machine_of_paper{p, 1024, 16}})
      for (int const digit_bits : {4, 8}) {
        std::int64_t const square = std::int64_t{p} * p;
        if (p <= most_processors)
          table.rows.push_back(sorted_by_digits(on, 8 * square, digit_bits));
      }
  return table;
}

}  // namespace lockstep
