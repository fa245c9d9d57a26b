#include <lockstep/algorithms/exchange/exchange_orders.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all_in_fewest_orders.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "check_claims.hpp"
#include "complaint_of.hpp"
#include "exchange/exchanged_blocks.hpp"
#include "index.hpp"

using lockstep::exchange_schedule;
using lockstep::exchange_scheme;
using lockstep::order_certificate;
using lockstep::processor;

namespace {

/// What the fewest are, by hand and by search.
struct fewest {
  char const* on;
  std::size_t rearrangements;
};

constexpr fewest known[] = {
    {"torus:4x4", 1},         {"torus:8x8", 2},      {"torus:12x12", 3},    {"torus:16x16", 3},
    {"torus:40x24", 3},       {"mesh:4x4", 1},       {"mesh:6x6", 2},       {"mesh:20x8", 2},
    {"torus:4x4x4", 2},       {"torus:8x4x4", 3},    {"torus:8x8x4", 3},    {"torus:4x8x8", 3},
    {"torus:12x4x4", 3},      {"torus:8x8x8", 4},    {"torus:12x12x12", 4}, {"torus:16x12x4", 4},
    {"torus:16x16x4", 4},     {"torus:16x12x12", 5}, {"torus:4x4x4x4", 3},  {"torus:8x8x8x8", 5},
    {"torus:12x12x12x12", 6}, {"mesh:4x4x4", 2},     {"mesh:6x6x6", 3},     {"mesh:8x8x8", 3},
    {"mesh:8x8x8x8", 5}};

order_certificate certificate_on(std::string const& on) {
  return fewest_rearrangements(
      exchange_schedule(*lockstep::parse(on), {.scheme = exchange_scheme::paper}));
}

/// Whether the members of a set of cells lie together.
bool is_together(std::vector<int> const& order, std::set<int> const& cells) {
  auto const is_in = [&](int cell) { return cells.contains(cell); };
  auto const first = std::ranges::find_if(order, is_in);
  auto const last = std::find_if_not(first, order.end(), is_in);
  return std::find_if(last, order.end(), is_in) == order.end();
}

/// Counts the orders of that many cells in which each of the sets lies together.
int orders_that_serve(int cells, std::vector<std::set<int>> const& sets) {
  std::vector<int> order(index(cells));
  std::iota(order.begin(), order.end(), 0);
  int found = 0;
  do {
    if (std::ranges::all_of(sets, [&](auto const& set) { return is_together(order, set); }))
      ++found;
  } while (std::ranges::next_permutation(order).found);
  return found;
}

/// Whether no order can serve these sends, by the two patterns that the exhaustive search below
/// refutes.
bool has_a_refuted_pattern(order_certificate const& of, lockstep::send_range const& range) {
  std::map<int, int> sends_of_part;
  for (auto send = range.first; send <= range.last; ++send) ++sends_of_part[of.sends[send].part];
  auto const with_two =
      std::ranges::count_if(sends_of_part, [](auto const& part) { return part.second >= 2; });
  return sends_of_part.size() >= 3 || with_two >= 2;
}

/// Exchanges blocks of m words with the fewest rearrangements, checked.
lockstep::counts exchanged_on(std::string const& on, int m = 1) {
  lockstep::machine const network{lockstep::parse(on), {.strict = true}};
  exchange_schedule const schedule(network.topology(), {.scheme = exchange_scheme::paper});
  auto const run =
      reference::exchanged_by<int>(network, m, [&](processor& me, std::vector<int> const& blocks) {
        return all_to_all_in_fewest_orders(me, blocks, schedule);
      });
  lockstep::experiment_result result{.record = run, .correct = true};
  result.claims = all_to_all_in_fewest_orders_claims(schedule, static_cast<std::uint64_t>(m));
  reference::check_result(result);
  return run.counts();
}

}  // namespace

TEST_CASE("an order serves three halves, or two sends of each of two rings, nowhere",
          "[exchange]") {
  // Cells by three bits; each send takes those with one bit.
  std::vector<std::set<int>> halves(3);
  for (int cell = 0; cell < 8; ++cell)
    for (int bit = 0; bit < 3; ++bit)
      if ((cell >> bit) % 2 == 1) halves[index(bit)].insert(cell);
  CHECK(orders_that_serve(8, halves) == 0);
  // Two of them: Gray's order, and those like it.
  CHECK(orders_that_serve(4, {{1, 3}, {2, 3}}) > 0);
  // Cells by two distances of 0 to 2; sends take what is 1 or farther, then what is 2.
  std::vector<std::set<int>> rings(4);
  for (int cell = 0; cell < 9; ++cell)
    for (int distance : {1, 2}) {
      if (cell / 3 >= distance) rings[index(distance - 1)].insert(cell);
      if (cell % 3 >= distance) rings[index(distance + 1)].insert(cell);
    }
  CHECK(orders_that_serve(9, rings) == 0);
  // Of one of the two rings a single send: there are orders.
  CHECK(orders_that_serve(6, {{2, 3, 4, 5}, {4, 5}, {1, 3, 5}}) > 0);
}

