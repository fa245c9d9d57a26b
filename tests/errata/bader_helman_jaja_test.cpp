#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include <lockstep/algorithms/collectives/transpose.hpp>
#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "deterministic_routing.hpp"
#include "relation_matrix.hpp"

// What Bader, Helman and JaJa 1996 print of routing (section 3, Appendix B), and the same put
// right.

using as_printed::block_sizes;
using as_printed::largest_bin_0;
using as_printed::relation_matrix;
using as_printed::routed_element;
using as_printed::tight_relation;
using lockstep::machine;
using lockstep::processor;

namespace {

machine strict_crossbar(std::size_t p) {
  return machine(lockstep::crossbar{static_cast<int>(p)}, {.strict = true});
}

/// Everything that came, processor by processor.
std::vector<std::vector<routed_element>> arrived_by(relation_matrix const& n,
                                                    block_sizes const& sizes,
                                                    std::uint64_t& without_slot) {
  auto const run = strict_crossbar(n.size()).run([&](processor& me) {
    auto const mine = as_printed::elements_of(n, me.rank());
    return as_printed::route(me, mine, sizes);
  });
  without_slot = 0;
  std::vector<std::vector<routed_element>> arrived;
  for (auto const& one : run.results()) {
    without_slot += one.without_slot;
    arrived.push_back(one.arrived);
  }
  return arrived;
}

std::uint64_t without_slot(relation_matrix const& n, block_sizes const& sizes) {
  std::uint64_t count = 0;
  auto const arrived = arrived_by(n, sizes, count);
  std::size_t lost = 0;
  for (std::size_t j = 0; j < n.size(); ++j) {
    for (auto const& row : n) lost += row[j];
    lost -= arrived[j].size();
  }
  CHECK(lost == count);
  return count;
}

/// floor(x/p + (p - 1)/2) elements, and a slot for their number.
block_sizes sufficient_sizes(std::size_t h, std::size_t p) {
  auto const slots = lockstep::largest_bin(h, static_cast<int>(p)) + 1;
  return {slots, slots};
}

/// The largest bin of a deal, of any processor.
std::uint64_t largest_bin_of(relation_matrix const& n) {
  auto const run = strict_crossbar(n.size()).run([&](processor& me) {
    auto const mine = as_printed::elements_of(n, me.rank());
    return h_relation(me, std::span(mine), &routed_element::address).largest_bin_out;
  });
  return std::ranges::max(run.results());
}

/// The largest bin 0 of processor 0 of four, over all ways to have that many elements.
std::size_t largest_of_all_deals_to_4(std::size_t elements) {
  std::size_t largest = 0;
  std::array<std::size_t, 4> to{};
  for (to[0] = 0; to[0] <= elements; ++to[0])
    for (to[1] = 0; to[0] + to[1] <= elements; ++to[1])
      for (to[2] = 0; to[0] + to[1] + to[2] <= elements; ++to[2]) {
        to[3] = elements - to[0] - to[1] - to[2];
        std::size_t bin = 0;
        for (std::size_t j = 0; j < 4; ++j)  // multiples of 4 among j .. j + to[j] - 1
          bin += (j + to[j] + 3) / 4 - (j + 3) / 4;
        largest = std::max(largest, bin);
      }
  return largest;
}

/// Rounds of a direct exchange of single words by PEX, all processors aligned.
std::uint64_t rounds_of_pex(int p, int rounds) {
  auto const run = strict_crossbar(static_cast<std::size_t>(p)).run([&](processor& me) {
    int met = 0;
    for (int k = 1; k <= rounds; ++k) {
      int const partner = me.rank() ^ k;
      if (partner < p) {
        met += me.exchange(partner, 1);
      } else {
        me.idle();
      }
    }
    return met;
  });
  for (int const met : run.results()) CHECK(met <= p - 1);
  if (std::accumulate(run.results().begin(), run.results().end(), 0) < p * (p - 1)) return 0;
  return run.counts().rounds;
}

}  // namespace

TEST_CASE("Bader Helman JaJa 5: the second blocks lack a slot for their number", "[errata]") {
  auto const tight = tight_relation(3, 2);  // n/p = h = 9
  auto const printed = as_printed::printed_sizes(9, 9, 3);
  CHECK(printed.first == 5);
  CHECK(printed.second == 4);  // slot 0 and three elements
  CHECK(without_slot(tight, printed) > 0);
  CHECK(without_slot(tight, sufficient_sizes(9, 3)) == 0);
  CHECK(sufficient_sizes(9, 3).second == 5);
}

