#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/algorithms/random_access/vector_combine.hpp>
#include <lockstep/algorithms/routing/balance.hpp>
#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/algorithms/routing/msbt.hpp>
#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "algorithms/shown_at.hpp"
#include "catch.hpp"

using lockstep::block_label;
using lockstep::processor;
using reference::labels;

namespace {

constexpr int p = 6;
constexpr int each = 9;

/// Elements that name their source and destination.
std::vector<int> elements_of(int rank) {
  std::vector<int> elements;
  for (int i = 0; i < each; ++i) elements.push_back(p * rank + (rank + i * i) % p);
  return elements;
}
int destination_of(int element) { return element % p; }

template <class Network, class Program>
reference::call_log watched(Network const& network, Program const& program,
                            lockstep::machine_options const& options = {}) {
  reference::call_log log;
  (void)lockstep::machine{network, options}.run(program, log);
  return log;
}

using numbers_of_labels = std::map<std::pair<int, int>, int>;

/// How often each label is shown after a step, by all processors.
numbers_of_labels labels_after(reference::call_log const& log, std::uint64_t step) {
  numbers_of_labels numbers;
  for (auto const& [rank, by_name] : reference::held_after(log, step))
    for (auto const& label : std::get<labels>(by_name.at("elements")))
      ++numbers[{label.source, label.destination}];
  return numbers;
}

/// Routes the elements by `route(me, elements)`: after each step each is shown once, and in the end where
/// it goes. `steps`: those that it takes; any where that is 0.
template <class Route>
void check_elements(Route const& route, std::uint64_t steps = 0) {
  auto const log = watched(lockstep::crossbar{p}, [&](processor& me) {
    auto const elements = elements_of(me.rank());
    route(me, elements);
  });
  CHECK(log.counts.steps > 0);
  CHECK((steps == 0 || log.counts.steps == steps));
  numbers_of_labels all;
  for (int rank = 0; rank < p; ++rank)
    for (int const element : elements_of(rank)) ++all[{rank, destination_of(element)}];
  for (std::uint64_t step = 0; step <= log.counts.steps; ++step) {
    INFO("after step " << step);
    CHECK(labels_after(log, step) == all);
  }
  for (auto const& [rank, shown] : reference::shown_as(log, "elements")) {
    for (auto const& label : std::get<labels>(shown.front())) CHECK(label.source == rank);
    for (auto const& label : std::get<labels>(shown.back())) CHECK(label.destination == rank);
  }
}

}  // namespace

TEST_CASE("an h-relation shows each element once after each step, in the end where it goes") {
  auto const rule =
      GENERATE(lockstep::block_rule::real, lockstep::block_rule::exact, lockstep::block_rule::text);
  check_elements(
      [&](processor& me, std::span<int const> mine) {
        static_cast<void>(
            h_relation(me, mine, destination_of, {.rule = rule, .limits = {p * each, p * each}}));
      },
      2 * (p - 1));
}

TEST_CASE("a routing by random processors shows each element once after each step") {
  check_elements(
      [](processor& me, std::span<int const> mine) {
        static_cast<void>(randomized_routing(me, mine, destination_of, {each}));
      },
      2 * (p - 1));
}

TEST_CASE("a transportation shows each element once after each step, in the end where it goes") {
  lockstep::transportation_options const options{
      .route = GENERATE(lockstep::transportation_route::two_stages,
                        lockstep::transportation_route::direct),
      .keeps_route = GENERATE(true, false),
      .in_order = GENERATE(true, false)};
  check_elements([&](processor& me, std::span<int const> mine) {
    static_cast<void>(transportation(me, mine, destination_of, options));
  });
}

