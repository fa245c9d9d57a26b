#include <lockstep/algorithms/sorting/multiway_merge.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "sorting/list_merge.hpp"
#include "sorting/optional_dimensions.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter dimensions_of_lists{
    "l", "2^l lists are merged, in as many rows; 0: one list, which stays as it is", 1, 0, 15};
constexpr text_parameter dimensions_of_sets{
    "m", "a number, for 2^m sets in each list; left out, d - 2l"};

/// Reads how many lists there are, and of how many sets.
/// Errors: invalid_argument unless the hypercube has 2l + m dimensions.
[[nodiscard]] multiway_shape shape_from(arguments const& given) {
  int const d = detail::required_hypercube(given.network(), "multi-way merge").dimension();
  int const l = static_cast<int>(given[dimensions_of_lists]);
  int const m = optional_dimensions(given, dimensions_of_sets).value_or(std::max(d - 2 * l, 0));
  multiway_shape const shape{
      .k = instances_from(given, {.bytes_each = 770, .waiting = 6000, .outgrown = 1200}),
      .l = l,
      .m = m,
      .fused = given[fused_merges]};
  detail::require_multiway_cube(given.network(), shape);
  return shape;
}

[[nodiscard]] experiment_result run_multiway_merge(arguments const& given) {
  auto const shape = shape_from(given);
  auto const k = shape.k;
  require_ports_for(given, k);
  auto const sets = std::size_t{1} << static_cast<unsigned>(shape.m);
  auto const columns = sets << static_cast<unsigned>(shape.l);
  auto const lists = generated_lists(given, columns / sets, k * sets);
  auto claims = multiway_merge_claims(shape);
  expect_steps(claims);
  auto const run = run_program(given, {.strict = strictness::always}, [&](processor& me) {
    auto const column = static_cast<std::size_t>(me.rank());
    std::vector<list_element> mine;
    if (column < columns) mine = set_of(lists[column / sets], column % sets, k);
    return multiway_merge(me, mine, shape);
  });
  std::vector<list_element> expected;
  for (auto const& list : lists) expected.insert(expected.end(), list.begin(), list.end());
  std::ranges::stable_sort(expected, std::less<>{});
  bool correct = true;
  for (std::size_t i = 0; i < run.results().size(); ++i)
    correct = correct && run.results()[i] == set_of(expected, i, k);
  auto result = result_of(given, run, correct);
  result.claims = std::move(claims);
  result.parameters["m"] = std::int64_t{shape.m};
  result.figures["elements"] = static_cast<std::int64_t>(expected.size());
  result.bounds =
      bounds_of_merge(given, run, run.results(), [&](std::size_t number) { return number / k; });
  return result;
}

}  // namespace

experiment multiway_merge_experiment() {
  return {
      .name = "multiway-merge",
      .summary =
          "merge of 2^l sorted lists at once, by the ranks of each list's elements in all others",
      .topologies = "hypercube (2l + m dimensions; all ports unless --ports says otherwise)",
      .source = mayr_plaxton_1989,
      .examples = {"hypercube:4", "hypercube:2", "hypercube:3", "hypercube:6"},
      .parameters = {instances("elements in each set; more than 1 need all ports"),
                     dimensions_of_lists, dimensions_of_sets, fused_merges},
      .default_ports = ports::all,
      .run = run_multiway_merge,
  };
}

}  // namespace lockstep