TEST_CASE("Bader Helman JaJa 5: for odd p where h mod p < p/2, for even p where it is not",
          "[errata]") {
  auto const bound = [](std::size_t h, std::size_t p) {
    return lockstep::largest_bin(h, static_cast<int>(p));
  };
  for (std::size_t p = 1; p <= 16; ++p)
    for (std::size_t h = 0; h <= 4 * p; ++h) {
      auto const printed = as_printed::printed_sizes(h, h, p);
      bool const lacks_slot = p % 2 == 1 ? 2 * (h % p) < p : 2 * (h % p) >= p;
      INFO("p = " << p << ", h = " << h);
      CHECK((printed.second < bound(h, p) + 1) == lacks_slot);
      CHECK(printed.first >= bound(h, p) + 1);
      if (p % 2 == 0 && h % p == 0) CHECK(printed.first == bound(h, p) + 2);  // one too many
    }
  // One element of two processors: the only slot is that of the number.
  CHECK(without_slot({{0, 1}, {0, 0}}, as_printed::printed_sizes(1, 1, 2)) == 1);
  CHECK(without_slot({{0, 1}, {0, 0}}, sufficient_sizes(1, 2)) == 0);
}

TEST_CASE("Bader Helman JaJa 6: elements arrive in another order than that of their sources",
          "[errata]") {
  std::uint64_t lost = 0;
  auto const all_to_0 = arrived_by({{2, 0}, {2, 0}}, sufficient_sizes(4, 2), lost);
  std::vector<int> data;
  for (auto const& one : all_to_0[0]) data.push_back(one.data);
  CHECK(lost == 0);
  CHECK(data == std::vector{0, 1001, 1, 1000});
  // Step 5, which Algorithm 1 leaves out: by a place that travels with the element.
  std::vector<int> placed(4);
  for (int const each : data) {
    int const place = each / 1000 * 2 + each % 1000;
    placed[static_cast<std::size_t>(place)] = each;
  }
  CHECK(placed == std::vector{0, 1, 1000, 1001});
}

TEST_CASE("Bader Helman JaJa 7: PEX takes more rounds if p is not a power of two", "[errata]") {
  CHECK(rounds_of_pex(5, 4) == 0);  // in the printed ones not everybody has met everybody
  CHECK(rounds_of_pex(5, 7) == 7);
  CHECK(rounds_of_pex(9, 14) == 0);
  CHECK(rounds_of_pex(9, 15) == 15);
  CHECK(rounds_of_pex(8, 7) == 7);  // k = 0 is local
  machine const five(lockstep::crossbar{5});
  CHECK_THROWS_AS(five.run([](processor& me) { return me.exchange(me.rank() ^ 4, 1); }),
                  lockstep::invalid_rank);
}

TEST_CASE("Bader Helman JaJa 7: j sends to i in iteration (i - j) mod p of LP, not (j - i)",
          "[errata]") {
  int const p = 5;
  auto const exchange = [&](int direction) {
    return strict_crossbar(5).run([&](processor& me) {
      int received = 0;
      for (int k = 1; k < p; ++k) {
        me.send((me.rank() + k) % p, 1);
        received += me.receive_value<int>((me.rank() + p + direction * k) % p);
      }
      return received;
    });
  };
  // P_i sends to P_j in iteration (i - j) mod p: then P_i waits for i + k in iteration k.
  CHECK_THROWS_AS(exchange(1), lockstep::deadlock);
  CHECK(exchange(-1).results() == std::vector(5, p - 1));
}

TEST_CASE("Bader Helman JaJa 8: offsets need everybody's histogram, or a scan", "[errata]") {
  constexpr std::size_t p = 8;
  using numbers = std::vector<std::uint64_t>;
  auto const histogram = [](processor const& me) {
    numbers counts(p);
    for (std::size_t j = 0; j < p; ++j)
      counts[j] = (3 * j + static_cast<std::size_t>(me.rank())) % 7;
    return counts;
  };
  auto const gathered = strict_crossbar(p).run([&](processor& me) {
    numbers copies;
    for (std::size_t j = 0; j < p; ++j)
      std::ranges::copy(histogram(me), std::back_inserter(copies));
    auto const all = transpose_blocks(me, copies);
    numbers offsets(p);
    for (std::size_t k = 0; k < static_cast<std::size_t>(me.rank()); ++k)
      for (std::size_t j = 0; j < p; ++j) offsets[j] += all[k * p + j];
    return offsets;
  });
  auto const scanned = strict_crossbar(p).run([&](processor& me) {
    auto column = transpose_blocks(me, histogram(me));
    std::exclusive_scan(column.begin(), column.end(), column.begin(), std::uint64_t{0});
    return transpose_blocks(me, column);
  });
  CHECK(scanned.results() == gathered.results());
  CHECK(gathered.counts().words == p * (p - 1));
  CHECK(scanned.counts().words == 2 * (p - 1));
}

