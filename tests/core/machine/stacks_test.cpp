// Copied stacks: the processors of a worker run on one stack, and what waits is kept elsewhere.

#include <algorithm>
#include <array>
#include <cfenv>
#include <cstdint>
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
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;
using lockstep::machine_options;
using lockstep::stacks;

machine_options const copied{.workers = 1, .stacks = stacks::copied};
machine_options const copied_by_two{.workers = 2, .stacks = stacks::copied};

using seven_numbers = std::array<std::int64_t, 7>;

seven_numbers block_of(int rank, int step) {
  seven_numbers made{};
  std::iota(made.begin(), made.end(), std::int64_t{1000} * step + rank);
  return made;
}

int next_of(processor const& me) { return (me.rank() + 1) % me.size(); }
int previous_of(processor const& me) { return (me.rank() + me.size() - 1) % me.size(); }

/// Waits `depth` calls deep, each with numbers of its own on the stack and a pointer to its
/// caller's. Result: whether all of them are as they were left, and what came in was right.
bool waits_deeply(processor& me, int depth, int const* callers) {
  std::array<int, 40> numbers{};
  std::iota(numbers.begin(), numbers.end(), me.rank() + depth);
  int const* const first = numbers.data();
  auto arriving = block_of(0, 0);
  me.exchange_into(next_of(me), block_of(me.rank(), depth), arriving, previous_of(me));
  bool const deeper = depth == 0 || waits_deeply(me, depth - 1, first);
  me.barrier();
  for (int at = 0; at < 40; ++at)
    if (first[at] != me.rank() + depth + at) return false;
  bool const callers_right = callers == nullptr || *callers == me.rank() + depth + 1;
  return deeper && callers_right && arriving == block_of(previous_of(me), depth);
}

/// The members of a torus wait one to six calls deep, more often than a turn allows.
bool waits_in_many_ways(processor& me) {
  bool right = true;
  for (int round = 0; round < 6; ++round)
    right = waits_deeply(me, (round * 5) % 6, nullptr) && right;
  for (int message = 0; message < 300; ++message) me.send(next_of(me), message);
  for (int message = 0; message < 300; ++message)
    right = me.receive<int>(previous_of(me)).at(0) == message && right;
  return right;
}

/// Says when it ends.
class destruction_counter {
 public:
  explicit destruction_counter(int& ended) : m_ended(&ended) {}
  destruction_counter(destruction_counter const&) = delete;
  destruction_counter& operator=(destruction_counter const&) = delete;
  ~destruction_counter() { ++*m_ended; }

 private:
  int* m_ended;
};

}  // namespace

TEST_CASE("copied stacks: what waits finds its stack again, and costs the same",
          "[core][stacks][sanitize]") {
  int const processors = GENERATE(2, 64, 3000);
  auto const own = machine{torus{{processors}}, {.workers = 1}}.run(waits_in_many_ways);
  CHECK(std::ranges::all_of(own.results(), [](bool right) { return right; }));
  for (auto const& options : {copied, copied_by_two}) {
    auto const run = machine{torus{{processors}}, options}.run(waits_in_many_ways);
    CHECK(std::ranges::all_of(run.results(), [](bool right) { return right; }));
    CHECK(run.counts() == own.counts());
  }
}

TEST_CASE("copied stacks on two workers with much to hand over", "[core][stacks]") {
  constexpr int processors = 20'000;  // enough for two workers
  auto const program = [](processor& me) {
    auto arriving = block_of(0, 0);
    for (int step = 1; step <= 5; ++step) {
      int const by = step * 7'919 % processors;
      me.exchange_into((me.rank() + by) % processors, block_of(me.rank(), step), arriving,
                       (me.rank() + processors - by) % processors);
      if (arriving != block_of((me.rank() + processors - by) % processors, step)) return false;
    }
    return true;
  };
  auto const run = machine{crossbar{processors}, copied_by_two}.run(program);
  CHECK(std::ranges::all_of(run.results(), [](bool right) { return right; }));
  CHECK(run.counts().messages == 5 * std::uint64_t{processors});
  CHECK(run.counts().steps == 5);
}