TEST_CASE("the fewest rearrangements of every size, each with its certificate", "[exchange]") {
  for (auto const& [on, rearrangements] : known) {
    INFO(on);
    auto const certificate = certificate_on(on);
    CHECK(certificate.ranges.size() == rearrangements);
    std::size_t free_from = 0;  // the first place between sends that no range has yet
    for (auto const& range : certificate.ranges) {
      CHECK(range.first < range.last);
      CHECK(range.first >= free_from);
      CHECK(has_a_refuted_pattern(certificate, range));
      CHECK_FALSE(lockstep::one_order_serves(
          std::span(certificate.sends).subspan(range.first, range.last - range.first + 1)));
      free_from = range.last;
    }
    CHECK(free_from < certificate.sends.size());
  }
}

TEST_CASE("n + 1 rearrangements suffice in three dimensions unless sides are long", "[exchange]") {
  for (int a = 4; a <= 24; a += 4)
    for (int b = 4; b <= a; b += 4)
      for (int c = 4; c <= b; c += 4) {
        auto const on = lockstep::torus{{a, b, c}}.spec();
        INFO(on);
        bool const is_long = c >= 12 && a >= 16;
        CHECK((certificate_on(on).ranges.size() > 4) == is_long);
      }
}

TEST_CASE("exchanges with the fewest rearrangements send one piece a message, strict",
          "[exchange][sanitize]") {
  for (std::string const on : {"torus:4x4", "torus:8x8", "torus:8x12", "mesh:4x4", "mesh:6x4",
                               "torus:4x4x4", "mesh:4x4x4"}) {
    INFO(on);
    auto const counts = exchanged_on(on);
    CHECK(counts.rearrangements == certificate_on(on).ranges.size());
    CHECK(counts.contention == 1);
    CHECK(counts.queued == 0);
  }
}

TEST_CASE("exchanges in three and four dimensions take the rearrangements that are proved",
          "[exchange][once]") {
  for (auto const& [on, rearrangements] :
       {fewest{"torus:8x4x4", 3}, fewest{"torus:8x8x4", 3}, fewest{"torus:4x8x8", 3},
        fewest{"torus:12x4x4", 3}, fewest{"torus:8x8x8", 4}, fewest{"torus:16x12x4", 4},
        fewest{"torus:4x4x4x4", 3}, fewest{"mesh:6x6x6", 3}, fewest{"mesh:8x8x8", 3},
        fewest{"mesh:4x6x8", 3}, fewest{"mesh:4x4x4x4", 3}, fewest{"torus:16x16", 3}}) {
    INFO(on);
    CHECK(exchanged_on(on).rearrangements == rearrangements);
  }
  CHECK(exchanged_on("torus:8x8x4", 3).rearranged == 3U * 256 * 3);
}

TEST_CASE("an exchange with the fewest rearrangements counts as the paper's does", "[exchange]") {
  auto const fewest_run = exchanged_on("torus:8x4x8", 2);
  auto const paper =
      reference::exchanged("torus:8x4x8", 2, {.scheme = exchange_scheme::paper}).counts();
  auto as_paper = fewest_run;
  as_paper.rearrangements = paper.rearrangements;
  as_paper.rearranged = paper.rearranged;
  CHECK(as_paper == paper);
  CHECK(fewest_run.rearrangements < paper.rearrangements);
}

TEST_CASE("the paper's rearrangements are not judged for sizes in another order", "[exchange]") {
  auto const verdict_on = [](std::string const& on) {
    exchange_schedule const schedule(*lockstep::parse(on), {.scheme = exchange_scheme::paper});
    for (auto const& claimed : all_to_all_in_fewest_orders_claims(schedule, 1))
      if (claimed.figure == "rearrangements" && claimed.source.starts_with("Suh and Shin"))
        return judge(claimed, 3).verdict;
    return lockstep::claim_verdict::not_run;
  };
  CHECK(verdict_on("torus:8x8x4") == lockstep::claim_verdict::holds);
  CHECK(verdict_on("torus:8x4x8") == lockstep::claim_verdict::outside_the_claim);
}

TEST_CASE("the fewest rearrangements are refused where they are not known", "[exchange]") {
  auto const refusal = [](std::string const& on, lockstep::exchange_choice const& choice) {
    return reference::complaint_of(
        [&] { return fewest_rearrangements(exchange_schedule(*lockstep::parse(on), choice)); });
  };
  CHECK_THAT(refusal("torus:5x5", {}), has_text("the paper's sizes"));
  CHECK_THAT(refusal("torus:8x8", {.scheme = exchange_scheme::stride_2}), has_text("for example"));
  CHECK_THAT(refusal("torus:8x8x4x4", {.groups = {{0, 1}, {2, 3}}}), has_text("one group"));
  CHECK(refusal("mesh:4x4", {}) == "nothing");
}

TEST_CASE("the example of the fewest rearrangements gives what it says", "[exchange]") {
  lockstep::machine const torus{lockstep::torus{{4, 4, 4}}, {.strict = true}};
  exchange_schedule const schedule(torus.topology());
  auto const run = torus.run([&](processor& me) {
    std::vector<int> blocks(64);
    for (int to = 0; to < 64; ++to) blocks[index(to)] = 1000 * me.rank() + to;
    return all_to_all_in_fewest_orders(me, blocks, schedule);
  });
  CHECK(run.results()[5][7] == 7005);
  CHECK(run.counts().rearrangements == 2);
  CHECK(text_of(fewest_rearrangements(schedule), schedule) ==
        "2 at least, with messages stored as they come: no order serves sends 2 to 4, 4 to 6 of "
        "node (0, 0, 0)");
}
