#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/experiments/parameter.hpp>
#include <lockstep/lower_bounds.hpp>

#include "harness/arguments.hpp"
#include "harness/harness.hpp"
#include "harness/long_enough.hpp"
#include "harness/solve.hpp"
#include "sorting/list_merge.hpp"
#include "sorting/sort_element.hpp"
#include "sorting/sort_input.hpp"
#include "sorting/sort_problem.hpp"

namespace lockstep {

/// One of the sets in which a sorted list lies.
struct list_set {
  int list = 0;
  std::size_t number = 0;  ///< among the sets of its list
};

/// The places of sorted lists, and of the one that they become.
struct merge_layout {
  int lists = 2;
  std::size_t sets = 1;         ///< of each list
  std::size_t merged_sets = 1;  ///< of the merged list, on each processor
  std::function<std::vector<list_set>(int rank)> sets_of;  ///< those of a processor
};

/// Sorted lists of even sizes, in sets of k elements but for the last of each list.
struct sorted_lists {
  sort_input keys;  ///< one list after the other
  merge_layout layout;
  std::size_t k = 0;

  /// Finds a set among the keys.
  [[nodiscard]] value_block elements_of(list_set const& set) const;
};

/// Makes the parameters of a merge: k and those of files around its own.
[[nodiscard]] std::vector<parameter> parameters_of_merge(std::vector<parameter> const& own);

/// Reads lists from a file, one after the other, or generates k elements for each set. `of_one`: the
/// memory for k = 1.
/// Errors: those of `keys_from`; bad_input for a list that is not sorted; out_of_memory, with the
/// figures; invalid_argument where k is more than 1 and processors have one port.
[[nodiscard]] sorted_lists sorted_lists_from(arguments const& given, merge_layout layout,
                                             machine_needs of_one);

/// The merge problem: sorted lists in sets on processors are to become one list, in sets, too, full ones
/// but for its last. Its result is that of a stable sort of the lists, one after the other.
class merge_problem : public sort_problem {
 public:
  /// The lists have to live as long as this.
  merge_problem(arguments const& given, sorted_lists const& lists);

  /// The sets of a processor, in the order of their lists.
  [[nodiscard]] std::vector<std::vector<sort_element>> part_of(processor const& me) const;
  [[nodiscard]] traffic_requirement least_traffic(own_blocks merged) const;
  /// Adds the figure of elements.
  void add_size_to(experiment_result& result) const;

 private:
  arguments m_given;
  sorted_lists const& m_lists;
};

/// Merges by `program(me, sets)`, in lock step, in as many steps as are claimed.
/// Errors: those of `solve`.
template <class Program>
[[nodiscard]] experiment_result solve_merge(arguments const& given, sorted_lists const& lists,
                                            std::vector<claim> claims, Program const& program) {
  auto const asked = long_enough(given.request(), claims);
  auto result = solve(asked, {.strict = strictness::always}, merge_problem(asked, lists), program);
  result.claims = std::move(claims);
  result.parameters["k"] = static_cast<std::int64_t>(lists.k);
  return result;
}

}  // namespace lockstep
