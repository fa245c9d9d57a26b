// The experiments' programs are safe with copied stacks: no processor touches what lies on another's.

#include <cstdint>
#include <memory>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "harness/explanations.hpp"
#include "harness/harness.hpp"

namespace {

using lockstep::experiment;
using lockstep::experiment_request;
using lockstep::stacks;

/// Runs it with all processors on one worker, so that they would find each other's data on its stack.
lockstep::experiment_result run_on(experiment const& which, experiment_request asked, stacks kind,
                                   int workers) {
  asked.options.stacks = kind;
  asked.options.workers = workers;
  asked.stacks_chosen = true;
  return which.run(asked);
}

void check_same(experiment const& which, experiment_request const& asked) {
  INFO(which.name << " on " << asked.network->spec());
  auto const own = run_on(which, asked, stacks::own, 1);
  CHECK(own.correct);
  for (int const workers : {1, 2}) {
    auto const copied = run_on(which, asked, stacks::copied, workers);
    CHECK(copied.correct);
    CHECK(copied.record.counts() == own.record.counts());
    CHECK(copied.figures == own.figures);
  }
}

}  // namespace

TEST_CASE("every experiment comes to the same with copied stacks", "[experiments][stacks]") {
  for (auto const& which : lockstep::experiments())
    check_same(which, lockstep::teaching_request(which));
}

TEST_CASE("large machines copy stacks unless others were chosen", "[harness][stacks]") {
  using lockstep::options_for;
  experiment_request small{.network = std::make_shared<lockstep::hypercube>(16)};
  CHECK(options_for(small).stacks == stacks::own);
  experiment_request large{.network = std::make_shared<lockstep::hypercube>(17)};
  CHECK(options_for(large).stacks == stacks::copied);
  large.options.engine = lockstep::engine::threads;
  CHECK(options_for(large).stacks == stacks::own);
  large.options.engine = lockstep::engine::fibers;
  large.stacks_chosen = true;
  CHECK(options_for(large).stacks == stacks::own);
  small.options.stacks = stacks::copied;
  CHECK(options_for(small).stacks == stacks::copied);
}

TEST_CASE("a run tells what memory it takes before it takes any", "[harness][memory]") {
  auto const* const prefix = lockstep::find_experiment("prefix");
  REQUIRE(prefix != nullptr);
  auto asked = lockstep::teaching_request(*prefix);
  asked.network = std::make_shared<lockstep::hypercube>(30);
  std::uint64_t told = 0;
  asked.told_of_memory = [&](std::uint64_t bytes) { told = bytes; };
  CHECK_THROWS_AS(prefix->run(asked), lockstep::out_of_memory);
  CHECK(told > std::uint64_t{1} << 40U);
}
