#include <lockstep/algorithms/routing/queued_route.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "catch.hpp"
#include "routing/hypercube_routing.hpp"

using lockstep::bit_fixing_pattern;
using lockstep::hypercube;
using lockstep::processor;
using lockstep::route;
using lockstep::routed;

namespace {

using values = std::vector<std::optional<int>>;

constexpr int nowhere = routed<int>::nowhere;
constexpr std::array all_routes{route::concentration, route::inverse_concentration,
                                route::monotone};

/// The destinations of the records of all processors, k of each.
struct sent_records {
  int d = 0;
  std::size_t k = 0;
  std::vector<int> to{};

  [[nodiscard]] int processors() const { return 1 << d; }
  [[nodiscard]] bit_fixing_pattern pattern(route which) const { return {d, which, k, to}; }
  [[nodiscard]] std::vector<routed<int>> of(int rank) const {
    std::vector<routed<int>> mine;
    for (std::size_t j = 0; j < k; ++j)
      mine.push_back({static_cast<int>(index(rank) * k + j), to[index(rank) * k + j]});
    return mine;
  }
  [[nodiscard]] values expected_at(int rank) const {
    values expected(k);
    for (std::size_t i = 0; i < to.size(); ++i)
      if (to[i] == rank) expected[i % k] = static_cast<int>(i);
    return expected;
  }
  [[nodiscard]] std::uint64_t links() const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < to.size(); ++i)
      if (to[i] != nowhere)
        all += static_cast<std::uint64_t>(std::popcount(i / k ^ static_cast<std::size_t>(to[i])));
    return all;
  }
};

std::vector<int> some_ranks(int p, int count, std::mt19937& random) {
  std::vector<int> some;
  auto const all = ranks_below(p);
  std::sample(all.begin(), all.end(), std::back_inserter(some), count, random);
  return some;
}

sent_records random_records(route which, int d, std::size_t k, unsigned seed) {
  std::mt19937 random(seed);
  sent_records made{d, k, std::vector<int>((std::size_t{1} << d) * k, nowhere)};
  int const p = made.processors();
  for (std::size_t j = 0; j < k; ++j) {
    auto const count = static_cast<int>(random() % (static_cast<unsigned>(p) + 1));
    auto const from =
        which == route::inverse_concentration ? ranks_below(count) : some_ranks(p, count, random);
    auto const to =
        which == route::concentration ? ranks_below(count) : some_ranks(p, count, random);
    for (int i = 0; i < count; ++i) made.to[index(from[index(i)]) * k + j] = to[index(i)];
  }
  return made;
}

/// Record 2i + 1 of each instance goes to processor i.
sent_records odd_records(int d, std::size_t k) {
  sent_records made{d, k, std::vector<int>((std::size_t{1} << d) * k, nowhere)};
  for (int rank = 1; rank < made.processors(); rank += 2)
    for (std::size_t j = 0; j < k; ++j) made.to[index(rank) * k + j] = rank / 2;
  return made;
}

auto queued_program(sent_records const& sent, bit_fixing_pattern const& pattern) {
  return [&](processor& me) {
    auto const mine = sent.of(me.rank());
    return lockstep::queued_route(me, std::span<routed<int> const>(mine), pattern);
  };
}

lockstep::counts routed_counts(route which, sent_records const& sent,
                               lockstep::machine_options const& options = {}) {
  auto const pattern = sent.pattern(which);
  lockstep::machine const on{hypercube{sent.d}, options};
  auto const run = on.run(queued_program(sent, pattern));
  INFO(name_of(which) << ", d = " << sent.d << ", k = " << sent.k);
  int misplaced = 0;
  for (int rank = 0; rank < on.size(); ++rank)
    if (run.results()[index(rank)] != sent.expected_at(rank)) ++misplaced;
  CHECK(misplaced == 0);
  CHECK(run.counts().messages == sent.links());
  check_claims(lockstep::queued_route_claims(pattern), run.counts());
  return run.counts();
}

std::string refusal(sent_records const& sent, bit_fixing_pattern const& pattern, int d) {
  return refusal_on(lockstep::machine(hypercube{d}),
                    [&](processor& me) { static_cast<void>(queued_program(sent, pattern)(me)); });
}

}  // namespace

TEST_CASE("records of k routes pass through queues, a message for each link, with one port or all",
          "[routing]") {
  for (auto const which : all_routes)
    for (int d = 0; d <= 6; ++d)
      for (std::size_t const k : {1U, 2U, 9U})
        for (unsigned seed = 0; seed < 4; ++seed)
          for (auto const with : {lockstep::ports::one, lockstep::ports::all})
            routed_counts(which, random_records(which, d, k, seed), {.ports = with});
}

TEST_CASE("queued routes take the same steps on every engine", "[routing][threads]") {
  for (auto const which : all_routes) {
    auto const sent = random_records(which, 4, 5, 7);
    auto const first = routed_counts(which, sent, {.workers = 1});
    for (auto const& options : on_all_engines({}))
      CHECK(routed_counts(which, sent, options) == first);
  }
}

TEST_CASE(
    "k concentrations from the odd processors take fewer steps by queues than one after another",
    "[routing]") {
  for (int const d : {4, 6, 8}) {
    std::size_t const k = 32;
    auto const sent = odd_records(d, k);
    auto const counts = routed_counts(route::concentration, sent);
    INFO("d = " << d << ": " << counts);
    CHECK(counts.steps < k * static_cast<std::size_t>(d));
    CHECK(counts.steps * static_cast<std::size_t>(sent.processors()) >= sent.links());
  }
}

TEST_CASE("one record crosses dimensions from the lowest, or back from the highest", "[routing]") {
  std::vector<int> const to{7, nowhere, nowhere, nowhere, nowhere, nowhere, nowhere, nowhere};
  bit_fixing_pattern const up(3, route::concentration, 1, to);
  CHECK(up.next(0, 7) == 1);
  CHECK(up.next(1, 7) == 3);
  CHECK(up.next(3, 7) == 7);
  CHECK(up.coming_to(3) == 1);
  CHECK(up.coming_to(2) == 0);
  CHECK(up.links() == 3);
  bit_fixing_pattern const down(3, route::inverse_concentration, 1, to);
  CHECK(down.next(0, 7) == 4);
  CHECK(down.coming_to(6) == 1);
}

TEST_CASE("records of another pattern are refused", "[routing]") {
  sent_records const sent{1, 1, {1, nowhere}};
  auto const pattern_for = [](int d, std::size_t k, std::vector<int> const& to) {
    return bit_fixing_pattern(d, route::monotone, k, to);
  };
  CHECK_THROWS_WITH(pattern_for(31, 1, {}), has_text("is not in 0 to 30"));
  CHECK_THROWS_WITH(pattern_for(1, 2, {0, 1}),
                    has_text("2 destinations are given for 2 processors with 2 records each"));
  CHECK_THROWS_WITH(pattern_for(1, 1, {0, 2}), has_text("destination 2 is not a rank"));
  CHECK_THAT(refusal({2, 1, {1, nowhere, nowhere, nowhere}}, pattern_for(1, 1, sent.to), 2),
             has_text("made for hypercube:1, not for hypercube:2"));
  CHECK_THAT(refusal(sent, pattern_for(1, 1, {nowhere, 0}), 1),
             has_text("made for other records of processor 0"));
  sent_records const met{1, 1, {1, 1}};
  CHECK_THAT(refusal(met, pattern_for(1, 1, met.to), 1),
             has_text("two records of instance 0 go to processor 1"));
}
