#include <lockstep/algorithms/routing/balance.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "routing/balance_samples.hpp"

using lockstep::balance_options;
using lockstep::processor;

namespace {

/// More than a word in memory, and not in a place by itself.
struct ticket {
  short from = 0;
  double number = 0;
  char mark = 0;

  friend bool operator==(ticket const&, ticket const&) = default;
};

ticket ticket_of(int rank, std::size_t i) {
  return {static_cast<short>(rank), static_cast<double>(i) / 4, static_cast<char>('a' + i % 26)};
}

std::vector<ticket> tickets_of(int rank, load_list const& all) {
  std::vector<ticket> mine;
  for (std::size_t i = 0; i < all[index(rank)]; ++i) mine.push_back(ticket_of(rank, i));
  return mine;
}

/// Cuts a line into parts of sizes that differ by one at most, longer ones first.
std::vector<std::size_t> even_parts(std::size_t n, std::size_t p) {
  std::vector<std::size_t> sizes(p, n / p);
  for (std::size_t i = 0; i < n % p; ++i) ++sizes[i];
  return sizes;
}

/// What everybody has in the end: a part of the whole packets of all, then a part of all rests.
/// With packets of one, a part of all in their order.
std::vector<std::vector<ticket>> balanced_by_hand(load_list const& all, std::uint64_t m) {
  std::vector<ticket> packets;
  std::vector<ticket> rests;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (std::size_t i = 0; i < all[rank]; ++i)
      (i < all[rank] / m * m ? packets : rests).push_back(ticket_of(static_cast<int>(rank), i));
  auto const shares = even_parts(packets.size() + rests.size(), all.size());
  auto of_rests = even_parts(rests.size(), all.size());
  if ((packets.size() + rests.size()) % (m * all.size()) == 0)  // then whole packets of them
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      of_rests[rank] = (all.size() - rank) * m <= rests.size() ? m : 0;
  std::vector<std::vector<ticket>> held(all.size());
  std::size_t packet = 0;
  std::size_t rest = 0;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    while (held[rank].size() + of_rests[rank] < shares[rank])
      held[rank].push_back(packets[packet++]);
    while (held[rank].size() < shares[rank]) held[rank].push_back(rests[rest++]);
  }
  return held;
}

auto balanced_on(load_list const& all, balance_options const& options,
                 lockstep::engine engine = lockstep::engine::fibers) {
  lockstep::machine const on(
      lockstep::crossbar{static_cast<int>(all.size())},
      {.strict = true, .packet = options.packet, .engine = engine, .workers = 1});
  return on.run([&](processor& me) {
    auto const mine = tickets_of(me.rank(), all);
    return balance(me, std::span(mine), options);
  });
}

bool is_by_tree(load_list const& all, balance_options const& options) {
  return choose_balance_way(lockstep::plan_balance(all, options.packet), options).is_tree();
}

/// Compares results with a sequential computation and counts with the claims: by a tree there are no rests.
lockstep::counts check_balanced(load_list const& all, balance_options const& options,
                                lockstep::engine engine = lockstep::engine::fibers) {
  auto const run = balanced_on(all, options, engine);
  bool const by_tree = is_by_tree(all, options);
  INFO("p = " << all.size() << ", m = " << options.packet << ", tau = " << options.tau);
  CHECK(run.results() == balanced_by_hand(all, by_tree ? 1 : options.packet));
  CHECK(run.counts().queued == 0);
  CHECK(run.counts().contention <= 1);
  if (!by_tree) CHECK(run.counts().startups <= 5);
  auto const n = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  bool const divides = n % (all.size() * options.packet) == 0;
  lockstep::experiment_result const result{.record = run};
  int compared = 0;
  auto const plan = lockstep::plan_balance(all, options.packet);
  for (auto const& claimed :
       balance_claims({static_cast<int>(all.size()), options.tau, options.packet}, plan)) {
    if (claimed.figure.starts_with("phase")) continue;
    if (claimed.figure == "h") {
      CHECK(holds(claimed, plan.most_readers));
      continue;
    }
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ", measured "
                        << measured_for(claimed, result));
    bool const has_to_hold = divides || claimed.erratum.empty();
    CHECK((holds(claimed, measured_for(claimed, result)) || !has_to_hold));
    ++compared;
  }
  CHECK(compared >= 6);
  return run.counts();
}

}  // namespace

