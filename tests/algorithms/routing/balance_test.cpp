#include <lockstep/algorithms/routing/balance.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
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

lockstep::machine machine_to_balance(std::size_t p, std::uint64_t packet,
                                     lockstep::engine engine = lockstep::engine::fibers) {
  return lockstep::machine(lockstep::crossbar{static_cast<int>(p)},
                           {.strict = true, .packet = packet, .engine = engine, .workers = 1});
}

auto balanced_on(lockstep::machine const& on, load_list const& all,
                 balance_options const& options) {
  return on.run([&](processor& me) {
    auto const mine = tickets_of(me.rank(), all);
    return balance(me, std::span(mine), options);
  });
}

/// The same with these options: by a tree there are no rests.
std::vector<std::vector<ticket>> balanced_by_hand(load_list const& all,
                                                  balance_options const& options) {
  auto const plan = lockstep::plan_balance(all, options.packet);
  return balanced_by_hand(all, choose_balance_way(plan, options).is_tree() ? 1 : options.packet);
}

/// Compares results with a sequential computation and counts with the claims.
void check_balanced(load_list const& all, balance_options const& options) {
  auto const run = balanced_on(machine_to_balance(all.size(), options.packet), all, options);
  CHECK(run.results() == balanced_by_hand(all, options));
  CHECK(run.counts().queued == 0);
  CHECK(run.counts().contention <= 1);
  lockstep::experiment_result const result{.record = run};
  int compared = 0;
  for (auto const& claimed :
       balance_claims({static_cast<int>(all.size()), options.tau, options.packet},
                      lockstep::plan_balance(all, options.packet))) {
    if (claimed.figure.starts_with("phase")) continue;
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ", measured "
                        << measured_for(claimed, result));
    CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
    ++compared;
  }
  CHECK(compared >= 6);
}

}  // namespace

TEST_CASE("balancing gives everybody n/p elements, as a sequential computation has them") {
  for (int const p : {1, 2, 3, 5, 8, 16})
    for (std::uint64_t const m : {1U, 2U, 4U, 7U})
      for (std::uint64_t const n : {0U, 1U, 3U, 16U, 64U, 101U, 448U})
        for (auto const& all : sampled_loads(p, n)) {
          INFO("p = " << p << ", m = " << m << ", n = " << n);
          check_balanced(all, {.packet = m, .tau = m});
        }
}

TEST_CASE("what one processor has is dealt out as the cheaper way costs") {
  int trees = 0;
  for (int const p : {3, 8, 27, 64, 100})
    for (std::uint64_t const m : {1U, 4U, 16U})
      for (std::uint64_t const n : {30U, 64U, 300U, 1280U})
        for (std::uint64_t const packets : {0U, 1U, 8U}) {
          INFO("p = " << p << ", m = " << m << ", n = " << n << ", tau = " << packets * m);
          load_list all(index(p));
          all[index(p / 2)] = n;
          balance_options const on{.packet = m, .tau = packets * m};
          check_balanced(all, on);
          auto const plan = lockstep::plan_balance(all, m);
          if (!choose_balance_way(plan, on).is_tree()) continue;
          ++trees;
          auto straight = on;
          straight.way = lockstep::balance_way::direct;
          auto const time = [&](balance_options const& options) {
            auto const counts =
                balanced_on(machine_to_balance(all.size(), m), all, options).counts();
            return counts.startups * on.tau + counts.words;
          };
          CHECK(time(on) < time(straight));
        }
  CHECK(trees >= 10);
}

TEST_CASE("balancing counts the same on every engine", "[threads][sanitize]") {
  for (auto const& all : sampled_loads(6, 100)) {
    balance_options const options{.packet = 3, .tau = 6};
    auto const on_fibers = balanced_on(machine_to_balance(6, 3), all, options);
    auto const on_threads =
        balanced_on(machine_to_balance(6, 3, lockstep::engine::threads), all, options);
    CHECK(on_fibers.results() == on_threads.results());
    CHECK(on_fibers.results() == balanced_by_hand(all, options));
    CHECK(on_fibers.counts() == on_threads.counts());
  }
}

TEST_CASE("phases of balancing have the words of the page") {
  // One source, pm divides n: M - 2 n/p, then n/p, and no rest.
  load_list all(8);
  all[0] = 512;
  auto const run = balanced_on(machine_to_balance(8, 4), all, {.packet = 4, .tau = 4});
  REQUIRE(run.phases().size() == 4);
  CHECK(run.phases()[0].name == "sizes");
  CHECK(run.phases()[0].words == 16);  // b = 3: 4 * 2 + 4 * 2
  CHECK(run.phases()[0].startups == 2);
  CHECK(run.phases()[1].words == 6 * 64);
  CHECK(run.phases()[2].words == 64);
  CHECK(run.phases()[3].words == 0);
}

TEST_CASE("what is balanced already does not move") {
  auto const run = balanced_on(machine_to_balance(4, 2), {6, 6, 6, 6}, {.packet = 2});
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
