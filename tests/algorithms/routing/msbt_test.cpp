#include <lockstep/algorithms/routing/msbt.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "routing/hypercube_routing.hpp"

using lockstep::hypercube;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::msbt_scheme;
using lockstep::processor;

namespace {

constexpr std::array schemes{msbt_scheme::optimal, msbt_scheme::plain};

using number = std::uint64_t;

std::vector<number> random_numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<number> numbers(count);
  for (auto& each : numbers) each = random() | 1U;  // odd: products do not vanish
  return numbers;
}

std::string shown(int d, std::size_t k, int root, msbt_scheme scheme) {
  return "d = " + std::to_string(d) + ", k = " + std::to_string(k) + ", root " +
         std::to_string(root) + (scheme == msbt_scheme::plain ? ", plain" : ", optimal");
}

lockstep::counts checked_counts(lockstep::counts const& measured, int d, std::size_t k,
                                msbt_scheme scheme) {
  check_claims(lockstep::msbt_claims(hypercube{d}, k, scheme), measured);
  CHECK(measured.volume == measured.messages);
  CHECK(measured.queued == 0);
  return measured;
}

lockstep::counts checked_broadcast(int d, std::size_t k, int root, msbt_scheme scheme,
                                   machine_options const& options = one_port_strict) {
  machine const on{hypercube{d}, options};
  auto const packets = random_numbers(k, 7);
  auto const run = on.run([&](processor& me) {
    std::vector<number> mine(k);
    if (me.rank() == root) mine = packets;
    lockstep::msbt_broadcast(me, std::span(mine), root, scheme);
    return mine;
  });
  INFO("broadcast, " << shown(d, k, root, scheme));
  CHECK(run.results() == std::vector(index(on.size()), packets));
  return checked_counts(run.counts(), d, k, scheme);
}

template <class Operator>
lockstep::counts checked_sum(Operator const& plus, int d, std::size_t k, int root,
                             msbt_scheme scheme, machine_options const& options = one_port_strict) {
  machine const on{hypercube{d}, options};
  auto const numbers = random_numbers(index(on.size()) * k, 8);
  auto const run = on.run([&](processor& me) {
    auto const mine = std::span(numbers).subspan(index(me.rank()) * k, k);
    return lockstep::msbt_sum(me, plus, mine, root, scheme);
  });
  INFO("sum, " << shown(d, k, root, scheme));
  std::vector<std::vector<number>> expected(index(on.size()));  // nothing but at the root
  auto& sums = expected[index(root)];
  sums.assign(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(k));
  for (std::size_t i = k; i < numbers.size(); ++i) sums[i % k] = plus(sums[i % k], numbers[i]);
  CHECK(run.results() == expected);
  return checked_counts(run.counts(), d, k, scheme);
}

/// The steps that section 4 allows, less one where it can be had.
std::uint64_t steps_of(int d, int k, msbt_scheme scheme) {
  if (d == 0 || k == 0) return 0;
  return static_cast<std::uint64_t>(scheme == msbt_scheme::plain && d > 1 ? k + d : k + d - 1);
}

}  // namespace

TEST_CASE("the broadcast of the documentation's example", "[routing][sanitize]") {
  lockstep::machine cube{lockstep::hypercube{4}, {.strict = true}};
  auto run = cube.run([](lockstep::processor& me) {
    std::vector<int> packets(8);
    if (me.rank() == 5) std::iota(packets.begin(), packets.end(), 100);
    lockstep::msbt_broadcast(me, std::span(packets), 5);
    return packets;
  });
  CHECK(run.results()[15][7] == 107);
  CHECK(run.counts().steps == 11);
}

TEST_CASE("k packets to and from all processors, in lock step on one port", "[routing]") {
  for (auto const scheme : schemes)
    for (int d = 0; d <= 10; ++d)
      for (int const k : {0, 1, 2, 3, 7, 64}) {
        int const root = (k * 37) % (1 << d);
        auto const steps = steps_of(d, k, scheme);
        CHECK(checked_broadcast(d, index(k), root, scheme).steps == steps);
        CHECK(checked_sum(std::plus<number>{}, d, index(k), root, scheme).steps == steps);
      }
}