TEST_CASE("Bader Helman JaJa 9: an intermediate can hold far more than h", "[errata]") {
  auto const held = [](std::size_t p) {
    auto const relation = largest_bin_0(p, p);  // n = p^2, h = p
    auto const run = strict_crossbar(p).run([&](processor& me) {
      auto const mine = as_printed::elements_of(relation, me.rank());
      auto const routed = h_relation(me, std::span(mine), &routed_element::address);
      return std::array{routed.elements_through, routed.elements.size()};
    });
    for (auto const& [through, arrived] : run.results()) CHECK(arrived == p);
    return run.results()[0][0];
  };
  CHECK(held(64) == 640);
  CHECK(held(128) == 1920);
}

TEST_CASE("Bader Helman JaJa 9: n/p + p(p - 1)/2 elements at an intermediate", "[errata]") {
  for (std::size_t const p : {2U, 3U, 8U, 16U}) {
    auto const relation = tight_relation(p, 2);
    auto const run = strict_crossbar(p).run([&](processor& me) {
      auto const mine = as_printed::elements_of(relation, me.rank());
      return h_relation(me, std::span(mine), &routed_element::address).elements_through;
    });
    CHECK(run.results()[0] == as_printed::sum_of(relation[0]) + p * (p - 1) / 2);
  }
}

TEST_CASE("Bader Helman JaJa 10: what is sent and what is received overlap", "[errata]") {
  constexpr std::uint64_t m = 100;
  constexpr std::uint64_t p = 4;
  constexpr std::uint64_t h = p * m;  // = n/p
  auto const run = strict_crossbar(p).run(
      [](processor& me) { return transpose_blocks(me, std::vector<int>(p * m)).size(); });
  CHECK(run.counts().startups == 1);
  CHECK(run.counts().words == h - m);
  CHECK(run.counts().words < h + h);  // the printed lower bound, h + n/p
  // Sums of both directions: a transpose of blocks of m takes twice (p - 1)m.
  for (auto const& each : run.processors())
    CHECK(each.words_sent + each.words_received == 2 * (p - 1) * m);
  auto const two_phases = strict_crossbar(p).run([](processor& me) {
    std::vector<routed_element> const mine(m, {.data = 0, .address = (me.rank() + 1) % 4});
    return h_relation(me, std::span(mine), &routed_element::address).elements.size();
  });
  CHECK(two_phases.counts().startups == 2);
}

TEST_CASE("Bader Helman JaJa 11: the bound is too large for small n", "[errata]") {
  CHECK(largest_bin_of(largest_bin_0(64, 64)) == 10);
  CHECK(lockstep::largest_bin(64, 64) == 32);  // 32.5
  for (std::size_t elements = 0; elements <= 9; ++elements) {
    auto const exact =
        elements < 6
            ? static_cast<std::size_t>((std::sqrt(8.0 * static_cast<double>(elements) + 1) - 1) / 2)
            : lockstep::largest_bin(elements, 4);
    INFO(elements << " elements");
    CHECK(largest_of_all_deals_to_4(elements) == exact);
  }
}

TEST_CASE("Bader Helman JaJa 11: of h that p divides it is met for odd p alone", "[errata]") {
  for (int p = 2; p <= 9; ++p)
    for (std::uint64_t a = 0; a <= 3; ++a) {
      auto const of_p = static_cast<std::uint64_t>(p);
      auto const h = of_p * ((of_p - 1) / 2 + 1 + a);
      auto const exact = lockstep::exact_largest_bin(h, h, p);
      INFO("p = " << p << ", h = " << h);
      CHECK((2 * exact == 2 * h / of_p + of_p - 1) == (p % 2 == 1));
      CHECK(exact == h / of_p + (p % 2 == 1 ? (of_p - 1) / 2 : of_p / 2 - 1));
    }
}

TEST_CASE("Bader Helman JaJa 11: it is met where n/p = p(p - 1)/2 + p a", "[errata]") {
  for (std::size_t const p : {2U, 3U, 5U, 8U}) {
    auto const tight = tight_relation(p, 1);
    auto const elements = as_printed::sum_of(tight[0]);
    CHECK(largest_bin_of(tight) * 2 * p == 2 * elements + p * (p - 1));
  }
}
