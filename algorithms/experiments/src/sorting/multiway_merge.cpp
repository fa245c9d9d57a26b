#include <lockstep/algorithms/sorting/multiway_merge.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/algorithms/textbook/multiway_merge.hpp>

#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"
#include "sorting/counted_order.hpp"
#include "sorting/merge_problem.hpp"
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
  multiway_shape const shape{.l = l, .m = m, .fused = given[fused_merges]};
  detail::require_multiway_cube(given.network(), shape);
  return shape;
}

/// The places of the lists: side by side in row 0.
[[nodiscard]] merge_layout layout_of(multiway_shape const& shape) {
  return {.lists = 1 << shape.l,
          .sets = std::size_t{1} << static_cast<unsigned>(shape.m),
          .sets_of = [l = shape.l, m = shape.m](int rank) {
            if (rank >> (l + m) > 0) return std::vector<list_set>{};
            auto const i = static_cast<std::size_t>(rank & ((1 << m) - 1));
            return std::vector<list_set>{{rank >> m, i}};
          }};
}

[[nodiscard]] experiment_result run_multiway_merge(arguments const& given) {
  auto shape = shape_from(given);
  auto const lists = sorted_lists_from(given, layout_of(shape),
                                       {.bytes_each = 770, .waiting = 6000, .outgrown = 1200});
  shape.k = lists.k;
  bool const is_textbook = given[textbook_form];
  auto claims = multiway_merge_claims(shape);
  suppose_pipelined_hypercube(claims, given);
  auto result = solve_merge(
      given, lists, claims, [&](processor& me, std::vector<std::vector<sort_element>> const& sets) {
        auto const set = sets.empty() ? std::vector<sort_element>{} : sets.front();
        return is_textbook ? textbook::multiway_merge(me, set, shape, counted_order(me))
                           : multiway_merge(me, set, shape, counted_order(me));
      });
  result.parameters["m"] = std::int64_t{shape.m};
  return result;
}

}  // namespace

experiment multiway_merge_experiment() {
  return {
      .name = "multiway-merge",
      .summary =
          "merge of 2^l sorted lists at once, by the ranks of each list's elements in all others; "
          "lists are generated, or lie in an input file, one after the other",
      .topologies = "hypercube (2l + m dimensions; all ports unless --ports says otherwise)",
      .source = mayr_plaxton_1989,
      .examples = {"hypercube:4", "hypercube:2", "hypercube:3", "hypercube:6"},
      .parameters = parameters_of_merge(
          {dimensions_of_lists, dimensions_of_sets, fused_merges, textbook_form}),
      .takes_files = true,
      .default_ports = ports::all,
      .run = run_multiway_merge,
  };
}

}  // namespace lockstep