TEST_CASE("packets from and to every root", "[routing]") {
  for (auto const scheme : schemes)
    for (int d = 0; d <= 5; ++d)
      for (int root = 0; root < 1 << d; ++root)
        for (std::size_t const k : {1U, 2U, 5U, 11U}) {
          checked_broadcast(d, k, root, scheme);
          checked_sum(std::plus<number>{}, d, k, root, scheme);
        }
}

TEST_CASE("all numbers of packets around the number of dimensions", "[routing]") {
  for (auto const scheme : schemes)
    for (int d = 1; d <= 6; ++d)
      for (int k = 1; k <= 3 * d + 2; ++k) {
        CHECK(checked_broadcast(d, index(k), 1, scheme).messages == ((1U << d) - 1) * index(k));
        checked_sum(std::multiplies<number>{}, d, index(k), 1, scheme);
      }
}

TEST_CASE("every operator that is commutative adds up", "[routing][sanitize]") {
  for (auto const scheme : schemes) {
    checked_sum(std::multiplies<number>{}, 4, 9, 11, scheme);
    checked_sum(std::plus<number>{}, 4, 9, 11, scheme);
  }
}

TEST_CASE("on one port no processor sends or receives two packets in a step", "[routing]") {
  for (auto const scheme : schemes)
    for (int d = 1; d <= 7; ++d) {
      lockstep::msbt_schedule const schedule(hypercube{d}, 13, scheme);
      std::vector<std::vector<int>> had(index(1 << d), std::vector<int>(13));
      had[0].assign(13, 1);
      for (std::uint64_t step = 0; step < schedule.steps(); ++step) {
        auto has = had;
        for (int rank = 0; rank < 1 << d; ++rank)
          if (auto const packet = schedule.sent(rank, step)) {
            CHECK(had[index(rank)][*packet] == 1);  // since an earlier step
            ++has[index(rank ^ (1 << schedule.dimension(step)))][*packet];
          }
        had = has;
      }
      for (auto const& packets : had) CHECK(packets == std::vector<int>(13, 1));  // each once
      CHECK_FALSE(schedule.sent(0, schedule.steps()));
    }
}

TEST_CASE("a schedule of nothing asks for nothing", "[routing][sanitize]") {
  for (auto const scheme : schemes) {
    lockstep::msbt_schedule const alone(hypercube{0}, 5, scheme);
    CHECK(alone.steps() == 0);
    CHECK(alone.dimension(3) == 0);
    CHECK_FALSE(alone.sent(0, 0));
    lockstep::msbt_schedule const idle(hypercube{3}, 0, scheme);
    CHECK(idle.steps() == 0);
    CHECK_FALSE(idle.sent(0, 0));
  }
}

TEST_CASE("packets in all subcubes at the same time", "[routing][sanitize]") {
  using lockstep::dimensions;
  for (auto const scheme : schemes)
    for (auto const& varying : {dimensions{0, 1, 2}, dimensions{3, 4, 5}, dimensions{1, 4}}) {
      machine const on{hypercube{6}, one_port_strict};
      auto const run = on.run([&](processor& me) {
        auto part = me.subset(varying);
        int const first = me.topology().members(me.rank(), varying).front();
        int const root = first % part.size();
        std::vector<int> packets(5);
        if (part.rank() == root) std::iota(packets.begin(), packets.end(), 100 * first);
        lockstep::msbt_broadcast(part, std::span(packets), root, scheme);
        std::vector<int> expected(5);
        std::iota(expected.begin(), expected.end(), 100 * first);

        std::vector<int> const mine{me.rank(), 1, 2 * me.rank()};
        auto const sums = lockstep::msbt_sum(part, std::plus<int>{}, std::span(mine), root, scheme);
        int sum = 0;
        for (int const member : me.topology().members(me.rank(), varying)) sum += member;
        bool const right =
            part.rank() == root ? sums == std::vector{sum, part.size(), 2 * sum} : sums.empty();
        return packets == expected && right;
      });
      for (bool const right : run.results()) CHECK(right);
      int const d = static_cast<int>(varying.list.size());
      CHECK(run.counts().steps == steps_of(d, 5, scheme) + steps_of(d, 3, scheme));
    }
}

