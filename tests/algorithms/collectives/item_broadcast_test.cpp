#include <lockstep/algorithms/collectives/item_broadcast.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/judgement.hpp>

#include "catch.hpp"
#include "check_claims.hpp"
#include "collectives/collective_samples.hpp"
#include "complaint_of.hpp"

using lockstep::bdm_machine;
using lockstep::processor;
using item_parts = std::vector<int>;

namespace {

std::uint64_t time_of_item(bdm_machine const& on, lockstep::counts const& counted) {
  return counted.startups * on.tau + counted.words;
}

/// Broadcasts 42 in these phases; every processor has to get it.
lockstep::counts item_counts(bdm_machine const& on, item_parts const& parts, int root = 0) {
  auto const run = reference::strict_crossbar(on.p, on.packet).run([&](processor& me) {
    return broadcast_item(me, me.rank() == root ? 42 : 0, {.parts = parts, .root = root});
  });
  for (auto const got : run.results()) CHECK(got == 42);
  CHECK(run.counts().queued == 0);
  return run.counts();
}

/// Finds the least time going forwards, from one processor that has the item to more.
std::uint64_t least_time_of_item(bdm_machine const& on) {
  auto const p = static_cast<std::uint64_t>(on.p);
  std::vector<std::uint64_t> least(p + 1, std::numeric_limits<std::uint64_t>::max());
  least[1] = 0;
  for (std::uint64_t have = 1; have < p; ++have)
    for (std::uint64_t sent = 1; sent < p && least[have] != least[0]; ++sent) {
      auto& then = least[std::min(have * (sent + 1), p)];
      then = std::min(then, least[have] + on.tau + sent * on.packet);
    }
  return least[p];
}

std::vector<bdm_machine> machines_of_items() {
  std::vector<bdm_machine> all;
  for (int const p : {1, 2, 3, 4, 5, 8, 9, 13, 27, 60, 66, 100})
    for (std::uint64_t const tau : {0U, 1U, 4U, 16U, 1000U})
      for (std::uint64_t const m : {1U, 4U, 7U}) all.push_back({p, tau, m});
  return all;
}

}  // namespace

TEST_CASE("the cheapest broadcast of an item takes the least time of all phases, as is claimed",
          "[sanitize]") {
  for (auto const& on : machines_of_items()) {
    INFO("p = " << on.p << ", tau = " << on.tau << ", m = " << on.packet);
    auto const parts = lockstep::cheapest_broadcast(on);
    auto const counted = item_counts(on, parts, on.p / 2);
    CHECK(time_of_item(on, counted) == least_time_of_item(on));
    CHECK(counted.messages == static_cast<std::uint64_t>(on.p) - 1);
    CHECK(reference::check_claims(lockstep::item_broadcast_claims(on, parts), counted) == 0);
  }
}

TEST_CASE("one phase is the cheapest where k = tau/m + 1 takes half as long again") {
  bdm_machine const on{66, 1024, 16};
  CHECK(lockstep::cheapest_broadcast(on) == item_parts{66});
  CHECK(time_of_item(on, item_counts(on, lockstep::cheapest_broadcast(on))) == 2064);
  CHECK(time_of_item(on, item_counts(on, {65, 65})) == 3088);
  CHECK(lockstep::cheapest_broadcast({8, 4, 1}) == item_parts{8});
  CHECK(lockstep::cheapest_broadcast({72, 16, 1}) == item_parts{9, 8});
  CHECK(lockstep::cheapest_broadcast({1, 16, 1}).empty());
  CHECK(lockstep::cheapest_broadcast({1 << 25, 0, 1}) == item_parts(25, 2));
}

TEST_CASE("of phases of an item that take the same time the fewest are the cheapest") {
  for (auto const& parts : {item_parts{4}, {2, 2}})
    CHECK(time_of_item({4, 1, 1}, item_counts({4, 1, 1}, parts)) == 4);
  CHECK(lockstep::cheapest_broadcast({4, 1, 1}) == item_parts{4});
  for (auto const& parts : {item_parts{3}, {2, 2}})
    CHECK(time_of_item({3, 0, 1}, item_counts({3, 0, 1}, parts)) == 2);
  CHECK(lockstep::cheapest_broadcast({3, 0, 1}) == item_parts{3});
}