TEST_CASE("balancing gives everybody n/p elements, as a sequential computation has them") {
  for (int const p : {1, 2, 3, 5, 8, 9, 16})
    for (std::uint64_t const m : {1U, 2U, 4U, 7U, 16U})
      for (std::uint64_t const n : {0U, 1U, 3U, 16U, 64U, 101U, 448U, 1001U})
        for (auto const& all : sampled_loads(p, n))
          for (std::uint64_t const packets : {0U, 1U, 20U})
            check_balanced(all, {.packet = m, .tau = packets * m});
}

TEST_CASE("what one processor has is dealt out as the cheaper way costs") {
  int trees = 0;
  for (int const p : {3, 8, 27, 64, 100})
    for (std::uint64_t const m : {1U, 4U, 16U})
      for (std::uint64_t const n : {30U, 64U, 300U, 1280U})
        for (std::uint64_t const packets : {0U, 1U, 8U}) {
          load_list all(index(p));
          all[index(p / 2)] = n;
          balance_options const on{.packet = m, .tau = packets * m};
          auto const by_tree = check_balanced(all, on);
          if (!is_by_tree(all, on)) continue;
          ++trees;
          auto straight = on;
          straight.way = lockstep::balance_way::direct;
          auto const time = [&](lockstep::counts const& counts) {
            return counts.startups * on.tau + counts.words;
          };
          CHECK(time(by_tree) < time(balanced_on(all, straight).counts()));
        }
  CHECK(trees >= 10);
}

TEST_CASE("balancing counts the same on every engine", "[threads][sanitize]") {
  balance_options const options{.packet = 3, .tau = 6};
  for (auto const& all : sampled_loads(6, 100))
    CHECK(check_balanced(all, options) == check_balanced(all, options, lockstep::engine::threads));
}

TEST_CASE("phases of balancing have the words of the page") {
  // One source, pm divides n: M - 2 n/p, then n/p, and no rest.
  load_list all(8);
  all[0] = 512;
  auto const run = balanced_on(all, {.packet = 4, .tau = 4});
  REQUIRE(run.phases().size() == 4);
  CHECK(run.phases()[0].name == "sizes");
  CHECK(run.phases()[0].words == 16);  // b = 3: 4 * 2 + 4 * 2
  CHECK(run.phases()[0].startups == 2);
  CHECK(run.phases()[1].words == 6 * 64);
  CHECK(run.phases()[2].words == 64);
  CHECK(run.phases()[3].words == 0);
}

TEST_CASE("what is balanced already does not move") {
  auto const run = balanced_on({6, 6, 6, 6}, {.packet = 2});
  CHECK(run.phases()[0].messages == run.counts().messages);
}

TEST_CASE("one element on each of 100 processors is balanced") {
  check_balanced(load_list(100, 1), {.packet = 16, .tau = 16});
  load_list all(100);
  all[99] = 100;
  check_balanced(all, {.packet = 16, .tau = 16});
}

TEST_CASE("balancing with packets of nothing is refused") {
  lockstep::machine const on(lockstep::crossbar{2});
  CHECK(refusal_of<lockstep::invalid_argument>(on, [](processor& me) {
          std::vector<int> const mine(3);
          return balance(me, std::span(mine), {.packet = 0}).size();
        }) == "2 processors and packets of 0 words: give at least 1 of both");
}

TEST_CASE("what the header of balance shows") {
  lockstep::machine machine{lockstep::crossbar{4}};
  auto run = machine.run([](lockstep::processor& me) {
    std::vector<int> const mine(me.rank() == 2 ? 16 : 0, me.rank());
    return lockstep::balance(me, std::span<int const>(mine)).size();
  });
  CHECK(run.results()[3] == 4);
  CHECK(run.counts().startups == 3);
}
