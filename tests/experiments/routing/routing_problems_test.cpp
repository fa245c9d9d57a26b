#include <cstdint>
#include <utility>
#include <vector>

#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "experiments/requests.hpp"
#include "routing/h_relation_problem.hpp"
#include "routing/routing_problem.hpp"

using lockstep::arrival_order;
using lockstep::labelled_elements;

namespace {

/// Whether a routing is taken to be right: each of two processors has elements for 0, 0, 1 and 1.
bool is_right(arrival_order order, labelled_elements const& found) {
  auto const asked = requests::make("h-relation", "crossbar:2", {{"n", 8}, {"pattern", "lcg"}});
  lockstep::h_relation_problem problem(lockstep::arguments(asked), order, {1, 1});
  problem.input.destinations = {{0, 0, 1, 1}, {0, 0, 1, 1}};
  return problem.is_solved_by(found);
}

}  // namespace

TEST_CASE("a record in another place, or another record, does not solve a routing problem") {
  lockstep::hypercube const network{1};
  lockstep::routing_problem const problem(network, 2, {{7, 1}, {}, {5, 0}, {6, 1}});
  using arrivals = std::vector<lockstep::routing_problem::arrivals>;
  CHECK(problem.records() == 3);
  CHECK(problem.is_solved_by(arrivals{{5, {}}, {7, 6}}));
  for (auto const& wrong : {arrivals{{5, {}}, {6, 7}},
                            {{5, {}}, {7, {}}},
                            {{5, 6}, {7, 6}},
                            {{7, {}}, {5, 6}},
                            {{4, {}}, {7, 6}}})
    CHECK_FALSE(problem.is_solved_by(wrong));
  CHECK(problem.least_traffic(arrivals(2)).moved == 2);
}

TEST_CASE("elements of an h-relation have to be there, each once, in the order that is promised") {
  labelled_elements const by_source{{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}},
                                    {{1, 0, 2}, {1, 0, 3}, {1, 1, 2}, {1, 1, 3}}};
  // Processor i deals those for j out from i + j on.
  labelled_elements const by_bin{{{0, 0, 0}, {0, 1, 1}, {0, 0, 1}, {0, 1, 0}},
                                 {{1, 0, 3}, {1, 1, 2}, {1, 0, 2}, {1, 1, 3}}};
  for (auto const order :
       {arrival_order::by_source, arrival_order::by_bin, arrival_order::in_parts}) {
    CHECK(is_right(order, by_source) == (order != arrival_order::by_bin));
    CHECK(is_right(order, by_bin) == (order != arrival_order::by_source));
    for (auto wrong : {by_source, by_bin}) {
      wrong[1].pop_back();
      CHECK_FALSE(is_right(order, wrong));
      wrong[1].push_back(wrong[1].front());
      CHECK_FALSE(is_right(order, wrong));
    }
  }
  labelled_elements in_three_parts = by_source;
  std::swap(in_three_parts[0][0], in_three_parts[0][3]);
  CHECK_FALSE(is_right(arrival_order::in_parts, in_three_parts));
  CHECK(is_right(arrival_order::any, in_three_parts));
  in_three_parts[0].pop_back();
  CHECK_FALSE(is_right(arrival_order::any, in_three_parts));
}
