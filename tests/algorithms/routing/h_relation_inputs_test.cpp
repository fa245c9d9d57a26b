#include <lockstep/algorithms/routing/h_relation_inputs.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/nas_random.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"

using lockstep::family_sizes;
using lockstep::h_pattern;
using lockstep::h_relation_input;
using lockstep::h_relation_size;
using lockstep::ramp_sizes;

namespace {

using sizes = std::vector<std::uint64_t>;

std::string refusal_to_make(h_pattern pattern, h_relation_size const& size) {
  return refusal_of_call([&] { return generated_h_relation(pattern, size); });
}

std::uint64_t sum(sizes const& of) {
  return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
}

sizes received(h_relation_input const& input) {
  sizes all(input.destinations.size());
  for (auto const& of_one : input.destinations)
    for (auto const to : of_one) ++all[static_cast<std::size_t>(to)];
  return all;
}

/// The elements of even shares, in the order of processors.
std::vector<int> joined(h_relation_input const& input) {
  std::vector<int> all;
  for (auto const& of_one : input.destinations) all.insert(all.end(), of_one.begin(), of_one.end());
  return all;
}

}  // namespace

TEST_CASE("the family has n elements, at most h and first h for each, wherever it is defined") {
  int cases = 0;
  for (std::uint64_t p = 1; p <= 12; ++p)
    for (std::uint64_t n = 0; n <= 72; ++n)
      for (std::uint64_t h = 0; h <= n; ++h) {
        bool defined = n == h * p || (h > 0 && 2 * n <= h * p && 2 * n % h == 0);
        if (defined && n != h * p) {
          std::uint64_t dealt = 0;
          for (std::uint64_t i = 0; i + 1 < p && i * h < 2 * n; ++i)
            dealt += h * (2 * n - h - h * i) / (2 * n - h);
          CHECK((n - dealt <= h || n < p * p));
          defined = n - dealt <= h;
        }
        INFO("p = " << p << ", n = " << n << ", h = " << h);
        if (!defined) {
          CHECK_THROWS_AS(family_sizes(n, static_cast<int>(p), h), lockstep::invalid_argument);
          continue;
        }
        ++cases;
        auto const made = family_sizes(n, static_cast<int>(p), h);
        CHECK(sum(made) == n);
        CHECK(std::ranges::max(made) == h);
        CHECK(made.front() == h);
        if (n == h * p) continue;
        for (std::uint64_t i = 0; i + 1 < p; ++i)
          CHECK(made[i] == (i * h < 2 * n ? h * (2 * n - h - h * i) / (2 * n - h) : 0));
      }
  CHECK(cases > 300);
}

