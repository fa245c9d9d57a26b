#include <optional>

#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "simulation.hpp"

// Table 1 gives its formulas for n dimensions; n = 1 is none of them.

using namespace as_printed;

namespace {

/// The ring phase: N/stride - 1 steps, even nodes one way round, odd nodes the other.
step_list ring_phase(network const& on, int stride) {
  bool const both_ways = on.wraps;
  return step_list(static_cast<std::size_t>(on.sizes[0] / stride - 1), [=](node const& x) {
    bool const forward = !both_ways || x[0] % 2 == 0;
    return transmission{0, forward ? stride : -stride, true};
  });
}

/// Three phases for a torus with stride 4, two for a mesh, or a torus, with stride 2.
step_list in_one_dimension(network const& on, int stride) {
  auto all = ring_phase(on, stride);
  if (stride == 4)
    all.emplace_back([](node const& x) -> std::optional<transmission> {
      return transmission{0, x[0] % 4 < 2 ? 2 : -2, false};
    });
  all.push_back(exchange_at_distance_1(0));
  return all;
}

/// The words on the critical path if messages that share a link take turns.
std::uint64_t words_in_turns(lockstep::run_record const& run) {
  std::uint64_t words = 0;
  for (auto const& step : run.steps()) words += step.contention * step.largest;
  return words;
}

}  // namespace

TEST_CASE("erratum 12: a ring has contention with stride 4", "[errata]") {
  network const ring{{16}, true};
  auto const run = as_printed::run(ring, in_one_dimension(ring, 4));
  CHECK(misplaced(ring, run.results(), 1) == 0);
  CHECK(run.counts().steps == 16 / 4 + 1);             // n(N1/4 + 1)
  CHECK(run.counts().words == (16 + 4) * 16 / 8);      // n(N1 + 4)N1/8
  CHECK(run.counts().contention == 2);                 // not contention-free
  CHECK(run.counts().serialised_steps == 16 / 2 + 1);  // against 5
  CHECK(words_in_turns(run) == 72);                    // against 40
  CHECK(breakdown_of<lockstep::link_contention>([&] {
          static_cast<void>(as_printed::run(ring, in_one_dimension(ring, 4), {.strict = true}));
        }).step == 1);
}

TEST_CASE("erratum 12: a ring has no contention with stride 2", "[errata]") {
  network const ring{{16}, true};
  auto const run = as_printed::run(ring, in_one_dimension(ring, 2), {.strict = true});
  CHECK(misplaced(ring, run.results(), 1) == 0);
  CHECK(run.counts().steps == 8);
  CHECK(run.counts().words == 64);
}

TEST_CASE("erratum 12: a line has contention", "[errata]") {
  network const line{{16}, false};
  auto const run = as_printed::run(line, in_one_dimension(line, 2));
  CHECK(misplaced(line, run.results(), 1) == 0);
  CHECK(run.counts().steps == 16 / 2);  // n N1/2
  CHECK(run.counts().contention == 2);
  CHECK(run.counts().serialised_steps == 16 - 1);
}
