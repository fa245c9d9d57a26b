#include <lockstep/algorithms/numeric/cannon.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#include "algorithms/numeric/numeric_samples.hpp"
#include "catch.hpp"
#include "index.hpp"

using lockstep::cannon;
using lockstep::machine;
using lockstep::processor;
using lockstep::product_shape;

namespace {

template <class T>
lockstep::counts counts_of_cannon(int q, product_shape const& blocks, std::uint64_t packet = 1,
                                  lockstep::engine engine = lockstep::engine::fibers) {
  samples::blocked_matrices<T> const matrices(q, blocks);
  machine const on(lockstep::torus{{q, q}}, {.strict = true, .packet = packet, .engine = engine});
  auto const run = on.run([&](processor& me) {
    int const i = me.rank() / q;
    int const j = me.rank() % q;
    return cannon(me, blocks, matrices.left(i, j), matrices.right(i, j));
  });
  for (int rank = 0; rank < q * q; ++rank)
    CHECK(run.results()[index(rank)] == matrices.result(rank / q, rank % q));
  return run.counts();
}

}  // namespace

TEST_CASE("Cannon's algorithm multiplies, strict, in its steps and words", "[numeric][threads]") {
  for (auto const engine : samples::engines)
    for (int const q : {1, 2, 3, 4, 5, 8})
      for (auto const& blocks : samples::shapes)
        for (std::uint64_t const packet : {1U, 3U}) {
          if (packet > 1 && q > 4) continue;
          INFO("q " << q << ", blocks " << blocks.rows << " x " << blocks.inner << " x "
                    << blocks.columns);
          auto const counts = counts_of_cannon<std::int64_t>(q, blocks, packet, engine);
          CHECK(counts.rounds == 2 * index(q - 1 + q / 2));
          for (auto const& claimed : lockstep::cannon_claims(q, packet, blocks, 0)) {
            INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value());
            CHECK(holds(claimed, measured_for(claimed, counts)));
          }
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
  auto const run = [](machine const& on, std::size_t elements) {
    on.run([&](processor& me) {
      std::vector<int> const block(elements);
      return cannon(me, {1, 1, 1}, block, block);
    });
  };
  CHECK_THROWS_AS(run(machine{lockstep::crossbar{4}}, 1), lockstep::processor_failed);
  CHECK_THROWS_AS(run(machine{lockstep::torus{{2, 4}}}, 1), lockstep::processor_failed);
  CHECK_THROWS_AS(run(machine{lockstep::torus{{2, 2, 2}}}, 1), lockstep::processor_failed);
  CHECK_THROWS_AS(run(machine{lockstep::torus{{2, 2}}}, 2), lockstep::processor_failed);
  CHECK_THROWS_AS(lockstep::cannon_claims(0, 1, {1, 1, 1}, 0), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::cannon_claims(2, 0, {1, 1, 1}, 0), lockstep::invalid_argument);
}