TEST_CASE("the family of the paper's sizes") {
  constexpr int p = 64;
  constexpr std::uint64_t n = 1 << 20;
  for (auto const& [c, left] : std::map<std::uint64_t, std::uint64_t>{{2, 31}, {4, 15}, {8, 7}}) {
    auto const made = family_sizes(n, p, c * n / p);
    CHECK(made.back() == left);                       // what the other divisions lose
    CHECK(made[128 / c - 1] == (c == 2 ? left : 0));  // v_{2n/h - 1}
  }
  // Three quarters of the processors get nothing, but for what is left over.
  CHECK(std::ranges::count(family_sizes(n, p, 8 * n / p), 0U) == 3 * p / 4);
  CHECK(refusal_of_call([&] { return family_sizes(n, p, 3 * n / p); }) ==
        "family with n = 1048576, p = 64 needs h = n/p, or h from 2n/p to n that divides 2n "
        "and leaves no more than h for processor p-1, not 49152; take 65536, for example, or the "
        "pattern "
        "ramp");
  CHECK_THAT(refusal_of_call([&] { return family_sizes(n, p, 24'576); }), has_text("take 32768"));
  CHECK_THAT(refusal_of_call([&] { return family_sizes(10, 4, 3); }), has_text("take 5"));
  CHECK_THAT(refusal_of_call([&] { return family_sizes(9, 12, 2); }), has_text("take 3"));
  CHECK_THAT(refusal_of_call([&] { return family_sizes(10, 4, 11); }), has_text("take 10"));
}

TEST_CASE("the ramp has n elements, at most h and first h for each, for every h") {
  for (int p = 1; p <= 9; ++p)
    for (std::uint64_t n = 0; n <= 60; ++n) {
      auto const least = (n + static_cast<std::uint64_t>(p) - 1) / static_cast<std::uint64_t>(p);
      for (std::uint64_t h = least; h <= n; ++h) {
        INFO("p = " << p << ", n = " << n << ", h = " << h);
        auto const made = ramp_sizes(n, p, h);
        CHECK(sum(made) == n);
        CHECK(std::ranges::max(made) == h);
        CHECK(made.front() == h);
      }
      if (least > 0) CHECK_THROWS_AS(ramp_sizes(n, p, least - 1), lockstep::invalid_argument);
      CHECK_THROWS_AS(ramp_sizes(n, p, n + 1), lockstep::invalid_argument);
    }
  CHECK(ramp_sizes(100, 4, 40) == sizes{40, 30, 20, 10});
  CHECK(refusal_of_call([] { return ramp_sizes(100, 4, 24); }) ==
        "a ramp of n = 100 on p = 4 needs most elements a processor from 25 to 100, not 24");
}

TEST_CASE("family and ramp lie cyclically on the processors") {
  auto const made =
      generated_h_relation(h_pattern::ramp, {.processors = 4, .elements = 10, .received = 4});
  CHECK(received(made) == ramp_sizes(10, 4, 4));
  auto const v = ramp_sizes(10, 4, 4);
  for (std::uint64_t e = 0, to = 0, left = v[0]; e < 10; ++e, --left) {
    while (left == 0) left = v[++to];
    CHECK(made.destinations[e % 4][e / 4] == static_cast<int>(to));
  }
  CHECK(made.destinations[0].size() == 3);
  CHECK(made.destinations[3].size() == 2);
  CHECK(made.limits.sent == 3);
  CHECK(made.limits.received == 4);
}

TEST_CASE("g-group fills the places of p/c receivers, for every admissible setting") {
  int cases = 0;
  for (int p = 2; p <= 64; p *= 2)
    for (std::uint64_t c = 1; c <= static_cast<std::uint64_t>(p); c *= 2)
      for (std::uint64_t g = c; g * g <= c * static_cast<std::uint64_t>(p); g *= 2)
        for (std::uint64_t t = g / c; t * g <= static_cast<std::uint64_t>(p); t *= 2) {
          auto const n = static_cast<std::uint64_t>(p) * t * 4;
          auto const h = c * n / static_cast<std::uint64_t>(p);
          INFO("p = " << p << ", c = " << c << ", g = " << g << ", t = " << t << ", n = " << n);
          auto const made = generated_h_relation(h_pattern::g_group, {p, n, h, 0, g, t});
          ++cases;
          std::map<int, std::set<std::uint64_t>> places;
          std::uint64_t elements = 0;
          for (std::size_t i = 0; i < made.destinations.size(); ++i)
            for (std::size_t k = 0; k < made.destinations[i].size(); ++k, ++elements)
              places[made.destinations[i][k]].insert(made.offsets[i][k]);
          CHECK(elements == n);
          CHECK(places.size() == static_cast<std::uint64_t>(p) / c);
          for (auto const& [receiver, taken] : places) {
            CHECK(receiver < p);
            CHECK(taken.size() == h);
            CHECK(*taken.rbegin() == h - 1);
          }
        }
  CHECK(cases == 129);  // half of the 258 of two n each
}

TEST_CASE("g-group is that of Figure 3") {
  constexpr std::uint64_t n = 1024;
  auto const made = generated_h_relation(h_pattern::g_group, {16, n, 2 * n / 16, 0, 4, 4});
  std::map<int, std::map<std::uint64_t, std::uint64_t>> source_at;  // by receiver and offset
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t k = 0; k < made.destinations[i].size(); ++k)
      source_at[made.destinations[i][k]][made.offsets[i][k]] = i;
  std::vector<int> receivers;
  for (auto const& [receiver, at] : source_at) {
    receivers.push_back(receiver);
    bool const from_upper = receiver == 0 || receiver == 4 || receiver == 9 || receiver == 13;
    for (auto const& [offset, source] : at) CHECK((source >= 8) == from_upper);
  }
  CHECK(receivers == std::vector{0, 1, 4, 5, 8, 9, 12, 13});
  constexpr std::uint64_t block = 16;
  std::vector<std::uint64_t> order;
  for (std::uint64_t at = 0; at < 8 * block; at += block) order.push_back(source_at[4][at]);
  CHECK(order == std::vector<std::uint64_t>{12, 13, 14, 15, 8, 9, 10, 11});
  for (auto const& [offset, source] : source_at[4]) CHECK(source == order.at(offset / block));
}

TEST_CASE("g-group takes the settings of Tables I and II by itself") {
  constexpr std::uint64_t n = 1 << 20;
  auto const taken = [](std::uint64_t c) {
    auto const size = generated_h_relation(h_pattern::g_group, {64, n, c * n / 64}).size;
    return std::vector{size.group, size.targets};
  };
  CHECK(taken(1) == std::vector<std::uint64_t>{8, 8});
  CHECK(taken(2) == std::vector<std::uint64_t>{8, 4});
  CHECK(taken(4) == std::vector<std::uint64_t>{16, 4});
  CHECK(taken(8) == std::vector<std::uint64_t>{16, 2});
}

TEST_CASE("tight is the matrix of its formula, and tight rows are those of the bound") {
  for (std::uint64_t const p : {1U, 2U, 3U, 5U, 8U})
    for (std::uint64_t const a : {0U, 1U, 3U}) {
      auto const own = p * (p - 1) / 2 + p * a;
      auto const made = generated_h_relation(h_pattern::tight, {static_cast<int>(p), own * p});
      auto const between = elements_between(made);
      INFO("p = " << p << ", a = " << a);
      for (std::uint64_t i = 0; i < p; ++i)
        for (std::uint64_t j = 0; j < p; ++j)
          CHECK(between[i * p + j] ==
                ((2 * p - i - j) % p + 1) % p + ((i + j) % p == 0 ? p * a : 0));
      CHECK(made.limits.sent == own);
      CHECK(made.limits.received == own);
      for (std::uint64_t i = 0; i < p; ++i) {
        auto const row = std::span(between).subspan(i * p, p);
        CHECK(std::ranges::equal(lockstep::tight_row(static_cast<int>(i), own, static_cast<int>(p)),
                                 row));
      }
    }
  CHECK(
      refusal_to_make(h_pattern::tight, {16, 4096}) ==
      "tight with p = 16 needs n = p (p(p-1)/2 + p a) elements, not 4096; take 4224, for example");
  CHECK(refusal_to_make(h_pattern::tight, {16, 4224}) == "not refused");
  CHECK_THAT(refusal_to_make(h_pattern::tight, {4, 3}), has_text("take 24"));
  CHECK_THAT(refusal_to_make(h_pattern::tight, {4, 25}), has_text("take 40"));
}

TEST_CASE("lcg and skew draw the numbers of the NAS benchmarks, from x_1 on") {
  constexpr int p = 5;
  auto const lcg = joined(generated_h_relation(h_pattern::lcg, {p, 1003}));
  auto const skew = joined(generated_h_relation(h_pattern::skew, {p, 1003}));
  lockstep::nas_random random;
  for (std::size_t e = 0; e < 1003; ++e) {
    auto const drawn = random.next() >> 15U;
    CHECK(lcg[e] == static_cast<int>(drawn % p));
    // floor(p u^3) = d means d 2^93 <= p drawn^3 < (d+1) 2^93
    auto const cube = p * std::pow(static_cast<long double>(drawn) / 2147483648.0L, 3);
    CHECK(skew[e] == static_cast<int>(cube));
  }
  auto const made = generated_h_relation(h_pattern::lcg, {p, 1003});
  CHECK(made.destinations[2].size() == 201);
  CHECK(made.destinations[3].size() == 200);
}

TEST_CASE("all-to-one and permutation send all of a processor to one") {
  auto const all = generated_h_relation(h_pattern::all_to_one, {4, 10});
  CHECK(received(all) == sizes{10, 0, 0, 0});
  CHECK(all.size.received == 10);
  auto const shifted = generated_h_relation(h_pattern::permutation, {4, 10});
  CHECK(received(shifted) == sizes{2, 3, 3, 2});
  CHECK(shifted.destinations[3] == std::vector{0, 0});
  CHECK(generated_h_relation(h_pattern::permutation, {1, 3}).destinations[0] ==
        std::vector{0, 0, 0});
}

TEST_CASE("general has ramps at both ends, in a mixed order") {
  auto const made = generated_h_relation(
      h_pattern::general, {.processors = 4, .elements = 100, .received = 70, .sent = 40});
  sizes sent;
  for (auto const& of_one : made.destinations) sent.push_back(of_one.size());
  CHECK(sent == ramp_sizes(100, 4, 40));
  CHECK(received(made) == ramp_sizes(100, 4, 70));
  CHECK(made.limits.sent == 40);
  CHECK(made.limits.received == 70);
  // 63 is the first from 61.8 on that has no factor in common with 100.
  std::vector<int> sorted;
  for (int to = 0; auto const size : ramp_sizes(100, 4, 70)) {
    sorted.insert(sorted.end(), size, to);
    ++to;
  }
  auto const mixed = joined(made);
  for (std::size_t e = 0; e < 100; ++e) CHECK(mixed[e] == sorted[e * 63 % 100]);
  for (std::uint64_t n = 0; n <= 30; ++n)
    CHECK(joined(generated_h_relation(h_pattern::general, {3, n})).size() == n);
}

TEST_CASE("orth has one message in every round of pairwise exchange") {
  for (std::uint64_t p = 4; p <= 1024; p *= 2) {
    auto const made = generated_h_relation(h_pattern::orth, {static_cast<int>(p), 3 * p});
    std::set<std::uint64_t> rounds;
    for (std::uint64_t i = 0; i < p; ++i)
      rounds.insert(i ^ static_cast<std::uint64_t>(made.destinations[i].front()));
    INFO("p = " << p);
    CHECK(rounds.size() == p);
    CHECK(made.limits.received == 3);
  }
  CHECK(refusal_to_make(h_pattern::orth, {6, 12}) ==
        "orth needs p = 2^k processors, 4 or more, not 6; take 8, for example");
  CHECK_THAT(refusal_to_make(h_pattern::orth, {1, 12}), has_text("take 4"));
}

TEST_CASE("settings that a pattern has not are refused, with an example of what fits") {
  CHECK(refusal_to_make(h_pattern::lcg, {.processors = 4, .elements = 10, .received = 3}) ==
        "lcg with n = 10, p = 4 has h = 4, more than 3; leave out h, or take 4 at least");
  CHECK(refusal_to_make(h_pattern::lcg, {.processors = 4, .elements = 10, .received = 10}) ==
        "not refused");
  CHECK(refusal_to_make(h_pattern::lcg, {.processors = 4, .elements = 10, .received = 4}) ==
        "not refused");
  CHECK(refusal_to_make(h_pattern::ramp, {.processors = 4, .elements = 10, .sent = 2}) ==
        "ramp with n = 10, p = 4 has h1 = 3, more than 2; leave out h1, or take 3 at least");
  CHECK(refusal_to_make(h_pattern::lcg, {.processors = 4, .elements = 10, .targets = 5}) ==
        "lcg has no g and t; leave them out, or take g-group");
  CHECK_THAT(refusal_to_make(h_pattern::lcg, {.processors = 0, .elements = 10}),
             has_text("at least 1 processor"));
  CHECK_THAT(
      refusal_to_make(h_pattern::lcg, {.processors = 2, .elements = std::uint64_t{1} << 31U}),
      has_text("at most 2147483647 elements"));
  CHECK_THROWS_AS(name_of(static_cast<h_pattern>(20)), lockstep::invalid_argument);
  CHECK_THROWS_AS(generated_h_relation(static_cast<h_pattern>(20), {2, 2}),
                  lockstep::invalid_argument);
}

TEST_CASE("g-group refuses what it is not defined for") {
  auto const refusal = [](h_relation_size const& size) {
    return refusal_to_make(h_pattern::g_group, size);
  };
  CHECK(refusal({6, 64}) ==
        "g-group with n = 64, p = 6, h = 0, g = 0, t = 0 needs p to be a power of 2");
  CHECK_THAT(refusal({8, 48}), has_text("needs n to be a power of 2, at least p"));
  CHECK_THAT(refusal({8, 4}), has_text("needs n to be a power of 2, at least p"));
  CHECK_THAT(refusal({8, 64, 24}), has_text("needs h to be a power of 2 from n/p = 8 to n"));
  CHECK_THAT(refusal({8, 64, 4}), has_text("needs h to be a power of 2 from n/p = 8 to n"));
  CHECK_THAT(refusal({16, 256, 32, 0, 8}), has_text("needs g to be a power of 2 from 2 to 4"));
  CHECK_THAT(refusal({16, 256, 32, 0, 1}), has_text("needs g to be a power of 2 from 2 to 4"));
  CHECK_THAT(refusal({16, 256, 32, 0, 2, 3}), has_text("needs t to be a power of 2 from 1 to 8"));
  CHECK_THAT(refusal({16, 256, 32, 0, 2, 16}), has_text("needs t to be a power of 2 from 1 to 8"));
  CHECK_THAT(refusal({16, 16, 2, 0, 2, 2}), has_text("needs n to be at least p t = 32"));
  CHECK(refusal({16, 32, 4, 0, 2, 2}) == "not refused");
}