TEST_CASE("copied stacks: a message is laid into a local variable whose owner waits first",
          "[core][stacks][sanitize]") {
  // Processor 0 waits before the others run, so that they find its buffer on a stack that is put
  // away.
  auto const run = machine{crossbar{8}, copied}.run([](processor& me) {
    if (me.rank() > 0) {
      me.idle(static_cast<std::uint64_t>(8 - me.rank()));
      me.send(0, block_of(me.rank(), 1));
      return true;
    }
    bool right = true;
    for (int from = 7; from > 0; --from) {
      seven_numbers arriving{};
      me.receive_into(from, arriving);
      right = right && arriving == block_of(from, 1);
      std::int64_t const last = arriving.back();
      right = right && last == 1000 + from + 6;
    }
    return right;
  });
  CHECK(std::ranges::all_of(run.results(), [](bool right) { return right; }));
}

TEST_CASE("copied stacks: one-sided calls read and write local variables",
          "[core][stacks][sanitize]") {
  for (auto const& options : {copied, copied_by_two}) {
    auto const run = machine{crossbar{5}, options}.run([](processor& me) {
      auto mine = block_of(me.rank(), 2);
      auto const read = me.read(next_of(me), 2, 3, mine);
      auto const theirs = block_of(next_of(me), 2);
      bool const read_right = std::ranges::equal(read, std::span(theirs).subspan(2, 3));
      std::array<std::int64_t, 2> const sent{-me.rank(), 77};
      me.write(next_of(me), 4, sent, mine);
      auto expected = block_of(me.rank(), 2);
      expected[4] = -previous_of(me);
      expected[5] = 77;
      bool const written_right = mine == expected;
      me.serve(mine);
      return read_right && written_right && mine == expected;
    });
    CHECK(std::ranges::all_of(run.results(), [](bool right) { return right; }));
  }
}

TEST_CASE("copied stacks: a phase may be named by a local string", "[core][stacks][sanitize]") {
  auto const program = [](processor& me) {
    for (int phase = 0; phase < 3; ++phase) {
      std::string const name = "part " + std::to_string(phase);
      me.phase(name);
      (void)me.exchange(me.rank() ^ 1, me.rank());
    }
  };
  for (auto const& options : {copied, copied_by_two}) {
    auto const run = machine{hypercube{4}, options}.run(program);
    REQUIRE(run.phases().size() == 3);
    for (std::size_t phase = 0; phase < 3; ++phase)
      CHECK(run.phases()[phase].name == "part " + std::to_string(phase));
  }
  auto const mixed = [](processor& me) {
    std::string const name = me.rank() == 3 ? "other" : "some";
    me.phase(name);
  };
  CHECK_THROWS_WITH((machine{hypercube{2}, copied}.run(mixed)),
                    Catch::Contains("other") && Catch::Contains("some"));
}

TEST_CASE("copied stacks: exceptions wait, are passed on and unwind", "[core][stacks][sanitize]") {
  SECTION("a processor waits while it handles one") {
    auto const run = machine{crossbar{6}, copied}.run([](processor& me) {
      try {
        throw std::runtime_error("of " + std::to_string(me.rank()));
      } catch (std::runtime_error const& mine) {
        auto arriving = me.exchange(next_of(me), block_of(me.rank(), 3), previous_of(me));
        try {
          throw;
        } catch (std::runtime_error const& again) {
          return std::string(again.what()) == "of " + std::to_string(me.rank()) &&
                 &again == &mine && arriving.at(0) == 3000 + previous_of(me);
        }
      }
    });
    CHECK(std::ranges::all_of(run.results(), [](bool right) { return right; }));
  }
  SECTION("one that ends the run unwinds all that wait") {
    int ended = 0;
    CHECK_THROWS_AS((machine{crossbar{50}, copied}.run([&](processor& me) {
                      destruction_counter const here(ended);
                      if (me.rank() == 20) throw std::runtime_error("over");
                      (void)waits_deeply(me, 3, nullptr);
                    })),
                    lockstep::processor_failed);
    CHECK(ended == 50);
  }
  SECTION("a deadlock unwinds all") {
    int ended = 0;
    CHECK_THROWS_AS((machine{crossbar{9}, copied}.run([&](processor& me) {
                      destruction_counter const here(ended);
                      (void)me.receive<int>(next_of(me));
                    })),
                    lockstep::deadlock);
    CHECK(ended == 9);
  }
}

