#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "simulation.hpp"

// 3.1.2: nodes with short rings "idle or send empty messages" until the longest ring is through. If
// they go on at once instead, links are shared.

using namespace as_printed;

namespace {

struct aligned_and_not {
  std::vector<int> sizes;
  std::uint64_t steps;
  std::uint64_t aligned_steps;
};

}  // namespace

TEST_CASE("alignment: without barriers steps are saved, and links shared", "[errata]") {
  auto const expected = GENERATE(aligned_and_not{{8, 12}, 7, 8}, aligned_and_not{{4, 8}, 5, 6},
                                 aligned_and_not{{12, 8, 4}, 9, 12});
  network const on{expected.sizes, true};
  auto unaligned = rules_of(on);
  unaligned.aligned = false;

  auto const aligned = as_printed::run(on, rules_of(on), {.strict = true});
  CHECK(misplaced(on, aligned.results(), 1) == 0);
  CHECK(aligned.counts().steps == expected.aligned_steps);

  auto const at_once = as_printed::run(on, unaligned);
  CHECK(misplaced(on, at_once.results(), 1) == 0);
  CHECK(at_once.counts().steps == expected.steps);
  CHECK(at_once.counts().contention == 2);
  CHECK(breakdown_of<lockstep::link_contention>([&] {
          static_cast<void>(as_printed::run(on, unaligned, {.strict = true}));
        }).step > 0);
}

TEST_CASE("alignment: rings of one length need no barriers", "[errata]") {
  for (auto const& sizes : {std::vector{8, 8}, std::vector{12, 12}, std::vector{8, 8, 8}}) {
    network const on{sizes, true};
    auto unaligned = rules_of(on);
    unaligned.aligned = false;
    auto const at_once = as_printed::run(on, unaligned, {.strict = true});
    CHECK(misplaced(on, at_once.results(), 1) == 0);
    CHECK(at_once.counts() == as_printed::run(on, rules_of(on), {.strict = true}).counts());
  }
}
