#include "papers/jaja_ryu/computations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/sorting/rotate_sort.hpp>

#include "numeric/supposed_sizes.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/jaja_ryu/computation_growths.hpp"
#include "papers/jaja_ryu/errata.hpp"
#include "papers/jaja_ryu/measured_block.hpp"
#include "papers/jaja_ryu/radix_passes.hpp"
#include "papers/jaja_ryu/sorting_phases.hpp"
#include "papers/jaja_ryu/whole_number_sorts.hpp"
#include "sorting/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// The algorithm of a table, and its input.
struct computation {
  std::string algorithm;
  std::map<std::string, parameter_value> given;
  int erratum_number = 0;  ///< that explains what need not hold
  std::string kind{};      ///< of input, with formulas of its own
  std::vector<claimed_figure> columns{};
};

void add_row(paper_table& table, machine_of_paper const& on, std::int64_t n,
             computation const& what) {
  auto given = what.given;
  given["n"] = n;
  auto const run = measured_on(on, what.algorithm, std::move(given));
  auto label = what.algorithm;
  if (!what.kind.empty()) label += ", " + what.kind;
  for (auto const& [name, value] : what.given)
    label += fmt::format(", {} {}", name, std::get<std::string>(value));
  table.rows.push_back(
      row_of_claims(on.text("n", n), label, run, what.columns, what.erratum_number));
}

/// Machines of `processors`, as far as they are no more than `most`, with a few latencies and
/// packets.
[[nodiscard]] std::vector<machine_of_paper> machines_of(std::vector<int> const& processors,
                                                        int most) {
  std::vector<machine_of_paper> machines;
  for (int const p : processors)
    if (p <= most)
      for (auto const& price :
           {machine_of_paper{p, 1, 1}, machine_of_paper{p, 64, 8}, machine_of_paper{p, 1024, 16}})
        machines.push_back(price);
  return machines;
}

[[nodiscard]] paper_table column_sorts(int most_processors) {
  paper_table table{
      "Theorem 5.1 and Corollary 5.1 (1): column sort, n >= 2p(p - 1)^2", {}, "input"};
  for (auto const& on : machines_of({2, 3, 4, 8, 16, 32}, most_processors)) {
    std::int64_t const p = on.p;
    auto const least = 2 * (p - 1) * (p - 1);
    auto const divided = (least + p - 1) / p * p;  // p divides q
    for (auto const q : {divided, 2 * divided + 1})
      add_row(table, on, q * p,
              {.algorithm = "column-sort",
               .given = {},
               .kind = q % p == 0 ? "p | q" : "any q",
               .columns = {{"startups"}, {"time"}, {"words", false}}});
  }
  return table;
}

/// Finds the least multiple of p^2 that is enough for samples.
[[nodiscard]] std::int64_t least_for_samples(int p) {
  auto const square = static_cast<std::uint64_t>(p) * static_cast<std::uint64_t>(p);
  auto n = square;
  while (!has_room_with_high_probability(p, n)) n += square;
  return static_cast<std::int64_t>(n);
}

/// Names the elements of a sample sort: as many of each processor, or not.
[[nodiscard]] char const* kind_of_blocks(std::int64_t n, int p) {
  return n % p == 0 ? "p | n" : "any n";
}

[[nodiscard]] paper_table sample_sorts(int most_processors) {
  paper_table table{
      "Theorem 5.2, Lemma 5.1 for alpha = 2 and Corollary 5.1 (3), with high probability: sample "
      "sort, p^2 < n/(6 ln n), by way of slots of ceil(3n/p^2) elements",
      {},
      "input"};
  for (auto const& on : machines_of({2, 4, 8, 16, 64}, most_processors)) {
    auto const least = least_for_samples(on.p);
    for (auto const n : {least, 2 * least, 2 * least + 1})
      add_row(table, on, n,
              {.algorithm = "sample-sort",
               .given = {},
               .erratum_number = 8,
               .kind = kind_of_blocks(n, on.p),
               .columns = {{"startups", false}, {"time"}, {"words", false}, {"largest_bucket"}}});
  }
  return table;
}

