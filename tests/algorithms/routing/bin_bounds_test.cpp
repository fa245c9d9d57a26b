#include <lockstep/algorithms/routing/bin_bounds.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include <lockstep/errors.hpp>

#include "catch.hpp"

using lockstep::block_rule;
using lockstep::exact_largest_bin;
using lockstep::largest_bin;

namespace {

using row = std::vector<std::uint64_t>;

/// The largest bin when decks of these sizes are dealt out one after another, deck k to the bins
/// from `first + k` on.
std::uint64_t dealt_out(row const& decks, std::uint64_t first) {
  row bins(decks.size());
  for (std::size_t k = 0; k < decks.size(); ++k)
    for (std::uint64_t m = 0; m < decks[k]; ++m) ++bins[(first + k + m) % bins.size()];
  return std::ranges::max(bins);
}

/// Visits every way to make p decks of `elements` in all, of at most `deck` each.
void for_all_decks(row& decks, std::size_t k, std::uint64_t elements, std::uint64_t deck,
                   std::function<void(row const&)> const& visit) {
  if (k + 1 == decks.size()) {
    if (elements > deck) return;
    decks[k] = elements;
    visit(decks);
    return;
  }
  for (decks[k] = 0; decks[k] <= std::min(elements, deck); ++decks[k])
    for_all_decks(decks, k + 1, elements - decks[k], deck, visit);
}

std::uint64_t largest_of_all(int p, std::uint64_t elements, std::uint64_t deck) {
  std::uint64_t largest = 0;
  row decks(static_cast<std::size_t>(p));
  for_all_decks(decks, 0, elements, deck,
                [&](row const& each) { largest = std::max(largest, dealt_out(each, 0)); });
  return largest;
}

}  // namespace

TEST_CASE("the exact largest bin is that of a search through all rows") {
  for (int const p : {1, 2, 3, 4, 5})
    for (std::uint64_t elements = 0; elements <= (p == 5 ? 16 : 24); ++elements) {
      INFO("p = " << p << ", " << elements << " elements");
      auto const largest = largest_of_all(p, elements, elements);
      CHECK(exact_largest_bin(elements, elements, p) == largest);
      CHECK(largest <= largest_bin(elements, p));
    }
}

TEST_CASE("the exact largest bin of Step 4 is that of a search through all columns") {
  for (int const p : {1, 2, 3, 4})
    for (std::uint64_t deck = 0; deck <= 8; ++deck)
      for (std::uint64_t most = 0; most <= static_cast<std::uint64_t>(p) * deck; ++most) {
        // At most that many elements: fewer may leave the decks room that they need.
        std::uint64_t largest = 0;
        for (std::uint64_t elements = 0; elements <= most; ++elements)
          largest = std::max(largest, largest_of_all(p, elements, deck));
        INFO("p = " << p << ", decks of " << deck << ", " << most << " elements");
        CHECK(exact_largest_bin(most, deck, p) == largest);
        CHECK(largest <= largest_bin(most, p));
      }
}

TEST_CASE("a tight row makes the largest bin that there can be, in bin 0") {
  for (int p = 1; p <= 12; ++p)
    for (std::uint64_t elements = 0; elements <= 200; ++elements)
      for (int const rank : {0, p / 2, p - 1}) {
        auto const decks = lockstep::tight_row(rank, elements, p);
        INFO("p = " << p << ", " << elements << " elements of processor " << rank);
        CHECK(std::accumulate(decks.begin(), decks.end(), std::uint64_t{0}) == elements);
        auto const largest = dealt_out(decks, static_cast<std::uint64_t>(rank));
        CHECK(largest == exact_largest_bin(elements, elements, p));
      }
}

TEST_CASE("the exact largest bin has a closed form") {
  for (int const p : {1, 2, 3, 8, 16, 64})
    for (std::uint64_t x = 0; x <= 5000; x += 1 + x / 50) {
      auto const full = static_cast<std::uint64_t>(p) * static_cast<std::uint64_t>(p - 1) / 2;
      auto const root =
          static_cast<std::uint64_t>((std::sqrt(8.0 * static_cast<double>(x) + 1) - 1) / 2);
      INFO("p = " << p << ", x = " << x);
      CHECK(exact_largest_bin(x, x, p) == (x < full ? root : largest_bin(x, p)));
      // The bound is met, as a fraction, where x/p + (p-1)/2 is whole and all decks reach the bin.
      bool const whole =
          (2 * x + static_cast<std::uint64_t>(p * (p - 1))) % static_cast<std::uint64_t>(2 * p) ==
          0;
      bool const meets = whole && exact_largest_bin(x, x, p) == largest_bin(x, p);
      CHECK(meets == (x >= full && (x - full) % static_cast<std::uint64_t>(p) == 0));
    }
}

TEST_CASE("largest bins of the paper's sizes") {
  CHECK(exact_largest_bin(64, 64, 64) == 10);  // n = p^2; the paper's bound is 32.5
  CHECK(largest_bin(64, 64) == 32);
  CHECK(exact_largest_bin(4096, 512, 8) == 512);  // all of n = 4096 for one processor
  CHECK(largest_bin(4096, 8) == 515);
  // For even p with p | x the largest is x/p + p/2 - 1, from these x on.
  auto const reached_from = [](std::uint64_t p) {
    std::uint64_t from = 0;
    for (std::uint64_t x = 0; x <= p * p; x += p)
      if (exact_largest_bin(x, x, static_cast<int>(p)) != x / p + p / 2 - 1) from = x + p;
    return from;
  };
  CHECK(reached_from(4) == 4);
  CHECK(reached_from(8) == 16);
  CHECK(reached_from(16) == 80);    // 0.31 p^2
  CHECK(reached_from(32) == 352);   // 0.34 p^2
  CHECK(reached_from(64) == 1600);  // 0.39 p^2
}

TEST_CASE("block rules have names, and there are no others") {
  CHECK(name_of(block_rule::real) == "real");
  CHECK(name_of(block_rule::bound) == "bound");
  CHECK(name_of(block_rule::text) == "text");
  CHECK(name_of(block_rule::appendix) == "appendix");
  CHECK(name_of(block_rule::exact) == "exact");
  CHECK_THROWS_AS(name_of(static_cast<block_rule>(9)), lockstep::invalid_argument);
  CHECK_THROWS_AS(blocks_of(static_cast<block_rule>(9), {}, 4), lockstep::invalid_argument);
  CHECK(room_in(block_rule::bound, 5) == 4);
  CHECK(room_in(block_rule::text, 5) == 5);
  CHECK(room_in(block_rule::appendix, 0) == 0);
}
