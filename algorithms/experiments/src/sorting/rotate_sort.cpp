#include <lockstep/algorithms/sorting/rotate_sort.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/claim_list.hpp>

#include "harness/experiment_list.hpp"
#include "harness/processor_notes.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "sorting/comparison_sort.hpp"
#include "sorting/counted_order.hpp"
#include "sorting/dirty_rows.hpp"
#include "sorting/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// Bytes of a key: made, numbered, on its way, sorted, and to compare with.
constexpr bytes_of_keys bytes_of_rotate_key{.each = 106};

constexpr auto rows_of_rotate_sort = rows_of_columns(
    "q, elements of a column, made a multiple of a; n/p, rounded up, where it is less; more is "
    "filled up");
constexpr integer_parameter times_of_shear{
    "shears",
    "times of SHEAR; -1: ceil(log2(1 + 6p^2/n)), 3 of the original; with fewer the result may be "
    "wrong",
    -1, -1, 64};
constexpr flag_parameter as_the_original{"original",
                                         "each step of the original algorithm by itself, steps 2 "
                                         "and 4 in two permutations each and SHEAR three times: 14 "
                                         "permutations; p has to divide q"};
constexpr choice_parameter rows_of_slices{
    "slices",
    "where a slice's rows lie while its columns turn: spread (one phase more if that cuts slices), "
    "whole (in one processor), copied (all in each processor that has one of them) or cheapest (of "
    "the "
    "three)",
    std::array{named_choice{"cheapest", slice_rows::cheapest},
               named_choice{"spread", slice_rows::spread}, named_choice{"whole", slice_rows::whole},
               named_choice{"copied", slice_rows::copied}}};

/// The report of one processor on a rotate sort.
struct rotate_watch {
  using column = std::vector<std::uint64_t>;  ///< places of keys in the order

  column after_step_3{};
  column after_step_5{};
  std::int64_t local_sorts = 0;

  void after_step(int step, std::vector<sort_element> const& sorted) {
    auto& kept = step == 3 ? after_step_3 : after_step_5;
    kept.resize(sorted.size());
    std::ranges::transform(sorted, kept.begin(), &sort_element::order);
  }
  void after_step(int step, std::vector<detail::element_of_column<sort_element>> const& sorted) {
    after_step(step, detail::elements_in<sort_element>(sorted));
  }
  void local_sort() { ++local_sorts; }
};

/// Claims how often every processor sorts, and how many rows are dirty after step 5.
void claim_sorts_and_rows(experiment_result& result, int p, std::size_t n, bool is_original) {
  auto const rows = static_cast<std::size_t>(std::get<std::int64_t>(result.parameters.at("rows")));
  auto const shears = std::get<std::int64_t>(result.figures.at("shears"));
  bool const travels = std::get<std::int64_t>(result.figures.at("local_sorts")) > 1;
  claim_list claims(
      {{{"shears", static_cast<double>(shears)}, {"p", p}, {"n", static_cast<double>(n)}}});
  claims.add(result.claims)
      .from("lockstep, the steps counted")
      .equal("local_sorts", travels ? "8 + 2 shears" : "1");
  auto const suppose = [&](char const* size) {
    claims.where(size).where(detail::sizes_of_rotate_sort(n, p));
  };
  claims.from("JaJa and Ryu 1994, section 5.1");
  if (travels && rotate_sort_leaves_few_rows(p)) {
    claims.compare("local_sorts", is_original ? comparison::equal : comparison::at_most, "14");
    suppose(detail::elements_for_one_shear);
    if (shears != (is_original ? 3 : rotate_sort_shears(rows, p)))
      claims.where("SHEAR as often as is printed", false);
  }
  claims.at_most("dirty_rows", "6");
  suppose(detail::elements_for_shears);
  result.claims = claims;
}

/// Says how many rows were dirty, and how often every processor sorted.
void add_figures(experiment_result& result, processor_notes<rotate_watch> const& watched,
                 int shears) {
  using watch = rotate_watch;
  auto const dirty_after = [&](watch::column watch::*step) {
    return static_cast<std::int64_t>(dirty_rows(watched.all(step)));
  };
  auto const sorts = std::ranges::max(watched.all(&watch::local_sorts));
  result.figures["shears"] = std::int64_t{shears};
  result.figures["local_sorts"] = sorts;
  result.figures["dirty_rows_after_3"] = dirty_after(&watch::after_step_3);
  result.figures["dirty_rows"] = dirty_after(&watch::after_step_5);
}

[[nodiscard]] experiment_result run_rotate_sort(arguments const& given) {
  auto const on = bdm_machine_from(given);
  rotate_sort_options options{.rows = given[rows_of_rotate_sort],
                              .stable = keeps_equal_keys_in_order(given),
                              .shears = {},
                              .slices = given[rows_of_slices],
                              .packet = on.packet,
                              .tau = on.tau,
                              .original = given[as_the_original]};
  if (auto const shears = static_cast<std::int64_t>(given[times_of_shear]); shears >= 0)
    options.shears = static_cast<int>(shears);
  auto promises = promises_of_comparing(given, bytes_of_rotate_key, on.packet);
  promises.stable = options.stable;
  promises.even_blocks = false;
  auto const input = keys_to_compare(given, promises);
  auto const n = input.size();
  auto const rows = detail::plan_of_rotate_sort(n, on.p, options).rows();
  int const shears = detail::shears_of(options, rows, on.p);
  require_memory_to_sort(given, static_cast<std::uint64_t>(on.p) * rows, promises.needs);
  auto claims = rotate_sort_claims(on, n, options);
  expect_steps(claims);
  processor_notes<rotate_watch> watched(given);
  auto result =
      solve_sort(given, input, promises, [&](processor& me, std::vector<sort_element> mine) {
        return detail::watched_rotate_sort(me, std::move(mine), n, counted_order(me), options,
                                           watched.of(me));
      });
  result.claims = std::move(claims);
  result.parameters["rows"] = static_cast<std::int64_t>(rows);
  result.parameters["shears"] = std::int64_t{shears};
  add_figures(result, watched, shears);
  claim_sorts_and_rows(result, on.p, n, options.original);
  auto order = order_of_comparisons(on, n, "Theorem 5.3");
  if (n > 1)
    order.where(detail::elements_for_one_shear).where(detail::sizes_of_rotate_sort(n, on.p));
  add_claims(result, order);
  result.figures["slices"] = text_of(choose_slice_rows(n, on.p, options));
  return result;
}

}  // namespace

experiment rotate_sort_experiment() {
  return comparison_sort_experiment(
      {.name = "rotate-sort",
       .summary = "keys in an array are sorted by rows and by columns in turn, and rows turned in "
                  "between, in a number of phases that does not grow with p",
       .source = cited(jaja_ryu_1994, "Theorem 5.3"),
       .run = run_rotate_sort},
      {rows_of_rotate_sort, times_of_shear, rows_of_slices, as_the_original, keeps_order});
}

}  // namespace lockstep
