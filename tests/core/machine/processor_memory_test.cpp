// processor::memory: what is taken from it is counted, and may outlive the run.

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/json.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "core/machines.hpp"

namespace {

using namespace reference;
using lockstep::hypercube;
using lockstep::machine;
using lockstep::processor;

}  // namespace

TEST_CASE("the peak of each processor's memory is counted", "[core][memory][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const cube{hypercube{2}, on(choice)};
  auto const run = cube.run([](processor& me) {
    std::vector<std::size_t> seen;
    if (me.rank() == 0) return seen;  // takes none
    auto const words = static_cast<std::size_t>(10 * me.rank());
    {
      std::pmr::vector<std::int64_t> const first(words, me.memory());
      std::pmr::vector<std::int64_t> const second(words, 7, &me.memory());
      seen.push_back(me.memory().bytes());
    }
    std::pmr::vector<std::int64_t> const less(words, me.memory());
    seen.insert(seen.end(), {me.memory().bytes(), me.memory().peak_bytes()});
    return seen;
  });
  CHECK(run.counts().memory == 60);
  CHECK(run.counts().steps == 0);
  CHECK(run.processors()[0].memory == 0);
  for (std::size_t rank = 1; rank < 4; ++rank) {
    CHECK(run.results()[rank] == std::vector{160 * rank, 80 * rank, 160 * rank});
    CHECK(run.processors()[rank].memory == 20 * rank);
  }
}

TEST_CASE("memory is counted in words of the machine, begun ones included", "[core][memory]") {
  auto const words = [](std::size_t word_bytes) {
    machine const one{hypercube{0}, {.word_bytes = word_bytes}};
    auto const run =
        one.run([](processor& me) { std::pmr::vector<std::int32_t> const five(5, me.memory()); });
    return run.counts().memory;
  };
  CHECK(words(1) == 20);
  CHECK(words(4) == 5);
  CHECK(words(8) == 3);
  CHECK(words(20) == 1);
  CHECK(words(21) == 1);
  CHECK_THROWS_AS(words(0), lockstep::invalid_argument);
}

TEST_CASE("memory is the same in a subset, and no words travel", "[core][memory]") {
  auto const run = machine{hypercube{2}}.run([](processor& me) {
    auto row = me.subset(lockstep::dimensions{0});
    std::pmr::vector<char> const bytes(17, row.memory());
    return &row.memory() == &me.memory();
  });
  CHECK(run.results() == std::vector<bool>(4, true));
  CHECK(run.counts() == lockstep::counts{.memory = 3});
}

TEST_CASE("memory may outlive the run", "[core][memory][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  using block = std::pmr::vector<int>;
  std::optional<std::vector<block>> results;
  {
    machine const cube{hypercube{2}, on(choice)};
    results = cube.run([](processor& me) {
                    return block(static_cast<std::size_t>(me.rank()), me.rank(), me.memory());
                  })
                  .results();
  }
  CHECK((*results)[3] == block{3, 3, 3});
  (*results)[3].push_back(4);  // grows in the memory of a processor of a run that is over
  CHECK((*results)[3].back() == 4);
  results.reset();
}

TEST_CASE("a record keeps the memory that an empty container is for", "[core][memory][sanitize]") {
  auto run =
      machine{hypercube{1}}.run([](processor& me) { return std::pmr::vector<int>(me.memory()); });
  auto const record = run;
  auto results = std::move(run).results();
  results[1].assign(100, 5);
  CHECK(results[1][99] == 5);
}

TEST_CASE("memory of a run that fails is given back", "[core][memory][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const cube{hypercube{2}, on(choice)};
  CHECK_THROWS_AS(cube.run([](processor& me) {
    std::pmr::vector<int> block(100, me.memory());
    block[0] = me.exchange(me.rank() ^ 1, 1);
    (void)me.receive<int>(me.rank() ^ 1);  // nothing comes
    return block;
  }),
                  lockstep::deadlock);
}

TEST_CASE("memory of another program's processor is refused", "[core][memory]") {
  CHECK_THROWS_AS(machine{hypercube{1}}.run([](processor& outer) {
    machine{hypercube{1}}.run([&](processor&) { (void)outer.memory(); });
  }),
                  lockstep::processor_failed);
}

TEST_CASE("memory is shown only where there is any", "[core][memory]") {
  lockstep::counts const none{.steps = 1};
  lockstep::counts const some{.steps = 1, .memory = 9};
  CHECK(to_string(none).find("memory") == std::string::npos);
  CHECK(to_string(some).find(", queued 0, memory 9") != std::string::npos);
  CHECK_FALSE(nlohmann::json(none).contains("memory"));
  CHECK(nlohmann::json(some)["memory"] == 9);
  CHECK_FALSE(nlohmann::json(lockstep::processor_record{}).contains("memory"));
  CHECK(nlohmann::json(lockstep::processor_record{.memory = 4})["memory"] == 4);
}

TEST_CASE("memory stands for an allocator of anything, and for a resource", "[core][memory]") {
  auto const run = machine{hypercube{0}}.run([](processor& me) {
    std::pmr::vector<bool> const flags(8, me.memory());
    std::pmr::vector<void*> const pointers(2, me.memory());
    std::pmr::memory_resource* const resource = me.memory();
    std::pmr::string const text(40, 'x', resource);
    return resource == &me.memory();
  });
  CHECK(run.results()[0]);
  CHECK(run.counts().memory >= 1 + 2 + 5);
}
