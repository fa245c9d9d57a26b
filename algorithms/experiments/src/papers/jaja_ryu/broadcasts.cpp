#include "papers/jaja_ryu/broadcasts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include "papers/claimed_cells.hpp"
#include "papers/jaja_ryu/errata.hpp"
#include "papers/jaja_ryu/measured_block.hpp"

namespace lockstep {

namespace {

[[nodiscard]] paper_row row_of(std::string input, std::string algorithm, claimed_cells const& cells,
                               measured_block const& run) {
  return {std::move(input), std::move(algorithm), cells.cells(), run.result.correct};
}

[[nodiscard]] double real(std::int64_t number) { return static_cast<double>(number); }

// Lemma 3.1, Theorems 3.1 and 3.2: one item.

[[nodiscard]] paper_row directly(machine_of_paper const& on) {
  auto const run = measured_on(on, "broadcast", {{"scheme", std::string("direct")}});
  auto cells = on.cells();
  cells.equal("time", "tau + m(p - 1)", run.time())
      .equal("startups", "1", run.counted().startups)
      .equal("words", "m(p - 1)", run.counted().words);
  return row_of(on.text(), "direct", cells, run);
}

[[nodiscard]] paper_row along_a_tree(machine_of_paper const& on, std::string const& name) {
  auto const run = measured_on(on, name, {{"scheme", std::string("k-ary")}});
  auto cells = on.cells();
  cells.where("m divides tau", on.tau % on.m == 0)
      .at_most("time", "2 tau ceil(log_k p)", run.time())
      .equal("startups", "ceil(log_k p)", run.counted().startups)
      .ours()
      .equal("words", "m (sum of min(k, ceil(p/k^i)) - 1, i = 0 .. ceil(log_k p) - 1)",
             run.counted().words)
      .ours();
  return row_of(on.text(), "k-ary", cells, run);
}

[[nodiscard]] paper_table one_item(std::vector<machine_of_paper> const& machines) {
  paper_table table{"Lemma 3.1 and Theorem 3.1: one item to all, k = tau/m + 1", {}, "input"};
  for (auto const& on : machines) {
    table.rows.push_back(directly(on));
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
    auto cells = on.cells();
    cells.where("m divides tau", on.tau % on.m == 0)
        .at_most("time", "2 tau ceil(log_k p)", run.time());
    table.rows.push_back(row_of(on.text(), "k-ary", cells, run));
  }
  return table;
}

// Lemma 3.2: an item of each processor.

[[nodiscard]] paper_row gathered(machine_of_paper const& on, std::string const& scheme) {
  auto const run = measured_on(on, "all-gather", {{"scheme", scheme}});
  auto const root = static_cast<std::int64_t>(std::ceil(std::sqrt(on.p)));
  auto const b = std::min<std::int64_t>(on.m, scheme == "two-phase" ? root : on.p);
  auto cells = on.cells({{"b", real(b)}});
  if (scheme == "direct")
    cells.equal("time", "tau + m(p - 1)", run.time())
        .equal("words", "m(p - 1)", run.counted().words);
  else
    cells.at_most("time", "2 tau + m^2 + p", run.time())
        .equal("words", "m(b - 1) + m ceil(b/m)(ceil(p/b) - 1)", run.counted().words)
        .ours();
  return row_of(on.text(), scheme, cells, run);
}

[[nodiscard]] paper_table items_of_all(std::vector<machine_of_paper> const& machines) {
  paper_table table{
      "Lemma 3.2: an item of each processor to all, b = min(m, p) filled, else min(m, ceil(sqrt "
      "p))",
      {},
      "input"};
  for (auto const& on : machines)
    for (auto const* const scheme : {"direct", "two-phase-filled", "two-phase"})
      table.rows.push_back(gathered(on, scheme));
  return table;
}

// Lemma 3.3.

[[nodiscard]] paper_row transposed(machine_of_paper const& on, std::int64_t q) {
  auto const run = measured_on(on, "transpose", {{"words", q}});
  auto cells = on.cells({{"q", real(q)}});
  bool const divides = q % (on.p * on.m) == 0;
  cells.at_most("time", divides ? "tau + q - q/p" : "tau + (p - 1)m ceil(q/(pm))", run.time())
      .equal("words", "(p - 1)m ceil(q/(pm))", run.counted().words)
      .ours();
  return row_of(fmt::format("{}, q = {}", on.text(), q), divides ? "pm | q" : "any q", cells, run);
}

[[nodiscard]] paper_table transpositions(std::vector<machine_of_paper> const& machines) {
  paper_table table{"Lemma 3.3: a q x p matrix is transposed", {}, "input"};
  for (auto const& on : machines)
    for (auto const q : {on.m * on.p + 1, 2 * on.m * on.p}) table.rows.push_back(transposed(on, q));
  return table;
}

// Theorem 3.3, Corollary 3.1 and Lemma 5.2: blocks.

/// The words of a tree, by lockstep: exactly, where all parts of it are of one size, or at most.
struct words_of_tree {
  std::string exactly;
  std::string at_most;
};

void add_words(claimed_cells& cells, words_of_tree const& formulas, bool is_even,
               measured_block const& run) {
  if (is_even)
    cells.equal("words", formulas.exactly, run.counted().words).ours();
  else
    cells.at_most("words", formulas.at_most, run.counted().words).ours();
}

[[nodiscard]] paper_row block_to_all(machine_of_paper const& on, std::int64_t n, std::int64_t way) {
  auto const run = measured_on(on, "block-broadcast", {{"words", n}, {"way", way}});
  auto cells = on.cells({{"n", real(n)}});
  bool const is_even = n % on.p == 0 && (way == 2 || is_power_of(on.k(), on.p));
  if (way == 1) {
    cells.at_most("time", "2(2 tau ceil(log_k p) + n)", run.time());
    add_words(
        cells,
        {"2 (sum of (k - 1)m ceil(n/(k^i m)), i = 1 .. ceil(log_k p))", "2(tau ceil(log_k p) + n)"},
        is_even, run);
  } else {
    cells.at_most("time", "2(tau + (p - 1)m ceil(n/(pm)))", run.time());
    add_words(cells, {"2(p - 1)m ceil(n/(pm))", "2(p - 1)m ceil(n/(pm))"}, is_even, run);
  }
  auto const algorithm = fmt::format("way {}{}", way, is_even ? ", even parts" : "");
  return row_of(fmt::format("{}, n = {}", on.text(), n), algorithm, cells, run);
}

[[nodiscard]] paper_table blocks(std::vector<machine_of_paper> const& machines) {
  paper_table table{"Theorem 3.3: a block of n words to all", {}, "input"};
  for (auto const& on : machines)
    for (std::int64_t const n : {std::int64_t{4} * on.p, std::int64_t{1001}})
      for (std::int64_t const way : {1, 2}) table.rows.push_back(block_to_all(on, n, way));
  return table;
}

[[nodiscard]] paper_row dealt_out(machine_of_paper const& on, std::int64_t each,
                                  std::string const& scheme) {
  auto const run = measured_on(on, "scatter", {{"words", each}, {"scheme", scheme}});
  auto const n = each * on.p;
  auto cells = on.cells({{"n", real(n)}});
  bool const is_even = is_power_of(on.k(), on.p) || scheme == "direct";
  if (scheme == "direct") {
    cells.at_most("time", "tau + (p - 1)m ceil(n/(pm))", run.time())
        .equal("words", "(p - 1)m ceil(n/(pm))", run.counted().words)
        .ours();
  } else {
    cells.at_most("time", "2 tau ceil(log_k p) + n", run.time());
    add_words(cells,
              {"sum of (k - 1)m ceil(n/(k^i m)), i = 1 .. ceil(log_k p)", "tau ceil(log_k p) + n"},
              is_even, run);
  }
  auto const algorithm = scheme + (scheme == "k-ary" && is_even ? ", even parts" : "");
  return row_of(fmt::format("{}, n = {}", on.text(), n), algorithm, cells, run);
}

[[nodiscard]] paper_table blocks_of_one(std::vector<machine_of_paper> const& machines) {
  paper_table table{"Corollary 3.1: n words dealt out", {}, "input"};
  for (auto const& on : machines)
    for (auto const* const scheme : {"k-ary", "direct"})
      table.rows.push_back(dealt_out(on, 20, scheme));
  return table;
}

[[nodiscard]] paper_row matrices(machine_of_paper const& on, std::int64_t n) {
  auto const run = measured_on(on, "matrix-sum", {{"n", n}});
  auto cells = on.cells({{"n", real(n)}});
  bool const is_even = n * n % on.p == 0 && is_power_of(on.k(), on.p);
  cells.at_most("time", "2(2 tau ceil(log_k p) + n^2)", run.time());
  add_words(cells,
            {"2 (sum of (k - 1)m ceil(n^2/(k^i m)), i = 1 .. ceil(log_k p))",
             "2(tau ceil(log_k p) + n^2)"},
            is_even, run);
  cells.at_most("additions", is_even ? "n^2(1 - 1/p)" : "(p - 1)ceil(n^2/p)",
                counted(run.result, "additions"));
  if (!is_even) cells.ours();
  return row_of(fmt::format("{}, n = {}", on.text(), n), is_even ? "even parts" : "any n", cells,
                run);
}

[[nodiscard]] paper_table sums_of_matrices(std::vector<machine_of_paper> const& machines) {
  paper_table table{"Lemma 5.2: the sum of p matrices of n x n", {}, "input"};
  for (auto const& on : machines)
    for (std::int64_t const n : {7, 24}) table.rows.push_back(matrices(on, n));
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
  auto cells = on.cells({{"n", real(of.n)}, {"c", of.c}, {"slot", static_cast<double>(slot)}});
  cells
      .where("p^2 < n/(6 ln n)",
             has_room_with_high_probability(on.p, static_cast<std::uint64_t>(of.n)))
      .where("c > 1 + 1/sqrt 2", of.c > 1 + std::sqrt(0.5))
      .where("m <= 6 ln n", real(on.m) <= 6 * std::log(real(of.n)))
      .at_most("time", "2(tau + c n/p)", run.time(), slots_are_padded())
      .equal("words", "2(p - 1)m ceil(slot/m)", run.counted().words)
      .ours()
      .at_most("time, padded", "2(tau + c n/p + pm)", run.time())
      .ours();
  return row_of(fmt::format("{}, n = {}, c = {}", on.text(), of.n, of.c), "randomized-routing",
                cells, run);
}

[[nodiscard]] paper_table routings(int most_processors) {
  paper_table table{"Theorem 3.4: randomized routing, one attempt", {}, "input"};
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

constexpr char const* bound_of_balancing = "5 tau + M + n/p + p + 2m^2";
constexpr char const* powers_of_balancing = "n, p and m powers of two";

[[nodiscard]] bool are_powers(machine_of_paper const& on, std::int64_t n) {
  auto const is_power = [](std::int64_t number) {
    return std::has_single_bit(static_cast<std::uint64_t>(number));
  };
  return is_power(on.p) && is_power(on.m) && is_power(n);
}

struct measured_balance {
  measured_block run;
  claimed_cells cells;

  [[nodiscard]] std::uint64_t figure(char const* name) const { return counted(run.result, name); }
};

/// Balances these loads.
[[nodiscard]] measured_balance balanced(machine_of_paper const& on, std::int64_t n,
                                        std::string const& loads, std::string const& way) {
  auto run = measured_on(on, "balance", {{"n", n}, {"loads", loads}, {"way", way}});
  auto cells = on.cells({{"n", real(n)},
                         {"M", static_cast<double>(counted(run.result, "M"))},
                         {"h", static_cast<double>(counted(run.result, "h"))}});
  return {std::move(run), std::move(cells)};
}

[[nodiscard]] paper_table balancings(std::vector<machine_of_paper> const& machines) {
  paper_table table{"Theorem 4.1: n elements balanced, pm | n", {}, "input"};
  for (auto const& on : machines)
    for (auto const* const loads : {"one", "half", "random"}) {
      auto const n = 4 * on.m * on.p;
      auto of = balanced(on, n, loads, "direct");
      of.cells.where(powers_of_balancing, are_powers(on, n))
          .at_most("time", bound_of_balancing, of.run.time())
          .at_most("startups", "5", of.run.counted().startups)
          .at_most("phase 1", "M", of.figure("phase_1_words"))
          .at_most("phase 2", "n/p", of.figure("phase_2_words"))
          .at_most("phase 3", "m^2", of.figure("phase_3_words"));
      table.rows.push_back(
          row_of(fmt::format("{}, n = {}, {}", on.text(), n, loads), "balance", of.cells, of.run));
    }
  return table;
}

[[nodiscard]] paper_row balanced_anyhow(machine_of_paper const& on, std::int64_t n,
                                        std::string const& loads) {
  auto of = balanced(on, n, loads, "cheapest");
  of.cells.at_most("time, any n", std::string(bound_of_balancing) + " + m(h + 3)", of.run.time())
      .ours()
      .where(powers_of_balancing, are_powers(on, n))
      .at_most("time", bound_of_balancing, of.run.time(), packets_divide_shares())
      .at_most("startups", "5", of.run.counted().startups);
  return row_of(fmt::format("{}, n = {}, {}", on.text(), n, loads), "balance", of.cells, of.run);
}

[[nodiscard]] paper_table other_balancings(std::vector<machine_of_paper> const& machines,
                                           int most_processors) {
  paper_table table{"Theorem 4.1 where pm does not divide n", {}, "input"};
  for (auto const& on : machines)
    if (on.m > 1)
      for (auto const* const loads : {"one", "random"})
        table.rows.push_back(balanced_anyhow(on, 4 * on.m * on.p + on.p, loads));
  if (most_processors >= 256) table.rows.push_back(balanced_anyhow({256, 4, 4}, 1280, "one"));
  return table;
}

}  // namespace

std::vector<paper_table> broadcast_tables(int most_processors) {
  auto const machines = machines_of_paper(most_processors);
  return {one_item(machines),
          broken_packets(most_processors),
          sums(machines),
          items_of_all(machines),
          transpositions(machines),
          blocks(machines),
          blocks_of_one(machines),
          routings(most_processors),
          balancings(machines),
          other_balancings(machines, most_processors),
          sums_of_matrices(machines)};
}

}  // namespace lockstep
