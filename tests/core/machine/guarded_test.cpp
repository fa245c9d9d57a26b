// Guarded machines: a program that touches what is another processor's ends the run.

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/machines.hpp"

namespace {

using lockstep::crossbar;
using lockstep::foreign_access;
using lockstep::machine;
using lockstep::processor;
using own_block = std::pmr::vector<std::int64_t>;

lockstep::machine_options const guarded{.guarded = true};

/// What the run of a program on a guarded crossbar of 4 ends in; empty if it ends well.
template <class Program>
std::string complaint(Program const& program) {
  try {
    machine{crossbar{4}, guarded}.run(program);
  } catch (foreign_access const& found) {
    return found.what();
  }
  return {};
}

bool has(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a guarded machine finds the processor that reads another's memory", "[core][guarded]") {
  std::vector<std::int64_t const*> shared(4);
  std::int64_t seen = 0;
  auto const text = complaint([&](processor& me) {
    own_block const mine(8, me.rank(), me.memory());
    shared[static_cast<std::size_t>(me.rank())] = mine.data();
    me.barrier();
    if (me.rank() == 2) seen = shared[1][0];
    me.barrier();
  });
  CHECK(seen == 1);  // the run goes on to the next call
  CHECK(has(text, "processor 2, after its call at "));
  CHECK(has(text, "touched what processor 1 took from its own memory"));
  CHECK(has(text, "guarded_test.cpp"));
}

TEST_CASE("a guarded machine finds the processors that write, the last included",
          "[core][guarded]") {
  std::vector<std::int64_t*> shared(4);
  auto const text = complaint([&](processor& me) {
    own_block mine(1'000'000, me.rank(), me.memory());
    shared[static_cast<std::size_t>(me.rank())] = mine.data();
    me.barrier();
    if (me.rank() == 3) shared[0][999'999] = 5;  // and no call after that
  });
  CHECK(has(text, "processor 3, after its call at "));
  CHECK(has(text, "touched what processor 0 took"));
}

TEST_CASE("the first touch is reported, in any order of execution", "[core][guarded]") {
  std::vector<std::int64_t*> shared(4);
  try {
    machine{crossbar{4}, guarded}.run([&](processor& me) {
      own_block mine(8, me.rank(), me.memory());
      shared[static_cast<std::size_t>(me.rank())] = mine.data();
      me.barrier();
      me.idle(static_cast<std::uint64_t>(4 - me.rank()));
      shared[static_cast<std::size_t>((me.rank() + 1) % 4)][0] = 1;
      me.idle();
    });
    FAIL("nothing was found");
  } catch (foreign_access const& found) {
    CHECK(found.rank() == 3);
    CHECK(found.step() == 2);
  }
}

TEST_CASE("guarded and not, a program that keeps to its own costs the same",
          "[core][guarded][sanitize]") {
  auto const program = [](processor& me) {
    own_block mine(64, me.rank(), me.memory());
    own_block in(64, me.memory());
    for (int dimension = 0; dimension < 4; ++dimension) {
      me.exchange_into(me.rank() ^ (1 << dimension), mine, in, me.rank() ^ (1 << dimension));
      for (std::size_t at = 0; at < mine.size(); ++at) mine[at] += in[at];
    }
    auto moved = std::vector<std::int64_t>(mine.begin(), mine.end());
    auto const got = me.exchange(me.rank() ^ 1, std::move(moved));
    auto const read = me.read(me.rank() ^ 2, 8, 8, mine);
    me.write(me.rank() ^ 4, 0, read, mine);
    std::pmr::string name("a text that takes memory of its own, since it is long", me.memory());
    name += name;
    return std::accumulate(mine.begin(), mine.end(), got[0] + read[7]) +
           static_cast<std::int64_t>(name.size());
  };
  auto const plain = machine{lockstep::hypercube{4}}.run(program);
  auto const watched = machine{lockstep::hypercube{4}, guarded}.run(program);
  CHECK(plain.results() == watched.results());
  CHECK(plain.counts() == watched.counts());
  CHECK(plain.steps() == watched.steps());
  CHECK(plain.processors() == watched.processors());
  CHECK(plain.counts().memory > 128);
}

TEST_CASE("the results of a guarded program may be touched by all", "[core][guarded][sanitize]") {
  auto run = machine{crossbar{4}, guarded}.run(
      [](processor& me) { return own_block(100, me.rank(), me.memory()); });
  auto results = std::move(run).results();
  CHECK(results[3][99] == 3);
  results[2].resize(10'000, 1);
  CHECK(std::accumulate(results[2].begin(), results[2].end(), std::int64_t{0}) == 200 + 9'900);
}

TEST_CASE("a guarded machine inside a guarded program", "[core][guarded]") {
  auto const run = machine{crossbar{3}, guarded}.run([](processor& me) {
    own_block const mine(10, me.rank(), me.memory());
    // The inner program belongs to this processor, and may touch what is its own.
    auto const inner = machine{crossbar{2}, guarded}.run([&](processor& other) {
      own_block const its(10, mine[9], other.memory());
      return other.exchange(1 - other.rank(), its[0]);
    });
    return inner.results()[1] + mine[0];
  });
  CHECK(run.results() == std::vector<std::int64_t>{0, 2, 4});
}

TEST_CASE("much memory, given back and taken again", "[core][guarded][sanitize]") {
  auto const run = machine{crossbar{2}, guarded}.run([](processor& me) {
    std::int64_t sum = 0;
    for (std::size_t size = 1; size < 3'000'000; size = size * 3 + 1) {
      own_block const large(size, 1, me.memory());
      own_block small(7, 2, me.memory());
      me.barrier();
      sum += large.back() + small.back();
    }
    return sum;
  });
  CHECK(run.results() == std::vector<std::int64_t>{42, 42});
  CHECK_THROWS_AS(machine(crossbar{2}, guarded).run([](processor& me) {
    own_block const too_large(std::size_t{1} << 45, me.memory());
  }),
                  lockstep::processor_failed);
}

TEST_CASE("observers of a guarded machine may look at all memory, and may throw",
          "[core][guarded]") {
  struct onlooker : lockstep::observer {
    std::vector<std::int64_t const*> blocks = std::vector<std::int64_t const*>(4);
    std::int64_t sum = 0;
    bool refuses = false;
    void step(lockstep::step_record const&) override {
      for (auto const* const block : blocks) sum += *block;
      if (refuses) throw std::runtime_error("enough");
    }
  } watching;
  auto const program = [&](processor& me) {
    own_block const mine(8, me.rank(), me.memory());
    watching.blocks[static_cast<std::size_t>(me.rank())] = mine.data();
    (void)me.exchange(me.rank() ^ 1, 1);
    return own_block(mine, me.memory());
  };
  machine const four{crossbar{4}, guarded};
  auto const keep = [&](processor& me) {
    auto block = program(me);
    watching.blocks[static_cast<std::size_t>(me.rank())] = block.data();
    return block;
  };
  CHECK(four.run(keep, watching).counts().steps == 1);
  CHECK(watching.sum == 0 + 1 + 2 + 3);
  watching.refuses = true;
  CHECK_THROWS_AS(four.run(keep, watching), std::runtime_error);
}

TEST_CASE("a touch before or in a nested run is found, too", "[core][guarded]") {
  std::vector<std::int64_t*> shared(4);
  bool const before = GENERATE(true, false);
  auto const text = complaint([&](processor& me) {
    own_block mine(8, me.rank(), me.memory());
    shared[static_cast<std::size_t>(me.rank())] = mine.data();
    me.barrier();
    if (me.rank() == 2 && before) shared[1][0] = 5;
    if (me.rank() == 2)
      machine{crossbar{2}}.run([&](processor& inner) {
        if (!before && inner.rank() == 0) shared[1][0] = 5;
        mine[0] += 1;
      });
    me.barrier();
  });
  CHECK(has(text, "processor 2, after its call at "));
  CHECK(has(text, "touched what processor 1 took"));
}

// --- payloads that were moved away ---

TEST_CASE("a guarded machine finds reads of a payload that was moved away", "[core][guarded]") {
  std::int64_t seen = 0;
  auto const text = complaint([&](processor& me) {
    if (me.rank() == 1) {
      std::vector<std::int64_t> block(5'000, 7);
      std::span<std::int64_t const> const kept(block);
      me.idle();
      me.send(2, std::move(block));
      seen = kept[2'500];
    }
    if (me.rank() == 2) CHECK(me.receive<std::int64_t>(1) == std::vector<std::int64_t>(5'000, 7));
  });
  CHECK(seen == 7);
  CHECK(has(text, "processor 1, after its call at "));
  CHECK(has(text, "touched a payload that processor 1 had moved into the message of its step 2"));
}

#if !defined(__SANITIZE_ADDRESS__)  // which would end the process, with a report
TEST_CASE("a guarded machine finds writes to a small payload that was moved away",
          "[core][guarded]") {
  std::int64_t seen = 0;
  try {
    machine{crossbar{4}, guarded}.run([&](processor& me) {
      if (me.rank() == 1) {
        std::vector<std::int64_t> block(5, 7);
        auto* const kept = block.data();
        me.send(2, std::move(block));
        seen = kept[4];
        kept[0] = 1;
      }
      if (me.rank() == 2) CHECK(me.receive<std::int64_t>(1) == std::vector<std::int64_t>(5, 7));
    });
    FAIL("nothing was found");
  } catch (foreign_access const& found) {
    CHECK(has(found.what(),
              "a payload that processor 1 had moved into the message of its step 1 "
              "was written to afterwards"));
    CHECK(found.rank() == 1);
    CHECK(found.step() == 1);
  }
  CHECK(seen == static_cast<std::int64_t>(0xDBDB'DBDB'DBDB'DBDB));  // not what it was
}
#endif

TEST_CASE("payloads that are moved away are watched, up to a limit", "[core][guarded]") {
  // 100 MB in all: the oldest are given back on the way.
  auto const run = machine{crossbar{2}, guarded}.run([](processor& me) {
    std::int64_t sum = 0;
    for (int round = 0; round < 50; ++round)
      sum += me.exchange(1 - me.rank(), std::vector<std::int64_t>(125'000, round)).back();
    return sum;
  });
  CHECK(run.results() == std::vector<std::int64_t>{1'225, 1'225});
  CHECK(run.counts().words == 50 * 125'000);
}

TEST_CASE("empty vectors and those with more room than elements may be moved away",
          "[core][guarded][sanitize]") {
  auto const run = machine{crossbar{2}, guarded}.run([](processor& me) {
    std::size_t sum = 0;
    for (int round = 0; round < 300; ++round) {  // 300 MB of room
      std::vector<std::int64_t> block;
      block.reserve(131'072);
      block.resize(static_cast<std::size_t>(round % 3), 7);
      sum += me.exchange(1 - me.rank(), std::move(block)).size();
    }
    return sum;
  });
  CHECK(run.results() == std::vector<std::size_t>{300, 300});
}

TEST_CASE("machines that cannot be guarded are refused", "[core][guarded]") {
  CHECK_THROWS_AS(machine(crossbar{4}, {.engine = lockstep::engine::threads, .guarded = true}),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(machine(lockstep::torus{{16'385}}, guarded), lockstep::invalid_argument);
  CHECK_NOTHROW(machine(lockstep::torus{{16'384}}, guarded));
}
