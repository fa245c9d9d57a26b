#include <lockstep/algorithms/sorting/merge.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/algorithms/textbook/merge.hpp>
#include <lockstep/errors.hpp>

#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"
#include "sorting/counted_order.hpp"
#include "sorting/merge_problem.hpp"

namespace lockstep {

namespace {

constexpr choice_parameter holders_of_lists{
    "lists",
    "half (every processor holds a set of both) or whole (each list on half of the processors; "
    "with --textbook always)",
    std::array{named_choice{"half", merge_lists::half}, named_choice{"whole", merge_lists::whole}}};
constexpr flag_parameter fused_merge{
    "fused", "sets follow their tokens, rather than tokens find the way back"};
constexpr choice_parameter prefix_of_merge{
    "prefix", "of steps 5 and 6: fft (on all ports) or halving (on one)",
    std::array{named_choice{"fft", pipelined_scheme::fft},
               named_choice{"halving", pipelined_scheme::halving}}};

/// The places of X and Y on p processors: sets of Y lie in reverse order on the upper half, or as those
/// of X do.
[[nodiscard]] merge_layout layout_of(merge_lists lists, int p) {
  if (lists == merge_lists::half)
    return {.sets = static_cast<std::size_t>(p), .merged_sets = 2, .sets_of = [](int rank) {
              auto const i = static_cast<std::size_t>(rank);
              return std::vector<list_set>{{0, i}, {1, i}};
            }};
  return {.sets = static_cast<std::size_t>(std::max(p / 2, 1)), .sets_of = [p](int rank) {
            bool const is_x = rank < p / 2;
            auto const i = static_cast<std::size_t>(is_x ? rank : p - 1 - rank);
            return std::vector<list_set>{{is_x ? 0 : 1, i}};
          }};
}

/// Requires the options of the short form: tokens that find the way back, and prefixes on all ports.
/// Errors: invalid_argument.
void require_textbook_merge(merge_options const& how) {
  if (how.fused || how.prefix != pipelined_scheme::fft)
    throw invalid_argument(
        "--textbook is the paper's merge on all ports; leave out --fused and --prefix");
}

[[nodiscard]] experiment_result run_merge(arguments const& given) {
  int const d = detail::required_hypercube(given.network(), "merge").dimension();
  bool const is_textbook = given[textbook_form];
  auto const where = is_textbook ? merge_lists::whole : given[holders_of_lists];
  auto const lists = sorted_lists_from(given, layout_of(where, given.processors()),
                                       {.bytes_each = 800,  // in two sets, four others and merged
                                        .waiting = 6800,
                                        .outgrown = 2700});
  merge_options const how{
      .k = lists.k, .fused = given[fused_merge], .prefix = given[prefix_of_merge]};
  if (is_textbook) require_textbook_merge(how);
  auto claims = merge_claims(d, where, how);
  suppose_pipelined_hypercube(claims, given);
  auto result = solve_merge(
      given, lists, claims, [&](processor& me, std::vector<std::vector<sort_element>> const& sets) {
        if (is_textbook) return textbook::merge(me, sets[0], how.k, counted_order(me));
        return sets.size() == 2 ? merge(me, sets[0], sets[1], how, counted_order(me))
                                : merge(me, sets[0], how, counted_order(me));
      });
  result.parameters[std::string(holders_of_lists.name)] = std::string(name_of(where));
  return result;
}

}  // namespace

experiment merge_experiment() {
  return {
      .name = "merge",
      .summary =
          "merge of two sorted lists, in sets of k elements on each processor; lists are "
          "generated, or lie in an input file, one after the other",
      .topologies = "hypercube (all ports unless --ports says otherwise)",
      .source = mayr_plaxton_1989,
      .examples = {"hypercube:4", "hypercube:2", "hypercube:3", "hypercube:6"},
      .parameters =
          parameters_of_merge({holders_of_lists, fused_merge, prefix_of_merge, textbook_form}),
      .takes_files = true,
      .default_ports = ports::all,
      .run = run_merge,
  };
}

}  // namespace lockstep