TEST_CASE("Theorem 3.1 is claimed of its own phases, and of any that take the least time") {
  auto const verdict = [](bdm_machine const& on,
                          item_parts const& parts) -> std::optional<lockstep::claim_verdict> {
    auto const claims = lockstep::item_broadcast_claims(on, parts);
    auto const found =
        std::ranges::find(claims, "JaJa and Ryu 1994, Theorem 3.1", &lockstep::claim::source);
    if (found == claims.end()) return std::nullopt;
    return lockstep::judge(*found, item_counts(on, parts)).verdict;
  };
  using enum lockstep::claim_verdict;
  CHECK(verdict({64, 16, 8}, {3, 3, 3, 3}) == holds);  // k = 3: 128 of 128
  CHECK(verdict({64, 16, 8}, {4, 4, 4}) == holds);     // 120
  CHECK(verdict({66, 1024, 16}, {65, 65}) == holds);
  CHECK(verdict({72, 16, 1}, {9, 8}) == holds);
  CHECK(verdict({72, 16, 1}, {8, 9}) == holds);
  CHECK(verdict({72, 16, 1}, {72}) == std::nullopt);
  CHECK(verdict({5, 3, 2}, {2, 2, 2}) == outside_the_claim);  // m does not divide tau
}

TEST_CASE("the least broadcast keeps both bounds of Theorem 3.1, and its Claim holds") {
  for (int p = 2; p <= 3000; p += p < 100 ? 1 : 97)
    for (std::uint64_t const r : {1U, 2U, 3U, 10U, 64U, 1000U})
      for (std::uint64_t const m : {1U, 16U}) {
        INFO("p = " << p << ", tau = " << r * m << ", m = " << m);
        auto const parts = lockstep::cheapest_broadcast({p, r * m, m});
        double time = 0;
        for (auto const k : parts)
          time += static_cast<double>((r + static_cast<unsigned>(k) - 1) * m);
        auto const each = static_cast<double>(r * m) / std::log2(static_cast<double>(r + 2)) +
                          static_cast<double>(m);
        CHECK(time >= each * std::log2(p));
        std::uint64_t phases = 0;
        for (std::uint64_t have = 1; have < static_cast<unsigned>(p); have *= r + 1) ++phases;
        CHECK(time <= static_cast<double>(2 * r * m * phases));
        auto const k = static_cast<double>(p);
        CHECK((static_cast<double>(r * m) + k * static_cast<double>(m)) / std::log2(k + 1) >= each);
      }
}

TEST_CASE("an item goes in any phases that reach all, and their counts are claimed") {
  for (auto const& parts : {item_parts{2, 3, 5}, {5, 3, 2}, {30}, {2, 2, 2, 2, 2, 2}, {40, 7}})
    for (int const p : {3, 7, 29, 30}) {
      bdm_machine const on{p, 16, 4};
      CHECK(reference::check_claims(lockstep::item_broadcast_claims(on, parts),
                                    item_counts(on, parts)) == 0);
    }
  auto const by = [](lockstep::access how) {
    return reference::strict_crossbar(9).run([how](processor& me) {
      return broadcast_item(me, me.rank(), {.parts = {3, 3}, .root = 8, .how = how});
    });
  };
  auto const messages = by(lockstep::access::messages);
  for (auto const how : {lockstep::access::reads, lockstep::access::writes}) {
    CHECK(by(how).results() == std::vector(9, 8));
    CHECK(by(how).counts() == messages.counts());
  }
}

TEST_CASE("phases of an item that do not reach all are refused") {
  auto const complaint = [](item_parts const& parts, int root = 0) {
    return reference::complaint_of([&] {
      static_cast<void>(reference::strict_crossbar(8).run(
          [&](processor& me) { return broadcast_item(me, 1, {.parts = parts, .root = root}); }));
    });
  };
  CHECK_THAT(complaint({2, 3}), has_text("2 phases reach 6 of 8 processors; give more parts"));
  CHECK_THAT(complaint({}), has_text("0 phases reach 1 of 8 processors"));
  CHECK_THAT(complaint({8, 1}), has_text("k >= 2 parts, not 1"));
  CHECK_THAT(complaint({8}, 8), has_text("there is no processor 8 to be the root"));
  CHECK_THROWS_AS(lockstep::item_broadcast_claims({8, 16, 1}, {7}), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::cheapest_broadcast({0, 16, 1}), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::cheapest_broadcast({8, 16, 0}), lockstep::invalid_argument);
  auto const most = std::numeric_limits<std::uint64_t>::max();
  CHECK_THROWS_AS(lockstep::cheapest_broadcast({8, most, 1}), lockstep::invalid_argument);
}
