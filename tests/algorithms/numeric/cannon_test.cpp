#include <lockstep/algorithms/numeric/cannon.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#include "algorithms/numeric/numeric_samples.hpp"
#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"

using lockstep::cannon;
using lockstep::machine;
using lockstep::processor;
using lockstep::product_shape;

namespace {

template <class T>
lockstep::counts counts_of_cannon(int q, product_shape const& blocks, std::uint64_t packet = 1,
                                  lockstep::engine engine = lockstep::engine::fibers) {
  machine const on(lockstep::torus{{q, q}}, {.strict = true, .packet = packet, .engine = engine});
  return samples::checked_product<T>(on, q, blocks, std::identity{},
                                     [&](processor& me, auto left, auto right) {
                                       return cannon(me, blocks, std::move(left), std::move(right));
                                     });
}

}  // namespace

TEST_CASE("Cannon's algorithm multiplies, strict, in its steps and words", "[numeric][threads]") {
  for (auto const engine : samples::engines)
    for (int const q : {1, 2, 3, 4, 5, 8})
      for (auto const& blocks : samples::shapes)
        for (std::uint64_t const packet : {1U, 3U}) {
          if (packet > 1 && q > 4) continue;
          auto const counts = counts_of_cannon<std::int64_t>(q, blocks, packet, engine);
          CHECK(counts.rounds == 2 * index(q - 1 + q / 2));
          samples::check_claims(lockstep::cannon_claims(q, packet, blocks, 0), counts);
        }
}

TEST_CASE("Cannon's counts on 6 x 6 processors", "[numeric]") {
  auto const counts = counts_of_cannon<double>(6, {2, 2, 2});
  CHECK(counts.steps == 16);  // 6 of the skew, 10 of the shifts
  CHECK(counts.startups == 16);
  CHECK(counts.words == 64);
  CHECK(counts.hops == 16);
  CHECK(counts.contention == 1);
}

TEST_CASE("Cannon's algorithm refuses other networks, and blocks of another size", "[numeric]") {
  auto const run = [](auto const& network, std::size_t elements) {
    machine{network}.run([&](processor& me) {
      std::vector<int> const block(elements);
      return cannon(me, {1, 1, 1}, block, block);
    });
  };
  CHECK_THROWS_AS(run(lockstep::crossbar{4}, 1), lockstep::processor_failed);
  for (auto const& sizes : {std::vector{2, 4}, {2, 2, 2}})
    CHECK_THROWS_AS(run(lockstep::torus{sizes}, 1), lockstep::processor_failed);
  CHECK_THROWS_AS(run(lockstep::torus{{2, 2}}, 2), lockstep::processor_failed);
  CHECK_THROWS_AS(lockstep::cannon_claims(0, 1, {1, 1, 1}, 0), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::cannon_claims(2, 0, {1, 1, 1}, 0), lockstep::invalid_argument);
}

TEST_CASE("Cannon's algorithm refuses blocks of different shapes", "[numeric]") {
  machine const on(lockstep::torus{{2, 2}});
  auto const refused = refusal_of<lockstep::size_mismatch>(on, [](processor& me) {
    std::size_t const rows = me.rank() == 0 ? 2 : 1;
    return cannon(me, {rows, 1, 1}, std::vector<int>(rows), std::vector<int>(1));
  });
  CHECK_THAT(refused, has_text("a block of 1 elements in place of one of 2"));
}
