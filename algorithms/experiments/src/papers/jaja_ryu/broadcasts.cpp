#include "papers/jaja_ryu/broadcasts.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include "papers/claimed_cells.hpp"
#include "papers/jaja_ryu/cheaper_ways.hpp"
#include "papers/jaja_ryu/errata.hpp"
#include "papers/jaja_ryu/least_broadcasts.hpp"
#include "papers/jaja_ryu/measured_block.hpp"
#include "papers/jaja_ryu/operations.hpp"
#include "routing/supposed_sizes.hpp"

namespace lockstep {

namespace {

using claimed_columns = std::vector<claimed_figure>;

// Lemma 3.1, Theorems 3.1 and 3.2: one item.

[[nodiscard]] paper_row along_a_tree(machine_of_paper const& on, std::string const& name) {
  auto const run = measured_on(on, name, {{"scheme", std::string("k-ary")}});
  return row_of_claims(on.text(), "k-ary", run, {{"time"}, {"startups", false}, {"words", false}});
}

[[nodiscard]] paper_table one_item(std::vector<machine_of_paper> const& machines) {
  paper_table table{"Lemma 3.1 and Theorem 3.1: one item to all, k = tau/m + 1", {}, "input"};
  for (auto const& on : machines) {
    auto const run = measured_on(on, "broadcast", {{"scheme", std::string("direct")}});
    table.rows.push_back(
        row_of_claims(on.text(), "direct", run, {{"time"}, {"startups"}, {"words"}}));
    table.rows.push_back(along_a_tree(on, "broadcast"));
  }
  return table;
}

[[nodiscard]] paper_table sums(std::vector<machine_of_paper> const& machines) {
  paper_table table{"Theorem 3.2: the sum of p numbers", {}, "input"};
  for (auto const& on : machines) table.rows.push_back(along_a_tree(on, "reduce"));
  return table;
}

/// Latencies that are not whole packets, which the paper supposes.
[[nodiscard]] paper_table broken_packets(int most_processors) {
  paper_table table{"Theorem 3.1 where m does not divide tau: k is rounded down", {}, "input"};
  for (auto const& on : {machine_of_paper{5, 3, 2}, machine_of_paper{10, 6, 5}}) {
    if (on.p > most_processors) continue;
    auto const run = measured_on(on, "broadcast", {{"scheme", std::string("k-ary")}});
    table.rows.push_back(row_of_claims(on.text(), "k-ary", run, {{"time"}}));
  }
  return table;
}

// Lemma 3.2: an item of each processor.

[[nodiscard]] paper_table items_of_all(std::vector<machine_of_paper> const& machines) {
  paper_table table{
      "Lemma 3.2: an item of each processor to all, b = min(m, p) filled, else min(m, ceil(sqrt "
      "p))",
      {},
      "input"};
  for (auto const& on : machines)
    for (std::string const scheme : {"direct", "two-phase-filled", "two-phase"})
      table.rows.push_back(row_of_claims(on.text(), scheme,
                                         measured_on(on, "all-gather", {{"scheme", scheme}}),
                                         {{"time"}, {"words", scheme == "direct"}}));
  return table;
}

// Lemma 3.3.

[[nodiscard]] paper_table transpositions(std::vector<machine_of_paper> const& machines) {
  paper_table table{
      "Lemma 3.3 and the bound before it: a q x p matrix is transposed, a column in each processor",
      {},
      "input"};
  for (auto const& on : machines)
    for (auto const q :
         std::set<std::int64_t>{on.m * on.p + 1, (on.m + 1) * on.p, 2 * on.m * on.p}) {
      bool const is_whole = q % (on.p * on.m) == 0;  // else the lemma's first case
      auto const* const kind = is_whole ? "pm | q" : (q % on.p == 0 ? "p | q" : "any q");
      table.rows.push_back(
          row_of_claims(on.text("q", q), kind, measured_on(on, "transpose", {{"words", q}}),
                        {{"time", true, "", is_whole ? "pm divides q" : ", Lemma 3.3"},
                         {"time", true, "time, rounded up", "before Lemma 3.3"},
                         {"words", false}}));
    }
  return table;
}

// Theorem 3.3, Corollary 3.1 and Lemma 5.2: blocks.

[[nodiscard]] paper_row block_to_all(machine_of_paper const& on, std::int64_t n, std::int64_t way) {
  auto const run = measured_on(on, "block-broadcast", {{"words", n}, {"way", way}});
  bool const is_even = n % on.p == 0 && (way == 2 || is_power_of(on.k(), on.p));
  auto row =
      row_of_claims(on.text("n", n), fmt::format("way {}{}", way, is_even ? ", even parts" : ""),
                    run, {{"time"}, {"words", false}});
  // Way 2 is a tree of one level.
  auto cells = on.cells(
      {{"n", static_cast<double>(n)}, {"k", static_cast<double>(way == 1 ? on.k() : on.p)}});
  cells.where("p divides n, and p is a power of k", is_even)
      .at_most("time, level by level", "2(sum of tau + (k - 1)m ceil(n/(k^i m)), i = 1 .. log_k p)",
               run.time());
  row.cells.push_back(cells.cells().front());
  return row;
}

[[nodiscard]] paper_table blocks(std::vector<machine_of_paper> const& machines) {
  paper_table table{
      "Theorem 3.3: a block of n words to all; way 1 is by a tree of k = tau/m + 1, way 2 by "
      "transpositions; even parts: p divides n, and of way 1 is a power of k",
      {},
      "input"};
  for (auto const& on : machines)
    for (std::int64_t const n : {std::int64_t{4} * on.p, std::int64_t{1001}})
      for (std::int64_t const way : {1, 2}) table.rows.push_back(block_to_all(on, n, way));
  return table;
}

[[nodiscard]] paper_table blocks_of_one(std::vector<machine_of_paper> const& machines) {
  constexpr std::int64_t each = 20;
  paper_table table{
      "Corollary 3.1: n words dealt out, by a tree of k = tau/m + 1 or directly; even parts: p is "
      "a "
      "power of k",
      {},
      "input"};
  for (auto const& on : machines)
    for (std::string const scheme : {"k-ary", "direct"}) {
      auto const run = measured_on(on, "scatter", {{"words", each}, {"scheme", scheme}});
      bool const is_even = scheme == "k-ary" && is_power_of(on.k(), on.p);
      table.rows.push_back(row_of_claims(on.text("n", each * on.p),
                                         scheme + (is_even ? ", even parts" : ""), run,
                                         {{"time"}, {"words", false}}));
    }
  return table;
}

[[nodiscard]] paper_table sums_of_matrices(std::vector<machine_of_paper> const& machines) {
  paper_table table{"Lemma 5.2: the sum of p matrices of n x n", {}, "input"};
  for (auto const& on : machines)
    for (std::int64_t const n : {7, 24}) {
      bool const divides = n * n % on.p == 0;
      table.rows.push_back(row_of_claims(on.text("n", n), divides ? "p | n^2" : "any n",
                                         measured_on(on, "matrix-sum", {{"n", n}}),
                                         {{"time"}, {"words", false}, {"additions", false}}));
    }
  return table;
}

// Theorem 3.4.

struct routing_of_paper {
  machine_of_paper on;
  std::int64_t n = 0;
  double c = 3;
};

[[nodiscard]] paper_row routed(routing_of_paper const& of) {
  auto const& on = of.on;
  auto const run = measured_on(on, "randomized-routing",
                               {{"n", of.n},
                                {"c", of.c},
                                {"pattern", std::string("general")},
                                {"blocks", std::string("padded")}});
  auto const slot = counted(run.result, "slot");
  auto const alpha = std::get<double>(run.result.figures.at("alpha"));
  auto cells = on.cells({{"n", static_cast<double>(of.n)},
                         {"c", of.c},
                         {"alpha", alpha},
                         {"slot", static_cast<double>(slot)}});
  cells.where(detail::room_with_high_probability)
      .where(detail::room_in_slots_of_step_1)
      .where(detail::room_in_slots_of_step_3)
      .where("m <= 6 ln n")
      .at_most("time", "2(tau + c n/p)", run.time(), slots_are_padded())
      .equal("words", "2(p - 1)m ceil(slot/m)", run.counted().words)
      .ours()
      .at_most("time, padded", "2(tau + c n/p + pm)", run.time())
      .ours();
  return {fmt::format("{}, alpha = {}, c = {}", on.text("n", of.n), alpha, of.c),
          "randomized-routing", cells.cells(), run.result.correct};
}

[[nodiscard]] paper_table routings(int most_processors) {
  paper_table table{
      "Theorem 3.4, with high probability: randomized routing of at most alpha n/p elements to any "
      "processor, by way of slots of ceil(c n/p^2) elements; runs that draw once",
      {},
      "input"};
  for (routing_of_paper const& of : {routing_of_paper{{2, 16, 1}, 512, 3},
                                     {{4, 16, 1}, 4096, 3},
                                     {{8, 64, 4}, 8192, 3},
                                     {{16, 100, 1}, 16384, 3},
                                     {{16, 100, 8}, 16384, 3},
                                     {{16, 100, 48}, 16384, 1.72}})
    if (of.on.p <= most_processors) table.rows.push_back(routed(of));
  return table;
}

// Theorem 4.1.

/// Balances these loads.
[[nodiscard]] paper_row balanced(machine_of_paper const& on, std::int64_t n,
                                 std::string const& loads, std::string const& way,
                                 claimed_columns const& shown) {
  return row_of_claims(on.text("n", n) + ", " + loads, "balance",
                       measured_on(on, "balance", {{"n", n}, {"loads", loads}, {"way", way}}),
                       shown, packets_divide_shares().number);
}

[[nodiscard]] paper_table balancings(std::vector<machine_of_paper> const& machines) {
  claimed_columns const shown{{"time"},
                              {"startups"},
                              {"phase_1_words", true, "phase 1"},
                              {"phase_2_words", true, "phase 2"},
                              {"phase_3_words", true, "phase 3"},
                              {"h"}};
  paper_table table{
      "Theorem 4.1: n elements balanced, pm | n; at most M of a processor, h that read from one",
      {},
      "input"};
  for (auto const& on : machines)
    for (auto const* const loads : {"one", "half", "random"})
      table.rows.push_back(balanced(on, 4 * on.m * on.p, loads, "direct", shown));
  return table;
}

[[nodiscard]] paper_table other_balancings(std::vector<machine_of_paper> const& machines,
                                           int most_processors) {
  claimed_columns const shown{{"time", false, "time, any n"}, {"time"}, {"startups", false}};
  paper_table table{"Theorem 4.1 where pm does not divide n", {}, "input"};
  for (auto const& on : machines)
    if (on.m > 1)
      for (auto const* const loads : {"one", "random"})
        table.rows.push_back(balanced(on, 4 * on.m * on.p + on.p, loads, "cheapest", shown));
  if (most_processors >= 256)
    table.rows.push_back(balanced({256, 4, 4}, 1280, "one", "cheapest", shown));
  return table;
}

}  // namespace

std::vector<paper_table> broadcast_tables(int most_processors) {
  auto const machines = machines_of_paper(most_processors);
  std::vector<paper_table> tables{one_item(machines),
                                  least_broadcasts(most_processors),
                                  claims_of_a_phase(most_processors),
                                  broken_packets(most_processors),
                                  sums(machines),
                                  sums_of_many(machines),
                                  items_of_all(machines),
                                  cheaper_way_of_items(machines),
                                  transpositions(machines),
                                  blocks(machines),
                                  blocks_of_one(machines),
                                  cheaper_way_of_blocks(machines),
                                  routings(most_processors),
                                  balancings(machines),
                                  other_balancings(machines, most_processors),
                                  sums_of_matrices(machines)};
  if (auto growths = growths_of_operations(most_processors); !growths.rows.empty())
    tables.push_back(std::move(growths));
  return tables;
}

}  // namespace lockstep
