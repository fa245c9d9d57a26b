#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies.hpp>

#include "catch.hpp"
#include "refusal_of.hpp"

namespace {

using lockstep::invalid_argument;
using lockstep::processor;

constexpr std::uint8_t beyond = 200;

/// What each processor's call says.
template <class Network, class Program>
[[nodiscard]] std::string said_on(Network const& network, Program const& program) {
  return refusal_of<invalid_argument>(lockstep::machine{network}, program);
}

lockstep::crossbar const crossbar{4};
lockstep::hypercube const cube{2};
lockstep::monoid const sum{0, std::plus<int>{}};

std::string const accesses =
    "access is 200: take one of access::messages, access::reads, access::writes";
std::string const rules =
    "block_rule is 200: take one of block_rule::real, block_rule::bound, block_rule::text, "
    "block_rule::appendix, block_rule::exact";
std::string const kinds =
    "prefix_kind is 200: take one of prefix_kind::inclusive, prefix_kind::exclusive, "
    "prefix_kind::backward, prefix_kind::backward_exclusive";

}  // namespace

TEST_CASE("collectives refuse a scheme or an access that there is not", "[algorithms][sanitize]") {
  lockstep::collective_options const no_scheme{.scheme = lockstep::collective_scheme{beyond}};
  lockstep::collective_options const no_access{.how = lockstep::access{beyond}};
  std::string const schemes =
      "collective_scheme is 200: take one of collective_scheme::transpose, "
      "collective_scheme::direct, collective_scheme::k_ary, collective_scheme::automatic, "
      "collective_scheme::binomial, collective_scheme::ring, collective_scheme::bucket, "
      "collective_scheme::recursive_doubling, collective_scheme::halving_doubling, "
      "collective_scheme::bruck, collective_scheme::dissemination, collective_scheme::circulant, "
      "collective_scheme::tree, collective_scheme::two_way";
  for (auto const& [options, says] :
       {std::pair(no_scheme, schemes), std::pair(no_access, accesses)}) {
    CHECK(said_on(crossbar, [&](processor& me) { return lockstep::broadcast(me, 1, options); }) ==
          says);
    CHECK(said_on(crossbar, [&](processor& me) {
            return lockstep::all_reduce(me, std::plus<int>{}, 1, options);
          }) == says);
    CHECK(said_on(crossbar, [&](processor& me) {
            return lockstep::reduce(me, std::plus<int>{}, 1, options);
          }) == says);
  }
  std::vector<int> const block(4, 1);
  CHECK(said_on(crossbar, [&](processor& me) {
          return lockstep::transpose(me, block, lockstep::access{beyond});
        }) == accesses);
  CHECK(said_on(crossbar, [&](processor& me) {
          return lockstep::transpose_blocks(me, block, lockstep::access{beyond});
        }) == accesses);
  CHECK(said_on(crossbar, [&](processor& me) {
          return lockstep::all_gather(me, 1, {.how = lockstep::access{beyond}});
        }) == accesses);
  CHECK(refusal_of_call([] {
          return lockstep::pieces(5, 2, lockstep::piece_sizes{beyond}).size(0);
        }) == "piece_sizes is 200: take one of piece_sizes::even, piece_sizes::larger_first");
}

TEST_CASE("prefixes refuse a kind or a scheme that there is not", "[algorithms][sanitize]") {
  lockstep::prefix_kind const none{beyond};
  CHECK(said_on(cube, [&](processor& me) { return lockstep::prefix(me, sum, 1, none); }) == kinds);
  CHECK(said_on(cube, [&](processor& me) {
          return lockstep::block_prefix(me, sum, std::vector<int>{1, 2}, none);
        }) == kinds);
  lockstep::prefix_schedule const schedule(cube, lockstep::pipelined_scheme::halving);
  CHECK(said_on(cube, [&](processor& me) {
          return lockstep::pipelined_prefix(me, sum, std::vector<int>{1, 2}, schedule, none);
        }) == kinds);
  CHECK_THAT(refusal_of_call([] {
               return lockstep::prefix_schedule(cube, lockstep::pipelined_scheme{beyond});
             }),
             has_text("pipelined_scheme is 200: take one of pipelined_scheme::lagged, "));
  CHECK(refusal_of_call([] {
          return lockstep::fastest_schemes(cube, 3, lockstep::ports{beyond});
        }) == "ports is 200: take one of ports::one, ports::all, ports::per_pass");
}

