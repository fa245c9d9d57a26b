#include <lockstep/algorithms/sorting/detail/slot_merge.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "index.hpp"

using lockstep::hypercube;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::ports;
using lockstep::processor;
namespace detail = lockstep::detail;

namespace {

constexpr machine_options one_port{.strict = true, .workers = 1};

/// The tokens 0 .. 2p - 1, dealt out to two ascending lists of p each.
struct dealt_tokens {
  std::vector<int> x;
  std::vector<int> y;
};

std::vector<dealt_tokens> all_deals(int d) {
  int const p = 1 << d;
  std::vector<bool> is_x(index(2 * p));
  std::fill(is_x.begin() + p, is_x.end(), true);
  std::vector<dealt_tokens> deals;
  do {
    dealt_tokens deal;
    for (int token = 0; token < 2 * p; ++token)
      (is_x[index(token)] ? deal.x : deal.y).push_back(token);
    deals.push_back(deal);
  } while (std::next_permutation(is_x.begin(), is_x.end()));
  return deals;
}

dealt_tokens random_deal(int d, std::mt19937& random) {
  dealt_tokens deal;
  auto const p = index(1 << d);
  for (int token = 0; token < 2 << d; ++token) {
    bool const to_x = deal.y.size() == p || (deal.x.size() < p && random() % 2 == 0);
    (to_x ? deal.x : deal.y).push_back(token);
  }
  return deal;
}

/// k words that follow a token.
std::vector<int> set_of(int token, int k) {
  std::vector<int> set(index(k));
  for (int j = 0; j < k; ++j) set[index(j)] = token * 100 + j;
  return set;
}

/// Sets with these tokens are merged in two slots, and tokens find the way back.
void check_slots(int d, dealt_tokens const& deal, int k, machine_options const& options) {
  machine const on{hypercube{d}, options};
  auto const run = on.run([&](processor& me) {
    auto const here = index(me.rank());
    auto const from_the_end = index(me.size() - 1 - me.rank());
    detail::two_sets<int> sets{set_of(deal.x[here], k), set_of(deal.y[from_the_end], k)};
    auto const swaps = detail::merge_slots(me, sets, std::less<>{});
    bool const is_merged =
        sets == detail::two_sets<int>{set_of(2 * me.rank(), k), set_of(2 * me.rank() + 1, k)};
    auto const back =
        detail::unmerge_slots(me, std::array{2 * me.rank(), 2 * me.rank() + 1}, swaps);
    return is_merged && back == std::array{deal.x[here], deal.y[from_the_end]};
  });
  CHECK(std::ranges::count(run.results(), true) == on.size());
  CHECK(run.counts().steps == (d > 0 ? static_cast<std::uint64_t>(k + d - 1 + d) : 0));
}

/// X on the lower half of the processors and Y, descending, on the upper half, or all mirrored.
void check_sets(int d, dealt_tokens const& deal, int k, bool mirrored,
                machine_options const& options) {
  machine const on{hypercube{d + 1}, options};
  int const p = 1 << d;
  int const flip = mirrored ? 2 * p - 1 : 0;
  auto const run = on.run([&](processor& me) {
    int const place = me.rank() ^ flip;
    int const token = place < p ? deal.x[index(place)] : deal.y[index(2 * p - 1 - place)];
    auto set = set_of(token, k);
    auto const swaps = detail::merge_sets(me, set, std::less<>{}, flip);
    return set == set_of(place, k) && detail::unmerge_set(me, place, swaps) == token;
  });
  CHECK(std::ranges::count(run.results(), true) == on.size());
  CHECK(run.counts().steps == static_cast<std::uint64_t>(k + d + d + 1));
}

}  // namespace

TEST_CASE("tokens of two lists are merged in two slots, and go back, on one port",
          "[sorting][sanitize]") {
  for (int d = 0; d <= 2; ++d)
    for (auto const& deal : all_deals(d)) check_slots(d, deal, 1, one_port);
  std::mt19937 random(1);
  for (int d = 3; d <= 7; ++d)
    for (int i = 0; i < 20; ++i) check_slots(d, random_deal(d, random), 1, one_port);
}

TEST_CASE("tokens of two lists are merged in one slot, and go back, on one port",
          "[sorting][sanitize]") {
  for (bool const mirrored : {false, true}) {
    for (int d = 0; d <= 2; ++d)
      for (auto const& deal : all_deals(d)) check_sets(d, deal, 1, mirrored, one_port);
    std::mt19937 random(1);
    for (int d = 3; d <= 6; ++d) check_sets(d, random_deal(d, random), 1, mirrored, one_port);
  }
}

TEST_CASE("sets follow their tokens, on all ports", "[sorting][threads]") {
  std::mt19937 random(2);
  for (auto const by : {lockstep::engine::fibers, lockstep::engine::threads})
    for (int d = 1; d <= 4; ++d)
      for (int const k : {2, 5}) {
        machine_options const options{
            .ports = ports::all, .strict = true, .engine = by, .workers = 2};
        check_slots(d, random_deal(d, random), k, options);
        check_sets(d, random_deal(d, random), k, d % 2 == 0, options);
      }
}

TEST_CASE("words are reversed over the processors", "[sorting]") {
  for (int d = 0; d <= 5; ++d)
    for (int const k : {0, 1, 4}) {
      machine const on{hypercube{d},
                       {.ports = k > 1 ? ports::all : ports::one, .strict = true, .workers = 1}};
      auto const run = on.run([&](processor& me) {
        auto words = set_of(me.rank(), k);
        detail::reverse_processors(me, words);
        return words == set_of(me.size() - 1 - me.rank(), k);
      });
      CHECK(std::ranges::count(run.results(), true) == on.size());
      CHECK(run.counts().steps == (d > 0 && k > 0 ? static_cast<std::uint64_t>(k + d - 1) : 0));
    }
}
