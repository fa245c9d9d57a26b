#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/algorithms/routing/h_relation_direct.hpp>
#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include "catch.hpp"
#include "routing/h_relation_samples.hpp"

// What all ways of routing an h-relation have in common.

using lockstep::block_rule;
using lockstep::processor;
using lockstep::round_order;
using lockstep::round_timing;

namespace {

using own_parcels = std::span<parcel const>;
using way_to_route = std::vector<parcel> (*)(processor&, own_parcels);

template <block_rule Rule>
std::vector<parcel> route_in_two_phases(processor& me, own_parcels mine) {
  return h_relation(me, mine, &parcel::home, {.rule = Rule, .limits = {400, 400}}).elements;
}

template <round_order Order, round_timing Timing>
std::vector<parcel> route_directly(processor& me, own_parcels mine) {
  return h_relation_direct(me, mine, &parcel::home, Order, Timing);
}

template <bool RealSizes>
std::vector<parcel> route_at_random(processor& me, own_parcels mine) {
  return randomized_routing(me, mine, &parcel::home, {.slot = 400, .real_sizes = RealSizes})
      .elements;
}

constexpr std::pair<char const*, way_to_route> ways[] = {
    {"two phases, real", route_in_two_phases<block_rule::real>},
    {"two phases, bound", route_in_two_phases<block_rule::bound>},
    {"two phases, text", route_in_two_phases<block_rule::text>},
    {"pex, stepwise", route_directly<round_order::pex, round_timing::stepwise>},
    {"pex, pipelined", route_directly<round_order::pex, round_timing::pipelined>},
    {"lp, stepwise", route_directly<round_order::lp, round_timing::stepwise>},
    {"lp, pipelined", route_directly<round_order::lp, round_timing::pipelined>},
    {"at random, padded", route_at_random<false>},
    {"at random, real", route_at_random<true>}};

}  // namespace

TEST_CASE("every way of routing brings each element where it goes, alike on both engines",
          "[threads][sanitize]") {
  for (auto const& [name, way] : ways)
    for (int const p : {4, 6}) {
      INFO(name << ", p = " << p);
      auto const all = random_parcels(p, 20, static_cast<std::uint32_t>(p));
      auto const on_fibers = run_routing(all, way);
      auto const on_threads = run_routing(all, way, {.engine = lockstep::engine::threads});
      CHECK(sorted(on_fibers.results()) == lockstep::by_destination(all));
      CHECK(on_threads.results() == on_fibers.results());
      CHECK(on_threads.counts() == on_fibers.counts());
    }
}

TEST_CASE("every way of routing refuses a destination that is not a rank") {
  for (auto const& [name, way] : ways) {
    INFO(name);
    CHECK(refusal_to_route({{{1, 0, 0}}, {{0, 1, 0}}}, way) == "not refused");
    CHECK_THAT(refusal_to_route({{{0, 0, 0}, {2, 0, 1}}, {}}, way),
               has_text("its element 1 to processor 2"));
    CHECK_THAT(refusal_to_route({{{-1, 0, 0}}, {}}, way),
               has_text("its element 0 to processor -1"));
  }
}

TEST_CASE("the examples of routing give what they say") {
  struct person {
    int home;
    int age;
  };
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const check = [&](auto const& route, std::uint64_t arrived, std::uint64_t words) {
    auto const run = machine.run([&](processor& me) { return std::size_t{route(me)}; });
    CHECK(run.results()[0] == arrived);
    CHECK(run.counts().words == words);
  };
  auto const eight = [](processor const& me) {
    return std::vector<person>(8, person{0, me.rank()});
  };
  check(
      [&](processor& me) {
        auto const people = eight(me);
        return h_relation(me, std::span<person const>(people), &person::home).elements.size();
      },
      32, 30);
  check(
      [&](processor& me) {
        auto const people = eight(me);
        return h_relation_direct(me, std::span<person const>(people), &person::home).size();
      },
      32, 24);
  check(
      [](processor& me) {
        std::vector<person> people;
        for (int i = 0; i < 64; ++i) people.push_back({i % 4, i});
        auto const slot = lockstep::randomized_slot(256, 4, 3);
        return randomized_routing(me, std::span<person const>(people), &person::home, {slot})
            .elements.size();
      },
      64, 288);
}