TEST_CASE("copied stacks: floating-point modes are a processor's own", "[core][stacks]") {
  constexpr std::array modes{FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  auto const run = machine{crossbar{8}, copied}.run([&](processor& me) {
    auto const mine = modes[static_cast<std::size_t>(me.rank() % 4)];
    std::fesetround(mine);
    for (int round = 0; round < 3; ++round) {
      (void)me.exchange(next_of(me), round, previous_of(me));
      if (std::fegetround() != mine) return false;
    }
    return true;
  });
  CHECK(std::ranges::all_of(run.results(), [](bool right) { return right; }));
  CHECK(std::fegetround() == FE_TONEAREST);
}

TEST_CASE("copied stacks: machines inside programs see their local variables",
          "[core][stacks][sanitize]") {
  auto const run = machine{crossbar{4}, copied}.run([](processor& outer) {
    auto arriving = block_of(0, 0);
    seven_numbers sums{};
    machine{crossbar{7}, outer.rank() % 2 == 0 ? copied : machine_options{}}.run(
        [&](processor& inner) {
          auto const got =
              inner.exchange(next_of(inner), inner.rank() + 10 * outer.rank(), previous_of(inner));
          sums[static_cast<std::size_t>(inner.rank())] = got;
        });
    outer.exchange_into(next_of(outer), sums, arriving, previous_of(outer));
    for (int at = 0; at < 7; ++at)
      if (arriving[static_cast<std::size_t>(at)] != (at + 6) % 7 + 10 * previous_of(outer))
        return false;
    return true;
  });
  CHECK(std::ranges::all_of(run.results(), [](bool right) { return right; }));
}

TEST_CASE("copied stacks: a stack that overflows ends the run, and no other stack is damaged",
          "[core][stacks]") {
  auto const deep = [](auto const& self, processor& me, int depth) -> int {
    std::array<int volatile, 256> numbers{};
    numbers[0] = depth;
    return depth == 0 ? 0 : self(self, me, depth - 1) + numbers[0];
  };
  for (auto const& options : {copied, copied_by_two}) {
    int unwound = 0;
    try {
      machine{crossbar{8}, options}.run([&](processor& me) {
        if (me.rank() != 5) {
          destruction_counter const here(unwound);
          (void)waits_deeply(me, 2, nullptr);
          return;
        }
        me.idle(1);
        (void)deep(deep, me, 1'000'000);
      });
      FAIL("the stack is not that large");
    } catch (lockstep::stack_overflow const& found) {
      CHECK(found.rank() == 5);
    }
    CHECK(unwound == 7);
  }
}

TEST_CASE("copied stacks on a guarded machine", "[core][stacks][guarded]") {
  std::vector<int const*> shared(4);
  auto options = copied;
  options.guarded = true;
  CHECK_THROWS_AS((machine{crossbar{4}, options}.run([&](processor& me) {
                    std::pmr::vector<int> const mine(8, me.rank(), me.memory());
                    shared[static_cast<std::size_t>(me.rank())] = mine.data();
                    me.barrier();
                    int const volatile seen = me.rank() == 2 ? shared[1][0] : 0;
                    static_cast<void>(seen);
                    me.barrier();
                  })),
                  lockstep::foreign_access);
}

TEST_CASE("copied stacks are refused where each processor is a thread", "[core][stacks]") {
  CHECK_THROWS_WITH(
      (machine{crossbar{4}, {.engine = lockstep::engine::threads, .stacks = stacks::copied}}),
      Catch::Contains("stacks::copied with engine::threads") &&
          Catch::Contains("take engine::fibers"));
  CHECK_THROWS_WITH((machine{crossbar{4}, {.stacks = stacks{2}}}),
                    Catch::Contains("machine_options::stacks is 2: take one of stacks::own, "
                                    "stacks::copied"));
}