TEST_CASE("routing refuses choices that there are not", "[algorithms][sanitize]") {
  using namespace lockstep;
  std::vector<int> const elements{1, 2};
  auto const to_0 = [](int) { return 0; };
  auto const in_rounds = [&](round_order order, round_timing timing) {
    return said_on(::crossbar, [&](processor& me) {
      return h_relation_direct(me, std::span(elements), to_0, order, timing);
    });
  };
  std::string const orders = "round_order is 200: take one of round_order::pex, round_order::lp";
  CHECK(in_rounds(round_order{beyond}, round_timing::stepwise) == orders);
  CHECK(in_rounds(round_order::lp, round_timing{beyond}) ==
        "round_timing is 200: take one of round_timing::stepwise, round_timing::pipelined");
  CHECK(refusal_of_call([] { return rounds_of(round_order{beyond}, 4); }) == orders);
  CHECK(refusal_of_call([] { return partners_in(round_order{beyond}, 1, 0, 4).to; }) == orders);

  CHECK(said_on(::crossbar, [&](processor& me) {
          return h_relation(me, std::span(elements), to_0, {.rule = block_rule{beyond}});
        }) == rules);
  CHECK(refusal_of_call([] { return blocks_of(block_rule{beyond}, {}, 4).out; }) == rules);
  CHECK(refusal_of_call([] { return has_number_slot(block_rule{beyond}); }) == rules);
  CHECK(refusal_of_call([] { return room_in(block_rule{beyond}, 4); }) == rules);

  CHECK_THAT(refusal_of_call([] { return generated_h_relation(h_pattern{beyond}, {}); }),
             has_text("h_pattern is 200: take one of h_pattern::family, h_pattern::ramp, "));
  std::string const schemes =
      "msbt_scheme is 200: take one of msbt_scheme::optimal, "
      "msbt_scheme::plain";
  CHECK(refusal_of_call([] { return msbt_schedule(cube, 3, msbt_scheme{beyond}).steps(); }) ==
        schemes);
  CHECK(refusal_of_call([] { return msbt_claims(cube, 3, msbt_scheme{beyond}); }) == schemes);
  CHECK(refusal_of_call([] { return route_claims(cube, route{beyond}, 3); }) ==
        "route is 200: take one of route::concentration, route::inverse_concentration, "
        "route::monotone");
}

TEST_CASE("sorting and exchanges refuse choices that there are not", "[algorithms][sanitize]") {
  using namespace lockstep;
  CHECK_THAT(refusal_of_call([] { return generated_keys(key_distribution{beyond}, 10, 2); }),
             has_text("key_distribution is 200: take one of key_distribution::random, "));
  CHECK(said_on(::crossbar, [](processor& me) {
          return counting_sort(me, std::vector<int>{3, 1}, std::identity{}, 8, block_rule{beyond});
        }) == rules);
  CHECK(refusal_of_call([] { return counting_sort_claims(10, 2, 4, block_rule{beyond}); }) ==
        rules);
  CHECK(refusal_of_call([] { return radix_sort_claims(10, 2, 32, 4, block_rule{beyond}); }) ==
        rules);
  exchange_choice const none{.scheme = exchange_scheme{beyond}};
  torus const network{{4, 4}};
  std::string const schemes =
      "exchange_choice::scheme is 200: take one of exchange_scheme::paper, "
      "exchange_scheme::virtual_nodes, exchange_scheme::stride_2";
  CHECK(refusal_of_call([&] { return exchange_schedule(network, none).choice(); }) == schemes);
  CHECK(refusal_of_call([&] { return exchange_schedule::unsupported_reason(network, none); }) ==
        schemes);
}