/// Names how rotate sort has its slices: whole in one processor, since rows dealt out evenly leave them
/// there or since that is cheapest, copied to several, or cut.
[[nodiscard]] char const* kind_of_slices(std::int64_t n, machine_of_paper const& on) {
  auto const elements = static_cast<std::size_t>(n);
  rotate_sort_options const options{.packet = static_cast<std::uint64_t>(on.m),
                                    .tau = static_cast<std::uint64_t>(on.tau)};
  if (detail::plan_of_rotate_sort(elements, on.p, options).has_cut_slices()) return "cut slices";
  bool const copied = choose_slice_rows(elements, on.p, options).rows == slice_rows::copied;
  return copied ? "copied slices" : "whole slices";
}

void add_rotate_sort(paper_table& table, machine_of_paper const& on, std::int64_t n) {
  add_row(table, on, n,
          {.algorithm = "rotate-sort",
           .given = {},
           .erratum_number = 3,
           .kind = kind_of_slices(n, on),
           .columns = {{"startups"},
                       {"time"},
                       {"words", false},
                       {"local_sorts"},
                       {"local_sorts", false, "sorts, exactly"},
                       {"dirty_rows"}}});
}

[[nodiscard]] paper_table rotate_sorts(int most_processors) {
  paper_table table{
      "Theorem 5.3 for n >= 6p^2; the remark after it and Corollary 5.1 (2) for n >= p^2: rotate "
      "sort in blocks of a x b elements, ab = p, of columns of q = n/p; shears = ceil(log2(1 + "
      "6p^2/n)) times SHEAR",
      {},
      "input"};
  for (auto const& on : machines_of({2, 4, 8, 16, 64, 256}, most_processors)) {
    std::int64_t const p = on.p;
    auto const each = static_cast<std::int64_t>(std::ceil(std::sqrt(on.p)));
    std::set<std::int64_t> sizes{p * p, 8 * p * p};
    if (p <= 64) sizes.insert(each * p * p);  // p^2.5
    for (auto const n : sizes) add_rotate_sort(table, on, n);
  }
  // Where copied slices keep the theorem's time, and none of the three ways that of the remark.
  if (machine_of_paper const on{256, 2000, 1}; on.p <= most_processors)
    add_rotate_sort(table, on, std::int64_t{8} * on.p * on.p);
  if (machine_of_paper const on{256, 4000, 1}; on.p <= most_processors)
    add_rotate_sort(table, on, std::int64_t{1} * on.p * on.p);
  return table;
}

/// Runs the modified rotate sort, and the original one step by step. n = 8p^2 is within n >= 6p^2, and
/// a slice of sqrt p rows lies in one of up to 64 processors.
[[nodiscard]] paper_table naive_rotate_sorts(int most_processors) {
  paper_table table{
      "Section 5.1, naive: the original rotate sort step by step; n = 8p^2 is chosen, which is at "
      "least 6p^2 and cuts no slice of up to 64 processors",
      {},
      "input"};
  for (auto const& on : machines_of({4, 16, 64}, most_processors)) {
    auto const n = std::int64_t{8} * on.p * on.p;
    auto const row_of = [&](bool is_original) {
      auto const run = measured_on(on, "rotate-sort", {{"n", n}, {"original", is_original}});
      auto cells = on.cells({{"n", static_cast<double>(n)}});
      cells.where(detail::elements_for_one_shear)
          .where(detail::sizes_of_rotate_sort(static_cast<std::size_t>(n), on.p));
      auto const sorts = counted(run.result, "local_sorts");
      if (is_original)
        cells.equal("permutations", "14", run.counted().startups)
            .equal("local sorts", "14", sorts)
            .at_most("time", "14(tau + n/p + pm)", run.time())
            .ours();
      else
        cells.equal("permutations", "8", run.counted().startups)
            .at_most("local sorts", "14", sorts)
            .at_most("time", "8(tau + n/p + pm)", run.time());
      return paper_row{on.text("n", n), is_original ? "naive" : "rotate-sort", cells.cells(),
                       run.result.correct};
    };
    table.rows.push_back(row_of(false));
    table.rows.push_back(row_of(true));
  }
  return table;
}

[[nodiscard]] paper_table median_sorts(int most_processors) {
  paper_table table{
      "Section 5.1: approximate median sort, n >= 2p(p - 1)^2, with T_comm by Corollary 5.1: (1) "
      "for buckets that go straight, (3), with high probability, for those that go at random, in "
      "slots of ceil(3n/p^2) elements",
      {},
      "input"};
  for (auto const& on : machines_of({2, 4, 8, 16}, most_processors)) {
    std::int64_t const p = on.p;
    auto const straight = 2 * p * p * p;
    for (auto const& [way, n] : {std::pair{"direct", straight},
                                 std::pair{"random", std::max(straight, least_for_samples(on.p))}})
      add_row(table, on, n,
              {.algorithm = "median-sort",
               .given = {{"way", std::string(way)}},
               .erratum_number = 8,
               .columns = {
                   {"startups", false}, {"time"}, {"words", false}, {"largest_bucket", false}}});
  }
  return table;
}

