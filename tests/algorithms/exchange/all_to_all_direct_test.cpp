#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "check_claims.hpp"
#include "experiments/refusal_of.hpp"
#include "experiments/requests.hpp"

namespace {

/// The processor that gets a block of `rank` in step i = 1 .. p - 1.
using receiver_in_step = std::function<int(int rank, int step)>;

/// The costs of a direct exchange on an a x a mesh.
struct direct_run {
  std::uint64_t steps_without_contention = 0;
  std::uint64_t crossing = 0;  ///< blocks from the upper floor(a/2) rows to the lower ones
};

/// Sends every block straight to its destination, a block a step, in any order of partners.
direct_run exchanged_straight(int a, receiver_in_step const& receiver) {
  int const p = a * a;
  lockstep::machine const on{
      lockstep::parse("mesh:" + std::to_string(a) + "x" + std::to_string(a))};
  auto const run = on.run([&](lockstep::processor& me) {
    std::vector<bool> came(static_cast<std::size_t>(p));
    std::uint64_t crossing = 0;
    for (int step = 1; step < p; ++step) {
      int const to = receiver(me.rank(), step);
      int from = 0;
      while (receiver(from, step) != me.rank()) ++from;
      crossing += me.rank() / a < a / 2 && to / a >= a / 2 ? 1 : 0;
      me.send(to, std::vector<int>{me.rank()});
      came[static_cast<std::size_t>(me.receive<int>(from).front())] = true;
    }
    CHECK(std::ranges::count(came, false) == 1);  // its own
    return crossing;
  });
  CHECK(run.counts().steps == static_cast<std::uint64_t>(p) - 1);
  return {run.counts().serialised_steps,
          std::accumulate(run.results().begin(), run.results().end(), std::uint64_t{0})};
}

/// Partners at a distance that grows by rank, in each dimension, and between ranks that are mixed.
std::vector<receiver_in_step> orders_of_partners(int a) {
  int const p = a * a;
  std::vector<int> mixed(static_cast<std::size_t>(p));
  std::iota(mixed.begin(), mixed.end(), 0);
  std::shuffle(mixed.begin(), mixed.end(), std::mt19937(17));
  std::vector<int> place(mixed.size());
  for (int i = 0; i < p; ++i)
    place[static_cast<std::size_t>(mixed[static_cast<std::size_t>(i)])] = i;
  std::vector<receiver_in_step> orders{
      [p](int rank, int step) { return (rank + step) % p; },
      [a](int rank, int step) { return (rank / a + step / a) % a * a + (rank % a + step % a) % a; },
      [p, mixed, place](int rank, int step) {
        return mixed[static_cast<std::size_t>((place[static_cast<std::size_t>(rank)] + step) % p)];
      }};
  if ((a & (a - 1)) == 0) orders.push_back([](int rank, int step) { return rank ^ step; });
  return orders;
}

}  // namespace

TEST_CASE("no direct exchange takes fewer steps without contention than Scott's bound") {
  int const a = GENERATE(2, 3, 4, 5, 6, 7, 8);
  auto const side = static_cast<std::uint64_t>(a);
  auto const least = lockstep::direct_exchange_bound(side);
  for (auto const& order : orders_of_partners(a)) {
    auto const [steps, crossing] = exchanged_straight(a, order);
    INFO("a = " << a << ", " << steps << " steps");
    CHECK(steps >= least);
    CHECK(crossing == least * side);  // over the links of the middle, one way
  }
  if (a % 2 == 0) CHECK(least == side * side * side / 4);
}

TEST_CASE("Scott's bound is that of the middle's links, and no bound on every exchange") {
  CHECK(lockstep::direct_exchange_bound(0) == 0);
  CHECK(lockstep::direct_exchange_bound(2'000'000) == 2'000'000'000'000'000'000);
  CHECK(lockstep::direct_exchange_bound(128) == 524'288);
  CHECK_THROWS_AS(lockstep::direct_exchange_bound(2'000'001), lockstep::invalid_argument);
  for (int const a : {4, 8}) {  // on mesh:2x2 an in-port takes longer
    auto const spec = "mesh:" + std::to_string(a) + "x" + std::to_string(a);
    auto const bound = lockstep::direct_exchange_bound(static_cast<std::uint64_t>(a));
    // Words of one-word blocks have the same bound in a run that shares no link.
    auto const combined = requests::run("all-to-all", spec);
    auto const halves = std::ranges::find(combined.bounds, lockstep::bound_reason::halves,
                                          &lockstep::lower_bound::reason);
    REQUIRE(halves != combined.bounds.end());
    CHECK(halves->value == bound);
    CHECK(combined.record.counts().serialised_steps < bound);
    auto const direct = requests::run("all-to-all-direct", spec);
    CHECK(direct.record.counts().serialised_steps >= bound);
    CHECK(lockstep::strongest(direct.bounds, "serialised_steps") == nullptr);
  }
}

TEST_CASE("the direct exchange on meshes and tori, with its contention") {
  auto const [spec, steps, with_contention, serialised] =
      GENERATE(table<std::string, std::uint64_t, int, std::uint64_t>({
          {"mesh:2x2", 3, 0, 3},
          {"mesh:2x4", 7, 4, 11},
          {"mesh:4x4", 15, 12, 27},
          {"mesh:4x8", 31, 28, 91},
          {"mesh:8x8", 63, 60, 219},
          {"mesh:8x16", 127, 124, 731},
          {"mesh:16x16", 255, 252, 1755},
          {"torus:4x4", 15, -1, 22},
          {"torus:4x8", 31, -1, 65},
          {"torus:8x8", 63, -1, 153},
      }));
  auto const result = requests::run("all-to-all-direct", spec);
  INFO(spec);
  reference::check_result(result);
  auto const& all = result.record.counts();
  CHECK(all.steps == steps);
  CHECK(all.serialised_steps == serialised);
  CHECK(all.queued == 0);
  auto const measured = std::ranges::count_if(result.record.steps(),
                                              [](auto const& step) { return step.contention > 1; });
  if (with_contention >= 0) CHECK(measured == with_contention);
}

TEST_CASE("the contention of every step on a 2 x 4 mesh") {
  std::vector<std::uint64_t> contention;
  for (auto const& step : requests::run("all-to-all-direct", "mesh:2x4").record.steps())
    contention.push_back(step.contention);
  CHECK(contention == std::vector<std::uint64_t>{1, 2, 2, 1, 1, 2, 2});
}

TEST_CASE("direct exchanges of larger blocks, and in other dimensions", "[sanitize]") {
  std::string const spec = GENERATE("mesh:8", "mesh:1", "torus:2x2x4", "mesh:2x4x2");
  INFO(spec);
  reference::check_result(requests::run("all-to-all-direct", spec, {{"words", 5}}));
}

TEST_CASE("what the direct exchange cannot work with is refused") {
  CHECK_THAT(requests::refusal("all-to-all-direct", "hypercube:3"),
             has_text("neither a torus nor a mesh"));
  auto const refused = [](std::string const& on, std::size_t elements) {
    return refusal_of<lockstep::invalid_argument>(
        lockstep::machine{lockstep::parse(on)}, [elements](lockstep::processor& me) {
          return lockstep::all_to_all_direct(me, std::vector<int>(elements)).size();
        });
  };
  CHECK_THAT(refused("mesh:2x2", 5), has_text("5 elements") && has_text("4 processors"));
  CHECK_THAT(refused("mesh:3", 3), has_text("powers of two"));
}
