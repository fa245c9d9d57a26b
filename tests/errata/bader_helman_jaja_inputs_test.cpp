#include <algorithm>
#include <cstdint>
#include <set>

#include "catch.hpp"
#include "g_group.hpp"
#include "h_family.hpp"

// The inputs that Bader, Helman and JaJa 1996 print (sections 3.1 and 3.2.1), and the same put
// right.

using as_printed::all_but_the_last;
using as_printed::bad_places;
using as_printed::bad_places_of;
using as_printed::g_group;
using as_printed::printed_last;
using as_printed::sum_of;

namespace {

constexpr int printed_first_odd = 3;
constexpr int first_odd = -1;  // (k + 1)/2

}  // namespace

TEST_CASE("Bader Helman JaJa 3: the places of odd elements are two too large", "[errata]") {
  g_group const large{.p = 64, .n = 65536, .g = 8, .t = 8, .h = 1024};
  CHECK(bad_places_of(large, printed_first_odd) == bad_places{.taken = 896, .beyond = 128});
  CHECK(bad_places_of(large, first_odd) == bad_places{});
  g_group const small{.p = 2, .n = 8, .g = 2, .t = 1, .h = 8};
  CHECK(bad_places_of(small, printed_first_odd) == bad_places{.taken = 2, .beyond = 2});
  CHECK(bad_places_of(small, first_odd) == bad_places{});
}

TEST_CASE("Bader Helman JaJa 3: two places in the middle stay empty, two of the next are taken",
          "[errata]") {
  g_group const of{.p = 64, .n = 65536, .g = 8, .t = 8, .h = 1024};
  int const block = of.n / (of.p * of.t);
  std::set<int> places;
  for (int k = 0; k < block; ++k) places.insert(offset_of(of, 0, 0, k, printed_first_odd));
  CHECK(block == 128);
  for (int const empty : {block / 2, block / 2 + 1}) CHECK_FALSE(places.contains(empty));
  for (int const next : {block, block + 1}) CHECK(places.contains(next));
}

TEST_CASE("Bader Helman JaJa 4: amounts are negative where h does not divide 2n", "[errata]") {
  constexpr std::int64_t p = 64;
  constexpr std::int64_t n = 1 << 20;
  auto const v = all_but_the_last(p, n, 3 * n / p);
  CHECK(std::ranges::min(v) == -394);
  CHECK(v[42] == -394);  // 42 < 2n/h = 42.7
  CHECK(printed_last(n, 3 * n / p) == -111);
  CHECK(n - sum_of(v) == 283);
  auto const divides = all_but_the_last(p, n, 4 * n / p);
  CHECK(std::ranges::min(divides) == 0);
  CHECK(printed_last(n, 4 * n / p) == 15);
  CHECK(sum_of(divides) + printed_last(n, 4 * n / p) == n);
  CHECK(all_but_the_last(4, 4, 3) == as_printed::amounts{3, 1, -1});  // the smallest case
}

TEST_CASE("Bader Helman JaJa 4: n/p < h < 2n/p is not covered", "[errata]") {
  constexpr std::int64_t p = 64;
  constexpr std::int64_t n = 1 << 20;
  constexpr std::int64_t h = 3 * n / (2 * p);
  auto const v = all_but_the_last(p, n, h);
  CHECK(n - (sum_of(v) + printed_last(n, h)) == 69443);  // j runs to 84, processors to 63
  CHECK(n - sum_of(v) - h == 44876);                     // the complement is more than h
}

TEST_CASE("Bader Helman JaJa 4: with n >= p^2, 2n/p <= h and h | 2n all is well", "[errata]") {
  for (std::int64_t p = 2; p <= 10; ++p)
    for (std::int64_t n = p * p; n <= 2 * p * p; n += p)
      for (std::int64_t h = (2 * n + p - 1) / p; h <= n; ++h) {
        if (2 * n % h != 0) continue;
        auto v = all_but_the_last(p, n, h);
        v.push_back(n - sum_of(v));
        INFO("p = " << p << ", n = " << n << ", h = " << h);
        CHECK(std::ranges::min(v) >= 0);
        CHECK(std::ranges::max(v) == h);
        CHECK(v.back() == printed_last(n, h));
      }
}

TEST_CASE("Bader Helman JaJa 4: with n < p^2 what is cut off can be more than h", "[errata]") {
  auto const v = all_but_the_last(8, 8, 2);
  CHECK(v == as_printed::amounts{2, 1, 1, 1, 0, 0, 0});
  CHECK(printed_last(8, 2) == 3);
}
