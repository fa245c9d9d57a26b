#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "simulation.hpp"

// Table 1 gives its formulas for n dimensions; they do not hold for n = 1.

using namespace as_printed;

namespace {

/// One ring phase, even nodes one way round and odd nodes the other; with stride 4 partners at
/// distance 2 after it; partners at distance 1.
exchange_rules in_one_dimension(network const& on, int stride) {
  exchange_rules rules = rules_of(on);
  rules.ring = [both_ways = on.wraps, stride](node const& x, int /*phase*/) -> along {
    bool const forward = !both_ways || x[0] % 2 == 0;
    return {0, forward ? stride : -stride};
  };
  rules.distance_2 = nullptr;
  if (stride == 4)
    rules.distance_2 = [](node const& x, int /*step*/) -> along {
      return {0, x[0] % 4 < 2 ? 2 : -2};
    };
  return rules;
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