TEST_CASE("what is shown of a routing changes nothing of what it brings") {
  auto const route = [](processor& me) {
    auto const elements = elements_of(me.rank());
    std::span<int const> const mine(elements);
    auto all = h_relation(me, mine, destination_of).elements;
    for (auto const& more :
         {randomized_routing(me, mine, destination_of, {each}).elements,
          transportation(me, mine, destination_of, {.keeps_route = false, .in_order = false})
              .elements})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  reference::call_log log;
  lockstep::machine const machine{lockstep::crossbar{p}};
  auto const plain = machine.run(route);
  auto const seen = machine.run(route, log);
  CHECK(seen.results() == plain.results());
  CHECK(seen.counts() == plain.counts());
}

TEST_CASE("balancing shows from where each place of a share was filled, in the end all") {
  auto const log = watched(lockstep::crossbar{p}, [](processor& me) {
    std::vector<int> const mine(me.rank() == 2 ? 60 : 6, me.rank());
    return balance(me, std::span<int const>(mine)).size();
  });
  auto const values = reference::shown_as(log, "values");
  for (auto const& [rank, shown] : reference::shown_as(log, "share")) {
    auto const& share = std::get<labels>(shown.back());
    auto const elements = reference::numbers_in(values.at(rank).back());
    REQUIRE(share.size() == elements.size());
    for (std::size_t i = 0; i < share.size(); ++i) {
      CHECK(share[i].source == elements[i]);
      CHECK(share[i].destination == rank);
    }
  }
}

TEST_CASE("a broadcast of packets shows the numbers of those that came, in the end all") {
  auto const scheme = GENERATE(lockstep::msbt_scheme::optimal, lockstep::msbt_scheme::plain);
  auto const log = watched(lockstep::hypercube{3}, [&](processor& me) {
    std::vector<int> packets(7, me.rank());
    msbt_broadcast(me, std::span(packets), 5, scheme);
    return packets.back();
  });
  for (auto const& [rank, shown] : reference::shown_as(log, "packets")) {
    CHECK(reference::numbers_in(shown.front()).size() == (rank == 5 ? 7U : 0U));
    CHECK(reference::numbers_in(shown.back()).size() == 7);
  }
}

TEST_CASE("a route shows the records that a processor has, and where they go") {
  auto const log = watched(lockstep::hypercube{3},
                           [](processor& me) {
                             using record = lockstep::routed<int>;
                             std::vector<record> const records{
                                 me.rank() % 2 == 1 ? record{me.rank(), me.rank() / 2} : record{}};
                             return concentrate(me, std::span<record const>(records)).size();
                           },
                           {.ports = lockstep::ports::all});
  auto const destinations = reference::shown_as(log, "destinations");
  for (auto const& [rank, shown] : reference::shown_as(log, "records")) {
    auto const last = reference::numbers_in(shown.back());
    REQUIRE(last.size() == (rank < 4 ? 1U : 0U));
    if (rank >= 4) continue;
    CHECK(last.front() == 2 * rank + 1);
    CHECK(reference::numbers_in(destinations.at(rank).back()).front() == rank);
  }
}

TEST_CASE("a combined vector shows the ranks whose vectors are in it") {
  auto const processors = GENERATE(5, 8);
  auto const direction =
      GENERATE(lockstep::scan_direction::upward, lockstep::scan_direction::downward);
  auto const log = watched(lockstep::crossbar{processors}, [&](processor& me) {
    std::vector<int> const mine(16, me.rank());
    return vector_combine(me, std::plus<int>{}, std::span<int const>(mine),
                          {.method = lockstep::vector_method::fold, .direction = direction})
        .size();
  });
  auto const values = reference::shown_as(log, "values of the sum");
  for (auto const& [rank, sums] : values) {
    auto const intervals = reference::shown_as(log, "sum").at(rank);
    REQUIRE(intervals.size() == sums.size() + 1);  // at first its own
    for (std::size_t i = 0; i < sums.size(); ++i)
      for (auto const value : reference::numbers_in(sums[i]))
        CHECK(value ==
              reference::sum_of_ranks(std::get<reference::intervals>(intervals[i + 1]).front()));
  }
}
