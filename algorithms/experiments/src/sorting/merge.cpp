#include <lockstep/algorithms/sorting/merge.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "sorting/list_merge.hpp"

namespace lockstep {

namespace {

constexpr choice_parameter holders_of_lists{
    "lists",
    "half (every processor holds a set of both) or whole (each list on half of the processors)",
    std::array{named_choice{"half", merge_lists::half}, named_choice{"whole", merge_lists::whole}}};
constexpr flag_parameter fused_merge{
    "fused", "sets follow their tokens, rather than tokens find the way back"};
constexpr choice_parameter prefix_of_merge{
    "prefix", "of steps 5 and 6: fft (on all ports) or halving (on one)",
    std::array{named_choice{"fft", pipelined_scheme::fft},
               named_choice{"halving", pipelined_scheme::halving}}};

/// Two lists, and where they are.
struct list_pair {
  std::vector<list_element> x;
  std::vector<list_element> y;
  merge_lists lists;
  std::size_t k;

  /// The processor that holds an element at first.
  [[nodiscard]] std::size_t source_of(std::size_t number, std::size_t p) const {
    bool const is_x = number < x.size();
    auto const set = (is_x ? number : number - x.size()) / k;
    return is_x || lists == merge_lists::half ? set : p - 1 - set;
  }
};

[[nodiscard]] std::vector<list_element> merged_by(processor& me, list_pair const& of,
                                                  merge_options const& how) {
  auto const i = static_cast<std::size_t>(me.rank());
  if (of.lists == merge_lists::half)
    return merge(me, set_of(of.x, i, of.k), set_of(of.y, i, of.k), how);
  auto const p = static_cast<std::size_t>(me.size());
  return merge(me, i < p / 2 ? set_of(of.x, i, of.k) : set_of(of.y, p - 1 - i, of.k), how);
}

[[nodiscard]] experiment_result run_merge(arguments const& given) {
  int const d = detail::required_hypercube(given.network(), "merge").dimension();
  auto const lists = given[holders_of_lists];
  auto const k = instances_from(given, {.bytes_each = 800,  // in two sets, four others and merged
                                        .waiting = 6800,
                                        .outgrown = 2700});
  require_ports_for(given, k);
  auto const p = static_cast<std::size_t>(given.processors());
  auto made = generated_lists(given, 2, k * (lists == merge_lists::half ? p : p / 2));
  list_pair const of{std::move(made[0]), std::move(made[1]), lists, k};
  merge_options const how{.k = k, .fused = given[fused_merge], .prefix = given[prefix_of_merge]};

  auto claims = merge_claims(d, lists, how);
  expect_steps(claims);
  auto const run = run_program(given, {.strict = strictness::always},
                               [&](processor& me) { return merged_by(me, of, how); });
  std::vector<list_element> expected;
  std::ranges::merge(of.x, of.y, std::back_inserter(expected), std::less<>{});
  auto const width = lists == merge_lists::half ? 2 * k : k;
  bool correct = true;
  for (std::size_t i = 0; i < p; ++i)
    correct = correct && run.results()[i] == set_of(expected, i, width);
  auto result = result_of(given, run, correct);
  result.claims = std::move(claims);
  result.figures["elements"] = static_cast<std::int64_t>(expected.size());
  result.bounds = bounds_of_merge(given, run, run.results(),
                                  [&](std::size_t number) { return of.source_of(number, p); });
  return result;
}

}  // namespace

experiment merge_experiment() {
  return {
      .name = "merge",
      .summary = "merge of two sorted lists, in sets of k elements on each processor",
      .topologies = "hypercube (all ports unless --ports says otherwise)",
      .source = mayr_plaxton_1989,
      .examples = {"hypercube:4", "hypercube:2", "hypercube:3", "hypercube:6"},
      .parameters = {instances("elements in each set; more than 1 need all ports"),
                     holders_of_lists, fused_merge, prefix_of_merge},
      .default_ports = ports::all,
      .run = run_merge,
  };
}

}  // namespace lockstep
