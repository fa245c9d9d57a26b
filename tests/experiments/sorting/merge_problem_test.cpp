#include "sorting/merge_problem.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

using lockstep::list_set;
using lockstep::merge_layout;
using lockstep::sorted_lists;

namespace {

using merged_numbers = std::vector<std::vector<std::uint32_t>>;  // numbers of elements

/// X = 1 3 5 and Y = 2 3 in sets of 2, X on processors 0 and 1, Y on 3 and 2.
sorted_lists const x_and_y{
    .keys = {std::vector<int>{1, 3, 5, 2, 3}, {}},
    .layout = {.sets = 2,
               .sets_of =
                   [](int rank) {
                     auto const set = static_cast<std::size_t>(rank < 2 ? rank : 3 - rank);
                     return std::vector<list_set>{{rank < 2 ? 0 : 1, set}};
                   }},
    .k = 2};
merged_numbers const merged{{0, 3}, {1, 4}, {2}, {}};

lockstep::experiment_request const on_four{.network = lockstep::parse("hypercube:2")};

lockstep::sort_blocks merge_elements(merged_numbers const& numbers) {
  lockstep::sort_blocks all;
  for (auto const& block : numbers) {
    auto& own = all.emplace_back();
    for (auto const number : block) own.push_back(x_and_y.keys.element(number));
  }
  return all;
}

}  // namespace

TEST_CASE("a merge is solved by full sets of the sorted lists, each element once", "[sorting]") {
  lockstep::merge_problem const problem(on_four, x_and_y);
  CHECK(problem.is_solved_by(merge_elements(merged)));
  for (merged_numbers const& wrong :
       std::vector<merged_numbers>{{{0, 3}, {1, 4}, {}, {}},     // one is lost
                                   {{0, 3}, {1}, {4, 2}, {}},    // a set is not full
                                   {{0, 3, 1}, {4, 2}, {}, {}},  // or too large
                                   {{0, 3}, {4, 1}, {2}, {}},    // Y's 3 comes first
                                   {{0, 3}, {1, 1}, {2}, {}},    // one comes twice
                                   {{3, 0}, {1, 4}, {2}, {}},    // not in order
                                   {{0, 3}, {1, 4}, {2}, {2}}})  // one more
    CHECK_FALSE(problem.is_solved_by(merge_elements(wrong)));
}

TEST_CASE("each element of a merge comes from the processor that has its set", "[sorting]") {
  lockstep::merge_problem const problem(on_four, x_and_y);
  auto const needed = problem.least_traffic(merge_elements(merged));
  // Elements 3 and 4 lie on processor 3, and go to 0 and 1; 1 from 0 to 1; 2 from 1 to 2.
  CHECK(needed.moved == 4);
  CHECK(needed.taken_in == 2);
  CHECK(needed.distance == 2);
  CHECK(problem.least_traffic(merge_elements({{0, 1}, {2}, {}, {3, 4}})).moved == 0);
  CHECK(problem.least_traffic(merge_elements({{0, 1, 2, 3, 4}, {}, {}, {}})).taken_in == 3);
}

TEST_CASE("sets of a list are full but for its last, and lists are of even sizes", "[sorting]") {
  using range = lockstep::value_block;
  CHECK(x_and_y.elements_of({0, 0}) == range{0, 2});
  CHECK(x_and_y.elements_of({0, 1}) == range{2, 1});
  CHECK(x_and_y.elements_of({1, 0}) == range{3, 2});
  CHECK(x_and_y.elements_of({1, 1}).count == 0);
}
