#include <lockstep/algorithms/random_access/transportation_in_stages.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/random_access/transportation_traffic.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "random_access/access_samples.hpp"
#include "routing/row_sums.hpp"

using lockstep::transportation_traffic;

namespace {

struct parcel {
  int to = 0;
  int from = 0;
  int number = 0;

  friend bool operator==(parcel const&, parcel const&) = default;
};

/// The elements of all processors, and those for each, by source.
struct parcels {
  std::vector<std::vector<parcel>> sent;
  std::vector<std::vector<parcel>> arriving;
  std::uint64_t r = 0;  ///< most that a processor sends
  std::uint64_t c = 0;  ///< most that a processor receives

  parcels(std::vector<std::uint64_t> const& traffic, std::size_t p)
      : sent(p),
        arriving(p),
        r(std::ranges::max(lockstep::row_sums(traffic, p))),
        c(std::ranges::max(lockstep::column_sums(traffic, p))) {
    for (std::size_t i = 0; i < p; ++i)
      for (std::uint64_t n = 0; n < r; ++n)  // by destinations in turn
        for (std::size_t j = 0; j < p; ++j)
          if (n < traffic[i * p + j]) {
            parcel const one{static_cast<int>(j), static_cast<int>(i), static_cast<int>(n)};
            sent[i].push_back(one);
            arriving[j].push_back(one);
          }
  }
};

auto run_in_stages(parcels const& all, int stages,
                   lockstep::engine engine = lockstep::engine::fibers) {
  return strict_crossbar_of(static_cast<int>(all.sent.size()), engine).run([&](processor& me) {
    auto const& mine = all.sent[static_cast<std::size_t>(me.rank())];
    return lockstep::transportation_in_stages(me, std::span(mine), &parcel::to, stages);
  });
}

/// An upper bound of words that follows the stages: what a processor can hold, and be sent.
std::uint64_t most_words(parcels const& all, std::uint64_t q, std::uint64_t m) {
  std::uint64_t words = 0;
  std::uint64_t held = all.r;
  for (std::uint64_t i = 0; i < m; ++i) {
    auto const message = (held + q - 1) / q;
    words += (q - 1) * message;
    held = q * message;
  }
  for (std::uint64_t i = 0, side = 1; i < m; ++i, side *= q)
    words += (q - 1) * (all.c / q + m * side * (q - 1) + 1);
  return words;
}

std::string refusal(char const* network, int stages) {
  return refusal_of<lockstep::invalid_argument>(
      lockstep::machine(lockstep::parse(network)), [&](processor& me) {
        std::vector<int> const none;
        static_cast<void>(
            lockstep::transportation_in_stages(me, std::span(none), std::identity{}, stages));
      });
}

}  // namespace

TEST_CASE("elements come home by 2, 4 or 6 stages, within the words that are claimed") {
  struct shape {
    int q;
    int m;
  };
  for (auto const& [q, m] : {shape{5, 1}, {2, 2}, {4, 2}, {5, 2}, {2, 3}, {3, 3}}) {
    int p = 1;
    for (int i = 0; i < m; ++i) p *= q;
    lockstep::crossbar const network(p);
    for (auto const traffic : {transportation_traffic::uniform, transportation_traffic::shift,
                               transportation_traffic::random, transportation_traffic::hot,
                               transportation_traffic::gather})
      for (std::int64_t const t : {0, 1, 3, 64}) {
        parcels const all(lockstep::generated_traffic(traffic, p, t, 5),
                          static_cast<std::size_t>(p));
        auto const run = run_in_stages(all, 2 * m);
        INFO("q = " << q << ", m = " << m << ", t = " << t << ": " << run.counts());
        CHECK(run.results() == all.arriving);
        CHECK(run.counts().queued == 0);
        CHECK(run.counts().words <=
              most_words(all, static_cast<std::uint64_t>(q), static_cast<std::uint64_t>(m)));
        for (auto const& claimed :
             lockstep::transportation_in_stages_claims(network, 2 * m, all.r, all.c))
          CHECK(holds(claimed, run.counts()));
      }
  }
}

TEST_CASE("two stages are the transportation, to the word") {
  for (int const p : {2, 5, 8}) {
    parcels const all(lockstep::generated_traffic(transportation_traffic::random, p, 20, 3),
                      static_cast<std::size_t>(p));
    auto const plain = strict_crossbar_of(p).run([&](processor& me) {
      auto const& mine = all.sent[static_cast<std::size_t>(me.rank())];
      return lockstep::transportation(me, std::span(mine), &parcel::to).elements;
    });
    auto const staged = run_in_stages(all, 2);
    CHECK(staged.results() == plain.results());
    auto traffic = staged.counts();
    CHECK(traffic.operations > plain.counts().operations);  // stages sort, and count comparisons
    traffic.operations = plain.counts().operations;
    traffic.work = plain.counts().work;
    CHECK(traffic == plain.counts());
  }
}

TEST_CASE("stages count the same on threads", "[threads]") {
  parcels const all(lockstep::generated_traffic(transportation_traffic::random, 9, 20, 3), 9);
  auto const first = run_in_stages(all, 4);
  auto const again = run_in_stages(all, 4, lockstep::engine::threads);
  CHECK(again.results() == first.results());
  CHECK(again.counts() == first.counts());
}

TEST_CASE("stages for which there are no processors are refused") {
  CHECK_THAT(refusal("crossbar:12", 4),
             has_text("take q^2 processors") && has_text("take 9 or 16"));
  CHECK_THAT(refusal("crossbar:9", 3), has_text("give 2, 4, 6 and so on"));
  CHECK_THAT(refusal("crossbar:9", 0), has_text("give 2, 4, 6 and so on"));
  CHECK_THAT(refusal("hypercube:4", 4), has_text("hypercube:4 is not a crossbar"));
}
