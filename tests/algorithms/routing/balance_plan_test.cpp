#include <lockstep/algorithms/routing/balance_plan.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <lockstep/algorithms/routing/balance.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "index.hpp"
#include "routing/balance_samples.hpp"

using lockstep::balance_move;
using lockstep::balance_options;
using lockstep::balance_plan;
using lockstep::plan_balance;

namespace {

std::uint64_t sum_of(std::vector<std::size_t> const& of) {
  return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
}

std::string text_of(load_list const& all) {
  std::string text = "loads";
  for (auto const load : all) text += ' ' + std::to_string(load);
  return text;
}

std::vector<balance_move> all_moves(balance_plan const& plan) {
  auto moves = plan.kept;
  for (auto const& phase : plan.phases)
    moves.insert(moves.end(), phase.moves.begin(), phase.moves.end());
  return moves;
}

/// Whether every element of each processor goes to a place of its own, and all places are filled.
bool is_a_permutation(balance_plan const& plan) {
  std::vector<std::vector<int>> left(plan.loads.size());
  std::vector<std::vector<int>> filled(plan.loads.size());
  for (std::size_t i = 0; i < plan.loads.size(); ++i) {
    left[i].resize(plan.loads[i]);
    filled[i].resize(plan.shares[i]);
  }
  for (auto const& move : all_moves(plan))
    for (std::size_t i = 0; i < move.elements; ++i) {
      ++left[index(move.from)].at(move.source + i);
      ++filled[index(move.to)].at(move.target + i);
    }
  auto const each_once = [](std::vector<int> const& times) {
    return std::ranges::all_of(times, [](int once) { return once == 1; });
  };
  return std::ranges::all_of(left, each_once) && std::ranges::all_of(filled, each_once);
}

/// Whether in each round every processor sends one message at most, and receives one at most, none
/// of them its own and none of them empty.
bool is_without_conflict(balance_plan const& plan) {
  for (auto const& phase : plan.phases) {
    std::set<std::pair<int, int>> sends;
    std::set<std::pair<int, int>> receives;
    for (auto const& move : phase.moves)
      if (move.from == move.to || move.elements == 0 || move.round >= phase.rounds ||
          !sends.emplace(move.round, move.from).second ||
          !receives.emplace(move.round, move.to).second)
        return false;
  }
  return true;
}

/// Words of a phase, elements of one word.
std::uint64_t words_of(balance_plan const& plan, std::size_t phase, std::uint64_t m) {
  balance_plan one{.loads = plan.loads};
  one.phases[0] = plan.phases.at(phase);
  return balance_counts(one, m).words;
}

/// The time with the sizes' gathering.
double time_of_all(balance_plan const& plan, std::uint64_t tau, std::uint64_t m) {
  auto const p = static_cast<int>(plan.loads.size());
  auto const sizes = lockstep::cheaper_of_two_ways(p, {.packet = m, .tau = tau});
  auto const gathered =
      circulant_all_gather_counts(lockstep::pieces(plan.loads.size(), p),
                                  sizes.first_k == 0 ? sizes.k : sizes.first_k, sizes.k, m);
  return time_of(gathered + balance_counts(plan, m), tau);
}

double theorem_4_1(balance_plan const& plan, std::uint64_t tau, std::uint64_t m) {
  auto const p = static_cast<double>(plan.loads.size());
  return static_cast<double>(5 * tau + std::ranges::max(plan.loads) + 2 * m * m) +
         static_cast<double>(sum_of(plan.loads)) / p + p;
}

constexpr std::array sampled_sizes{1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 32};
constexpr std::array<std::uint64_t, 6> sampled_packets{1, 2, 3, 4, 8, 40};

}  // namespace