TEST_CASE("binomial trees cost the same on every engine", "[routing][threads][sanitize]") {
  for (auto const scheme : schemes) {
    auto const sum = checked_sum(std::bit_xor<number>{}, 5, 7, 9, scheme);
    auto const broadcast = checked_broadcast(5, 7, 9, scheme);
    for (auto const& options : on_all_engines(one_port_strict)) {
      CHECK(checked_sum(std::bit_xor<number>{}, 5, 7, 9, scheme, options) == sum);
      CHECK(checked_broadcast(5, 7, 9, scheme, options) == broadcast);
    }
  }
}

TEST_CASE("a gather of values that are spread in any way", "[routing][sanitize]") {
  std::mt19937 random(4);
  for (auto const scheme : schemes)
    for (int d = 0; d <= 5; ++d)
      for (int const k : {0, 1, 5, 40}) {
        std::vector<unsigned> holder(index(k));
        for (auto& each : holder) each = static_cast<unsigned>(random()) % (1U << d);
        if (k > 1) holder[1] = 1U << d;  // nobody
        int const root = (1 << d) / 3;
        machine const on{hypercube{d}, one_port_strict};
        auto const run = on.run([&](processor& me) {
          std::vector<std::optional<int>> held(index(k));
          for (int i = 0; i < k; ++i)
            if (holder[index(i)] == static_cast<unsigned>(me.rank())) held[index(i)] = 1000 + i;
          return lockstep::msbt_gather(me, std::span<std::optional<int> const>(held), root, scheme);
        });
        INFO(shown(d, index(k), root, scheme));
        for (int rank = 0; rank < on.size(); ++rank) {
          std::vector<std::optional<int>> expected;
          for (int i = 0; i < k && rank == root; ++i)
            expected.push_back(i == 1 ? std::nullopt : std::optional(1000 + i));
          CHECK(run.results()[index(rank)] == expected);
        }
        checked_counts(run.counts(), d, index(k), scheme);
      }
}

TEST_CASE("a gather of two values of one index is refused", "[routing][sanitize]") {
  CHECK(refusal_on(machine{hypercube{3}, one_port_strict},
                   [](processor& me) {
                     std::vector<std::optional<int>> held(2);
                     if (me.rank() == 2 || me.rank() == 5) held[1] = 7;
                     static_cast<void>(
                         lockstep::msbt_gather(me, std::span<std::optional<int> const>(held)));
                   }) ==
        "gather: two processors have a value of the same index; give each index one value in all");
}

TEST_CASE("a root that is not a rank is refused", "[routing][sanitize]") {
  machine const on{hypercube{3}, one_port_strict};
  for (int const root : {-1, 8}) {
    std::vector<int> const numbers(2);
    auto const broadcast = [&](processor& me) {
      auto packets = numbers;
      lockstep::msbt_broadcast(me, std::span(packets), root);
    };
    auto const sum = [&](processor& me) {
      static_cast<void>(lockstep::msbt_sum(me, std::plus<int>{}, std::span(numbers), root));
    };
    CHECK_THAT(refusal_of<lockstep::invalid_rank>(on, broadcast), has_text(std::to_string(root)));
    CHECK_THAT(refusal_of<lockstep::invalid_rank>(on, sum), has_text(std::to_string(root)));
  }
}

TEST_CASE("there are no binomial trees on other networks", "[routing]") {
  machine const on{lockstep::crossbar{4}};
  auto const* const refused =
      "binomial trees: crossbar:4 is not a hypercube; take hypercube:4, for example, or a subcube "
      "of one";
  CHECK(refusal_on(on, [](processor& me) {
          std::vector<int> packets(2);
          lockstep::msbt_broadcast(me, std::span(packets));
        }) == refused);
  CHECK_THROWS_WITH(lockstep::msbt_claims(on.topology(), 1, msbt_scheme::plain), has_text(refused));
}