[[nodiscard]] paper_table transforms(int most_processors) {
  paper_table table{"Theorem 5.4: FFT, n >= p^2", {}, "input"};
  for (auto const& on : machines_of({2, 8, 60, 64, 512}, most_processors)) {
    std::int64_t const p = on.p;
    for (auto const n : {p * p, p * (p + 1)})
      for (auto const* const layout : {"block", "cyclic"})
        add_row(table, on, n,
                {.algorithm = "fft",
                 .given = {{"layout", std::string(layout)}},
                 .columns = {{"startups", false}, {"time"}, {"words", false}}});
  }
  return table;
}

[[nodiscard]] paper_table transforms_in_whole_packets(int most_processors) {
  paper_table table{"Theorem 5.4, its second half: FFT, mp^2 | n", {}, "input"};
  for (auto const& on : machines_of({2, 8, 64}, most_processors)) {
    auto const n = on.m * on.p * on.p;
    add_row(
        table, on, n,
        {.algorithm = "fft",
         .given = {{"layout", std::string("cyclic")}},
         .columns = {{"startups", false}, {"time", true, "", "mp^2 divides n"}, {"words", false}}});
  }
  return table;
}

/// Adds the time of step 1 to the row of a product.
void add_step_1(paper_row& row, machine_of_paper const& on, std::int64_t n,
                measured_block const& run) {
  std::uint64_t time = 0;
  for (auto const& phase : run.result.record.phases())
    if (phase.name.ends_with("to all that multiply it"))
      time += phase.startups * run.tau + phase.words;
  auto const size = static_cast<double>(n);
  auto cells = on.cells({{"q", std::cbrt(on.p)}, {"n", size}});
  cells.where(detail::large_matrices(on.p, size))
      .at_most("time, step 1", "4(2 tau ceil(log_k q) + n^2/q^2)", time, roots_are_outside());
  row.cells.push_back(cells.cells().front());
}

[[nodiscard]] paper_table products(int most_processors) {
  paper_table table{
      "Section 5.3 (our text ends before Theorem 5.5, and has its bound): matrix product on p = "
      "q^3 processors, b = n/q; form a has step 3 as printed and brings A_ik and B_kj in step 1, "
      "form b has "
      "step 1 as printed and sums over j in step 3",
      {},
      "input"};
  for (auto const& on : machines_of({8, 27, 64, 216, 512}, most_processors)) {
    auto const side = static_cast<int>(std::lround(std::cbrt(on.p)));
    auto const* const kind = is_power_of(on.k(), side) ? "q = k^d" : "any q";
    for (std::int64_t const factor : {2, 10})
      for (std::string const form : {"a", "b"}) {
        auto const n = factor * side;
        auto const run = measured_on(on, "matrix-product",
                                     {{"n", n}, {"form", form}, {"way", std::string("paper")}});
        auto row = row_of_claims(on.text("n", n), fmt::format("form {}, {}", form, kind), run,
                                 {{"startups", false}, {"time"}, {"words", false}},
                                 roots_are_outside().number);
        add_step_1(row, on, n, run);
        table.rows.push_back(std::move(row));
      }
  }
  return table;
}

}  // namespace

std::vector<paper_table> computation_tables(int most_processors) {
  std::vector<paper_table> tables{
      column_sorts(most_processors),         sample_sorts(most_processors),
      rotate_sorts(most_processors),         naive_rotate_sorts(most_processors),
      radix_passes_of_sort(most_processors), radix_passes_by_columns(most_processors)};
  for (auto& table : phases_of_sorts(most_processors)) tables.push_back(std::move(table));
  for (auto* const more : {distributions_of_sample_sort, median_sorts, transforms,
                           transforms_in_whole_packets, products})
    tables.push_back(more(most_processors));
  for (auto* const growths : {growths_of_computations, growths_of_whole_number_sorts})
    if (auto table = growths(most_processors); !table.rows.empty())
      tables.push_back(std::move(table));
  return tables;
}

}  // namespace lockstep