TEST_CASE("a plan to balance, in full") {
  // Packets of 2: f = 8 0 6 0, rests 1 0 1 0, t = (14 - 16 + 8)/2 = 3: wanted 4 4 4 2.
  load_list const before{9, 0, 7, 0};
  auto const plan = plan_balance(before, 2);
  CHECK(plan.shares == std::vector<std::size_t>{4, 4, 4, 4});
  CHECK(plan.most_readers == 2);
  // 0 serves itself and 1, 2 serves itself and 3; 3 gets both rests.
  CHECK(plan.kept == std::vector<balance_move>{{0, 0, 0, 0, 4, 0}, {2, 2, 0, 0, 4, 0}});
  CHECK(plan.phases[0].moves.empty());
  CHECK(plan.phases[0].rounds == 0);
  CHECK(plan.phases[1].moves == std::vector<balance_move>{{0, 1, 4, 0, 4, 0}, {2, 3, 4, 0, 2, 0}});
  CHECK(plan.phases[1].rounds == 1);
  CHECK(plan.phases[2].moves == std::vector<balance_move>{{0, 3, 8, 2, 1, 0}, {2, 3, 6, 3, 1, 1}});
  CHECK(plan.phases[2].rounds == 2);
  auto const counts = balance_counts(plan, 2);
  CHECK(counts.rounds == 3);
  CHECK(counts.startups == 2);
  CHECK(counts.words == 4 + 4);  // a rest fills a packet
  CHECK(counts.messages == 4);
}

TEST_CASE("a source's readers but the last are served one after the other") {
  load_list const before{12, 0, 0, 0};
  auto const plan = plan_balance(before, 1);
  CHECK(plan.most_readers == 4);
  CHECK(plan.phases[0].moves == std::vector<balance_move>{{0, 1, 3, 0, 3, 0}, {0, 2, 6, 0, 3, 1}});
  CHECK(plan.phases[1].moves == std::vector<balance_move>{{0, 3, 9, 0, 3, 0}});
  CHECK(plan.phases[2].moves.empty());
}

TEST_CASE(
    "a plan moves every element to a place of its own, without conflict, as Theorem 4.1 says "
    "with m(h + 3) more") {
  int broken = 0;  // the bound without that
  for (int const p : sampled_sizes)
    for (auto const m : sampled_packets)
      for (std::uint64_t const n :
           {0U, 1U, 2U, 5U, 7U, 30U, 32U, 64U, 77U, 100U, 128U, 333U, 500U, 1280U, 1281U, 2000U})
        for (auto const& before : sampled_loads(p, n)) {
          INFO("p = " << p << ", m = " << m << ", " << text_of(before));
          auto const plan = plan_balance(before, m);
          auto const [least, most] = std::ranges::minmax(plan.shares);
          CHECK(sum_of(plan.shares) == n);
          CHECK(most - least <= 1);
          CHECK(std::ranges::is_sorted(plan.shares, std::greater<>{}));
          CHECK(is_a_permutation(plan));
          CHECK(is_without_conflict(plan));
          auto const more = static_cast<double>(m) * (plan.most_readers + 3);
          for (std::uint64_t const tau : {std::uint64_t{1}, m, 16 * m}) {
            auto const time = time_of_all(plan, tau, m);
            CHECK(time <= theorem_4_1(plan, tau, m) + more);
            if (time > theorem_4_1(plan, tau, m)) ++broken;
          }
        }
  CHECK(broken > 0);
}

TEST_CASE("the phases take M, n/p and m^2 words at most where pm divides n") {
  for (int const p : sampled_sizes)
    for (auto const m : sampled_packets)
      for (std::uint64_t const times : {0U, 1U, 2U, 3U, 17U}) {
        auto const each = times * m;
        for (auto const& before : sampled_loads(p, each * static_cast<std::uint64_t>(p))) {
          INFO("p = " << p << ", m = " << m << ", " << text_of(before));
          auto const plan = plan_balance(before, m);
          for (auto const& move : all_moves(plan))  // whole packets but for the rests
            CHECK((move.elements % m == 0 || move.source >= before[index(move.from)] / m * m));
          CHECK(words_of(plan, 0, m) <= std::ranges::max(before));
          CHECK(words_of(plan, 1, m) <= each);
          CHECK(words_of(plan, 2, m) <= m * m);
          CHECK(plan.phases[2].rounds <= static_cast<int>(m));
          for (std::uint64_t const tau : {std::uint64_t{1}, m, 16 * m})
            CHECK(time_of_all(plan, tau, m) <= theorem_4_1(plan, tau, m));
        }
      }
}

