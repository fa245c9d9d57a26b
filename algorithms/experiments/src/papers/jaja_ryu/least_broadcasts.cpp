#include "papers/jaja_ryu/least_broadcasts.hpp"

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/claim.hpp>

#include "papers/claimed_cells.hpp"
#include "papers/jaja_ryu/measured_block.hpp"

namespace lockstep {

namespace {

/// Adds the time that a broadcast to p processors takes at least, where it is what the paper supposes.
void add_least_time(paper_row& row, machine_of_paper const& on, measured_block const& run,
                    std::string const& formula, std::vector<hypothesis> const& where) {
  auto const least = static_cast<std::uint64_t>(std::ceil(on.cells().value(formula)));
  row.cells.push_back(lower_bound_cell("time of any", formula, least, run.time(), where));
}

/// Names what the lower bound of Theorem 3.1 supposes of a program. Ours is run with reads.
[[nodiscard]] hypothesis only_phases() {
  return {"only read, write, and synchronization barrier instructions", true};
}

/// The machines of the other tables, and two on which one phase is far from k = tau/m + 1.
[[nodiscard]] std::vector<machine_of_paper> machines_with_slack(int most_processors) {
  auto machines = machines_of_paper(most_processors);
  for (auto const& on : {machine_of_paper{8, 4, 1}, machine_of_paper{66, 1024, 16}})
    if (on.p <= most_processors) machines.push_back(on);
  return machines;
}

}  // namespace

paper_table least_broadcasts(int most_processors) {
  paper_table table{
      "Theorem 3.1: the cheapest broadcast, and \"any broadcasting algorithm that only uses read, "
      "write, and synchronization barrier instructions\"",
      {},
      "input"};
  for (auto const& on : machines_with_slack(most_processors)) {
    auto const run = measured_on(
        on, "broadcast", {{"scheme", std::string("best")}, {"access", std::string("reads")}});
    auto row = row_of_claims(on.text(), "best", run, {{"time"}, {"time", false, "least time"}});
    add_least_time(row, on, run, "tau log p/log (tau/m + 2) + m log p", {only_phases()});
    table.rows.push_back(std::move(row));
  }
  return table;
}

paper_table claims_of_a_phase(int most_processors) {
  paper_table table{
      "Theorem 3.1, its Claim: (tau + km)/log(k + 1) >= tau/log(tau/m + 2) + m for k >= 1, times "
      "log(k + 1) a phase to k others",
      {},
      "input"};
  for (auto const& price : {machine_of_paper{2, 1, 1}, {2, 16, 8}, {2, 1024, 16}}) {
    auto const r = price.tau / price.m;
    for (auto const k : std::set<std::int64_t>{1, 2, r, r + 1, r + 2, 4 * r}) {
      if (k >= most_processors) continue;
      machine_of_paper const on{static_cast<int>(k) + 1, price.tau, price.m};
      auto const run = measured_on(
          on, "broadcast", {{"scheme", std::string("direct")}, {"access", std::string("reads")}});
      auto row = row_of_claims(fmt::format("tau = {}, m = {}, k = {}", on.tau, on.m, k), "direct",
                               run, {{"time"}});
      add_least_time(row, on, run, "(tau/log (tau/m + 2) + m) log p", {});  // p = k + 1
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace lockstep
