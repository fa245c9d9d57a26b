#include <lockstep/algorithms/numeric/summa.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/torus.hpp>

#include "algorithms/numeric/numeric_samples.hpp"
#include "catch.hpp"
#include "index.hpp"

using lockstep::machine;
using lockstep::processor;
using lockstep::product_shape;
using lockstep::summa;

namespace {

template <class T>
lockstep::counts counts_of_summa(int q, product_shape const& blocks, int panels,
                                 lockstep::engine engine = lockstep::engine::fibers) {
  machine const on(lockstep::torus{{q, q}}, {.strict = true, .packet = 2, .engine = engine});
  return samples::checked_product<T>(on, q, blocks, std::identity{},
                                     [&](processor& me, auto const& left, auto const& right) {
                                       return summa<T>(me, blocks, left, right, {panels});
                                     });
}

}  // namespace

TEST_CASE("SUMMA multiplies, strict, in its steps and words", "[numeric][threads]") {
  for (auto const engine : samples::engines)
    for (int const q : {1, 2, 3, 4, 5, 8})
      for (int const panels : {1, 2, 3})
        for (product_shape blocks : samples::shapes) {
          blocks.inner *= index(panels);
          INFO(panels << " panels");
          samples::check_claims(lockstep::summa_claims(q, 2, blocks, 0, {panels}),
                                counts_of_summa<std::int64_t>(q, blocks, panels, engine));
        }
}

TEST_CASE("SUMMA's steps and words for more and more panels", "[numeric]") {
  constexpr int q = 4;
  product_shape const blocks{8, 8, 8};  // n = 32: 2n^2/sqrt(p) = 512
  auto const steps = [&](int panels) { return counts_of_summa<int>(q, blocks, panels).steps; };
  auto const words = [&](int panels) { return counts_of_summa<int>(q, blocks, panels).words; };
  CHECK(steps(1) == 2 * (4 + 5));
  CHECK(steps(8) == 2 * (32 + 5));
  CHECK(words(1) == 18 * 64);
  CHECK(words(8) == 74 * 8);
}

TEST_CASE("a panel goes once to every other processor of its ring", "[numeric]") {
  for (int const q : {2, 3, 7})
    for (int const panels : {1, 4}) {
      lockstep::detail::panel_schedule const schedule(q, panels);
      for (int place = 0; place < q; ++place) {
        std::vector<int> sends(index(schedule.slots() + 1));
        for (int panel = 0; panel < schedule.count(); ++panel) {
          CHECK(schedule.receives(panel, place) == (schedule.begins_at(panel) != place));
          if (!schedule.sends(panel, place)) continue;
          auto const slot = schedule.slot_of_send(panel, place);
          REQUIRE((slot >= 1 && slot <= schedule.slots()));
          CHECK(sends[index(slot)]++ == 0);  // one-port
        }
      }
    }
}

TEST_CASE("SUMMA refuses panels that do not divide a block", "[numeric]") {
  machine const on(lockstep::torus{{2, 2}});
  for (int const panels : {0, -1, 3})
    CHECK_THROWS_AS(on.run([&](processor& me) {
      std::vector<int> const block(4);
      return summa<int>(me, {2, 2, 2}, block, block, {panels});
    }),
                    lockstep::processor_failed);
  CHECK_THROWS_AS(lockstep::summa_claims(2, 1, {2, 2, 2}, 4, {3}), lockstep::invalid_argument);
}