TEST_CASE("from one source Theorem 4.1 holds wherever p divides n", "[once]") {
  int cases = 0;
  int straight_fails = 0;
  for (int const p : {2,   3,   4,   5,   6,   7,   8,   9,   10,  12,  13,   16,   17,  24,
                      31,  32,  33,  48,  50,  64,  65,  81,  100, 125, 128,  200,  216, 243,
                      250, 255, 256, 257, 343, 500, 512, 625, 729, 768, 1000, 1023, 1024})
    for (std::uint64_t const share : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 9U, 12U, 15U, 17U, 31U, 33U, 65U})
      for (std::uint64_t const m : {1U, 2U, 3U, 4U, 8U, 16U, 32U}) {
        load_list before(index(p));
        before[index(p / 3)] = share * before.size();
        auto const plan = plan_balance(before, m);
        for (std::uint64_t const packets : {1U, 2U, 4U, 8U, 16U, 64U, 1024U}) {
          auto const tau = packets * m;
          INFO("p = " << p << ", n/p = " << share << ", m = " << m << ", tau = " << tau);
          auto const time = [&](lockstep::balance_way way) {
            return time_of(balance_counts(plan, {.packet = m, .tau = tau, .way = way}), tau);
          };
          CHECK(time(lockstep::balance_way::cheapest) <= theorem_4_1(plan, tau, m));
          if (time(lockstep::balance_way::direct) > theorem_4_1(plan, tau, m)) ++straight_fails;
          ++cases;
        }
      }
  CHECK(cases > 20'600);
  CHECK(straight_fails > 5'849);
}

TEST_CASE("the way of balancing that is taken is the cheaper one, and says so") {
  load_list from_one(256);
  from_one[3] = 1280;
  balance_options const on{.packet = 4, .tau = 4};
  auto const plan = plan_balance(from_one, 4);
  auto const choice = choose_balance_way(plan, on);
  CHECK(choice.is_tree());
  CHECK(choice.source == 3);
  CHECK(choice.direct_time == 2 * 4 + 255 * 4 * 2);
  CHECK(choice.tree_time < choice.direct_time);
  for (int k = 2; k < 256; ++k) {
    INFO("k = " << k);
    CHECK(choice.tree_time <= time_of(piece_tree_counts(lockstep::pieces(1280, 256), k, 3, 4), 4));
  }
  CHECK_THAT(text_of(choice), has_text("a tree of k = "));
  auto const not_asked =
      choose_balance_way(plan, {.packet = 4, .tau = 4, .way = lockstep::balance_way::direct});
  CHECK_FALSE(not_asked.is_tree());
  CHECK_THROWS_WITH(choose_balance_way(plan, {.way = lockstep::balance_way{200}}),
                    has_text("balance_way is 200: take one of balance_way::cheapest"));
  from_one[4] = 1;  // a second source
  CHECK_FALSE(choose_balance_way(plan_balance(from_one, 4), on).is_tree());
  CHECK_FALSE(choose_balance_way(plan_balance(load_list(5), 4), on).is_tree());
}

TEST_CASE("what is balanced with packets of one element stays in the order of ranks") {
  for (int const p : {2, 5, 16})
    for (auto const& before : sampled_loads(p, 131)) {
      INFO(text_of(before));
      auto moves = all_moves(plan_balance(before, 1));
      std::ranges::sort(moves, {},
                        [](auto const& move) { return std::pair(move.from, move.source); });
      CHECK(std::ranges::is_sorted(
          moves, {}, [](auto const& move) { return std::pair(move.to, move.target); }));
    }
}

TEST_CASE("the sizes get known the cheaper of two ways") {
  using lockstep::cheaper_of_two_ways;
  CHECK(cheaper_of_two_ways(64, {.packet = 1, .tau = 4}).first_k == 0);
  CHECK(cheaper_of_two_ways(64, {.packet = 8, .tau = 4}).first_k == 8);     // 8 + 112 for 508
  CHECK(cheaper_of_two_ways(64, {.packet = 8, .tau = 1000}).first_k == 0);  // a start-up costs more
  CHECK(cheaper_of_two_ways(1, {}).first_k == 0);
}

TEST_CASE("plans that cannot be made") {
  CHECK_THROWS_AS(plan_balance({}, 1), lockstep::invalid_argument);
  load_list const two{1, 2};
  CHECK_THROWS_AS(plan_balance(two, 0), lockstep::invalid_argument);
  CHECK_THROWS_AS(balance_counts(plan_balance(two, 1), 0), lockstep::invalid_argument);
  CHECK_THROWS_AS(balance_claims({.p = 3}, plan_balance(two, 1)), lockstep::invalid_argument);
}
