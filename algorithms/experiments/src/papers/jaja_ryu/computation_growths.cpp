#include "papers/jaja_ryu/computation_growths.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/claim_list.hpp>

#include "numeric/supposed_sizes.hpp"
#include "papers/jaja_ryu/growth_sweep.hpp"
#include "routing/supposed_sizes.hpp"
#include "sorting/supposed_sizes.hpp"

namespace lockstep {

namespace {

constexpr machine_of_paper price_of_sweeps{2, 16, 8};

/// Elements n = least, 4 least, .. up to `most` on one machine.
[[nodiscard]] std::vector<run_of_sweep> over_elements(int p, std::int64_t least,
                                                      std::int64_t most) {
  auto on = price_of_sweeps;
  on.p = p;
  std::vector<run_of_sweep> runs;
  for (auto n = least; n <= most; n *= 4)
    runs.push_back({on, n, static_cast<double>(n), static_cast<double>(n)});
  return runs;
}

/// Machines of these processors, each with as many elements as the formula says, such as "2p^3".
[[nodiscard]] std::vector<run_of_sweep> over_machines(std::vector<int> const& processors,
                                                      std::string const& elements) {
  auto on = price_of_sweeps;
  std::vector<run_of_sweep> runs;
  for (int const p : processors) {
    on.p = p;
    auto const n = claim_list({{{"p", p}}}).value(elements);
    runs.push_back({on, static_cast<std::int64_t>(n), n, static_cast<double>(p)});
  }
  return runs;
}

/// Names runs over elements: "p = 8, tau = 16, m = 8, n = 1024 .. 65536".
[[nodiscard]] std::string text_of_elements(std::vector<run_of_sweep> const& runs) {
  return fmt::format("{}, n = {} .. {}", runs.front().on.text(), runs.front().given,
                     runs.back().given);
}

/// A statement, with its runs on one machine and on several.
struct growth_of_paper {
  sweep_of_paper sweep;
  std::vector<run_of_sweep> by_elements;
  std::vector<run_of_sweep> by_machines;
  std::string elements_of_machines;  ///< "2p^3"
};

void add_both(paper_table& table, growth_of_paper of) {
  of.sweep.input = text_of_elements(of.by_elements);
  of.sweep.runs = std::move(of.by_elements);
  table.rows.push_back(judged_growth(of.sweep));
  of.sweep.input = text_of_processors(of.by_machines, of.elements_of_machines);
  of.sweep.runs = std::move(of.by_machines);
  table.rows.push_back(judged_growth(of.sweep));
}

// Elements of the machines.
constexpr char const* enough_for_draws = "128p^2";
constexpr char const* twice_the_cube = "2p^3";
constexpr char const* eight_squares = "8p^2";
constexpr char const* p_squared = "p^2";

/// The order that the paper has for each sort.
constexpr char const* operations_of_sorts = "n log n/p";

void add_sorts(paper_table& table) {
  add_both(table, {.sweep = {.statement = "Theorem 5.1",
                             .algorithm = "column-sort",
                             .formula = operations_of_sorts,
                             .where = {detail::elements_of_columns}},
                   .by_elements = over_elements(8, 1024, 65'536),
                   .by_machines = over_machines({2, 4, 8, 16, 32}, twice_the_cube),
                   .elements_of_machines = twice_the_cube});
  add_both(table, {.sweep = {.statement = "Theorem 5.2",
                             .algorithm = "sample-sort",
                             .formula = operations_of_sorts,
                             .where = {detail::room_with_high_probability}},
                   .by_elements = over_elements(8, 8192, 131'072),
                   .by_machines = over_machines({2, 4, 8, 16, 32}, enough_for_draws),
                   .elements_of_machines = enough_for_draws});
  auto const sizes = [](run_of_sweep const& run) {
    return detail::sizes_of_rotate_sort(static_cast<std::size_t>(run.given), run.on.p);
  };
  add_both(table, {.sweep = {.statement = "Theorem 5.3",
                             .algorithm = "rotate-sort",
                             .formula = operations_of_sorts,
                             .where = {detail::elements_for_one_shear, sizes}},
                   .by_elements = over_elements(16, 2048, 131'072),
                   .by_machines = over_machines({4, 16, 64}, eight_squares),
                   .elements_of_machines = eight_squares});
  add_both(table, {.sweep = {.statement = "Section 5.1",
                             .algorithm = "median-sort",
                             .formula = operations_of_sorts,
                             .where = {detail::elements_of_columns}},
                   .by_elements = over_elements(8, 1024, 65'536),
                   .by_machines = over_machines({2, 4, 8, 16, 32}, twice_the_cube),
                   .elements_of_machines = twice_the_cube});
}

/// Sorts numbers below p by one counting sort.
void add_sorts_of_small_numbers(paper_table& table, std::vector<int> const& processors) {
  auto with_range = [](std::vector<run_of_sweep> runs) {
    for (auto& one : runs) one.also["range"] = std::int64_t{one.on.p};
    return runs;
  };
  add_both(table, {.sweep = {.statement = "Corollary 5.1, numbers below p",
                             .algorithm = "counting-sort",
                             .formula = "n/p",
                             .where = {"n >= p^2"}},
                   .by_elements = with_range(over_elements(16, 256, 65'536)),
                   .by_machines = with_range(over_machines(processors, p_squared)),
                   .elements_of_machines = p_squared});
}

constexpr std::int64_t radix_of_sweeps = 256;

constexpr char const* radix_each = "256p";

/// Sorts numbers of 32 bits, 8 at a time. A pass has no more counts than keys.
void add_radix_sorts(paper_table& table, std::vector<int> const& processors) {
  auto const few_digits = [](run_of_sweep const& run) {
    return hypothesis{"n/p >= 2^r, as we read it", run.given >= radix_of_sweeps * run.on.p};
  };
  add_both(table, {.sweep = {.statement = "Section 5.1, b = 32, r = 8",
                             .algorithm = "radix-sort",
                             .formula = "(b/r) n/p",
                             .given = {{"radix", radix_of_sweeps}, {"keys", std::string("int32")}},
                             .letters = {{"b", 32}, {"r", 8}},
                             .where = {few_digits}},
                   .by_elements = over_elements(8, 2048, 131'072),
                   .by_machines = over_machines(processors, radix_each),
                   .elements_of_machines = radix_each});
}

void add_routing(paper_table& table) {
  add_both(table, {.sweep = {.statement = "Theorem 3.4",
                             .algorithm = "randomized-routing",
                             .formula = "n/p",
                             .given = {{"c", 3.0},
                                       {"pattern", std::string("general")},
                                       {"blocks", std::string("padded")}},
                             .where = {detail::room_with_high_probability}},
                   .by_elements = over_elements(8, 8192, 131'072),
                   .by_machines = over_machines({2, 4, 8, 16, 32}, enough_for_draws),
                   .elements_of_machines = enough_for_draws});
}

/// Transposes q x p matrices.
void add_transpositions(paper_table& table, std::vector<int> const& processors) {
  auto const by_elements = over_elements(16, 64, 65'536);
  auto const by_machines = over_machines(processors, p_squared);
  sweep_of_paper sweep{.statement = "Lemma 3.3",
                       .algorithm = "transpose",
                       .size_parameter = "words",
                       .letter = "q",
                       .formula = "q"};
  sweep.input = fmt::format("{}, q = {} .. {}", by_elements.front().on.text(),
                            by_elements.front().given, by_elements.back().given);
  sweep.runs = by_elements;
  table.rows.push_back(judged_growth(sweep));
  sweep.input = fmt::format("p = {} .. {}, q = p^2", processors.front(), processors.back());
  sweep.runs = by_machines;
  table.rows.push_back(judged_growth(sweep));
}

/// Plans which elements a processor reads. Each has about p elements.
void add_balances(paper_table& table, std::vector<int> const& processors) {
  auto runs = over_machines(processors, p_squared);
  for (auto& one : runs) one.n = one.on.p;
  table.rows.push_back(judged_growth({.statement = "Section 4, step 2",
                                      .input = text_of_processors(runs, p_squared),
                                      .algorithm = "balance",
                                      .letter = "p",
                                      .formula = "p",
                                      .runs = runs}));
}

void add_transforms(paper_table& table, std::vector<int> const& processors) {
  add_both(table, {.sweep = {.statement = "Theorem 5.4",
                             .algorithm = "fft",
                             .formula = "n log n/p",
                             .where = {detail::elements_of_fft}},
                   .by_elements = over_elements(8, 64, 65'536),
                   .by_machines = over_machines(processors, p_squared),
                   .elements_of_machines = p_squared});
}

void add_products(paper_table& table) {
  auto const runs = over_elements(64, 8, 128);
  auto const matrices = [](run_of_sweep const& run) {
    return detail::large_matrices(run.on.p, run.n);
  };
  table.rows.push_back(judged_growth({.statement = "Section 5.3, multiply-adds and sums",
                                      .input = text_of_elements(runs),
                                      .algorithm = "matrix-product",
                                      .size_parameter = "n",
                                      .formula = "n^3/p",
                                      .runs = runs,
                                      .where = {matrices}}));
}

}  // namespace

paper_table growths_of_computations(int most_processors) {
  paper_table table{
      "Operations of Lemma 3.3, Theorems 3.4 and 5.1 to 5.4, Corollary 5.1 and sections 4, 5.1 and "
      "5.3, on the "
      "critical path: orders of growth, each over several runs; sorts by comparisons count "
      "comparisons, sample sort what it routes, too, and transpositions moves",
      {},
      "input"};
  if (most_processors < 64) return table;  // less than three machines say nothing of growth
  std::vector<int> processors;
  for (int p = 2; p <= most_processors && p <= 256; p *= 2) processors.push_back(p);
  add_transpositions(table, processors);
  add_balances(table, processors);
  add_routing(table);
  add_sorts(table);
  add_sorts_of_small_numbers(table, processors);
  add_radix_sorts(table, processors);
  add_transforms(table, processors);
  add_products(table);
  return table;
}

}  // namespace lockstep
