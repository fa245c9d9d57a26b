// A machine keeps its stacks from run to run.

#include "engine/memory/kept_slab.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/memory.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "core/usual_names.hpp"
#include "engine/memory/sanitizer.hpp"

namespace {

using namespace usual_names;
using lockstep::machine_options;
using lockstep::stacks;
using lockstep::detail::kept_slab;

constexpr std::size_t bytes = std::size_t{64} * 1024;

/// Under these each run has stacks of its own.
bool keeps_nothing() {
  return lockstep::detail::address_sanitizer() || lockstep::detail::thread_sanitizer();
}

/// A sum over all processors, which each comes to.
long sum_over_all(processor& me) {
  long sum = me.rank();
  for (int bit = 1; bit < me.size(); bit *= 2) sum += me.exchange(me.rank() ^ bit, sum);
  return sum;
}

bool sums_right(machine const& cube) {
  auto const run = cube.run(sum_over_all);
  long const p = cube.size();
  return std::ranges::count(run.results(), p * (p - 1) / 2) == p;
}

/// Uses up any stack of the usual size.
int deep(processor& me, int depth) {
  std::array<int volatile, 256> numbers{};
  numbers[0] = depth;
  return depth == 0 ? me.rank() : deep(me, depth - 1) + numbers[0];
}

machine_options const one_worker{.workers = 1};
machine_options const two_workers{.workers = 2};
machine_options const copied{.workers = 1, .stacks = stacks::copied};

}  // namespace

TEST_CASE("kept stacks are the same ones, with what lay on them", "[core][kept]") {
  if (keeps_nothing()) return;
  kept_slab keeper;
  auto first = keeper.take(4, bytes);
  auto const* const begin = first.begin();
  *first.bottom(2) = std::byte{77};
  keeper.keep(std::move(first));
  auto again = keeper.take(4, bytes);
  CHECK(again.begin() == begin);
  CHECK(*again.bottom(2) == std::byte{77});
  CHECK_FALSE(keeper.give_up());  // a run has them
  auto const meanwhile = keeper.take(4, bytes);
  CHECK(meanwhile.begin() != begin);
  keeper.keep(std::move(again));
  CHECK(keeper.give_up());
  CHECK_FALSE(keeper.give_up());
}

TEST_CASE("stacks of another number or size are not taken", "[core][kept]") {
  auto const [number, size] = GENERATE(std::pair{5, bytes}, std::pair{4, 2 * bytes});
  kept_slab keeper;
  keeper.keep(keeper.take(4, bytes));
  auto const other = keeper.take(static_cast<std::size_t>(number), size);
  CHECK(other.has(static_cast<std::size_t>(number), size));
  CHECK_FALSE(keeper.give_up());  // nobody had a use for them
}

TEST_CASE("of two runs that end, the stacks of one are kept", "[core][kept]") {
  if (keeps_nothing()) return;
  kept_slab keeper;
  auto one = keeper.take(4, bytes);
  auto other = keeper.take(4, bytes);
  keeper.keep(std::move(one));
  keeper.keep(std::move(other));
  CHECK(keeper.give_up());
  CHECK_FALSE(keeper.give_up());
}

TEST_CASE("later runs of a machine are as the first, on every engine", "[core][kept][sanitize]") {
  for (auto options :
       {one_worker, two_workers, copied, machine_options{.engine = lockstep::engine::threads},
        machine_options{.guarded = true}}) {
    machine const cube{hypercube{5}, options};
    auto const first = cube.run(sum_over_all);
    for (int time = 0; time < 3; ++time) {
      auto const later = cube.run(sum_over_all);
      CHECK(later.results() == first.results());
      CHECK(later.counts() == first.counts());
    }
  }
}

TEST_CASE("a large machine, whose kept memory the system may take, runs as before",
          "[core][kept][once]") {
  machine const cube{hypercube{14}};
  static_assert((std::size_t{1} << 14) * bytes > kept_slab::most_held);
  for (int time = 0; time < 3; ++time) CHECK(sums_right(cube));
}

TEST_CASE("an overflow of a later run is found, and the run after it is well", "[core][kept]") {
  for (auto const& options : {one_worker, two_workers, copied}) {
    machine const cube{hypercube{4}, options};
    for (int time = 0; time < 3; ++time) {
      REQUIRE(sums_right(cube));
      try {
        (void)cube.run([](processor& me) {
          me.idle();
          return me.rank() == 5 ? deep(me, 1'000'000) : static_cast<int>(sum_over_all(me));
        });
        FAIL("the stack is not that large");
      } catch (lockstep::stack_overflow const& found) {
        CHECK(found.rank() == 5);
      }
    }
    CHECK(sums_right(cube));
  }
}

TEST_CASE("a run that fails leaves nothing to the next", "[core][kept][sanitize]") {
  for (auto const& options : {one_worker, two_workers, copied}) {
    machine const cube{hypercube{5}, options};
    for (int time = 0; time < 3; ++time) {
      CHECK(sums_right(cube));
      CHECK_THROWS_AS(cube.run([](processor& me) {
        if (me.rank() == 7) throw std::runtime_error("over");
        return sum_over_all(me);
      }),
                      lockstep::processor_failed);
    }
    CHECK(sums_right(cube));
  }
}

TEST_CASE("copies of a machine run at the same time", "[core][kept][threads]") {
  for (auto const& options : {one_worker, copied}) {
    machine const cube{hypercube{4}, options};
    std::array<bool, 4> right{};
    {
      std::vector<std::jthread> running;
      for (auto& mine : right)
        running.emplace_back([copy = cube, &mine] {
          mine = true;
          for (int time = 0; time < 20; ++time) mine = mine && sums_right(copy);
        });
    }
    CHECK(std::ranges::count(right, true) == 4);
  }
}

TEST_CASE("a machine runs inside its own program", "[core][kept][sanitize]") {
  for (auto const& options : {one_worker, two_workers, copied}) {
    machine const cube{hypercube{3}, options};
    for (int time = 0; time < 2; ++time) {
      auto const run = cube.run([&](processor& me) {
        auto const before = sum_over_all(me);
        bool const inner = me.rank() % 3 != 0 || sums_right(cube);
        return inner && sum_over_all(me) == before;
      });
      CHECK(std::ranges::count(run.results(), true) == 8);
    }
  }
}

TEST_CASE("a copy keeps the stacks when the machine is gone", "[core][kept]") {
  std::optional<machine> first(machine{hypercube{4}, one_worker});
  REQUIRE(sums_right(*first));
  machine const copy = *first;
  first.reset();
  CHECK(sums_right(copy));
  machine assigned{crossbar{3}};
  assigned = copy;
  CHECK(sums_right(assigned));
}

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

/// Whether a machine runs again although most of the address space that was left is taken meanwhile:
/// what it kept is enough.
bool runs_again_where_little_is_left() {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = 4096 * mebibyte;
  if (::setrlimit(RLIMIT_AS, &limit) != 0) return false;
  machine const cube{hypercube{12}, {.workers = 1}};  // maps 280 MiB
  if (!sums_right(cube)) return false;
  auto const left = lockstep::available_address_space();
  void* const taken = ::mmap(nullptr, left - 100 * mebibyte, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return taken != MAP_FAILED && sums_right(cube);
}

}  // namespace

TEST_CASE("a run is not refused for stacks that are kept", "[core][kept]") {
  auto const process = ::fork();
  if (process == 0) {
    bool well = false;
    try {
      well = runs_again_where_little_is_left();
    } catch (lockstep::error const&) {
      well = false;
    }
    ::_exit(well ? 0 : 1);
  }
  int status = 1;
  REQUIRE(process > 0);
  REQUIRE(::waitpid(process, &status, 0) == process);
  CHECK(status == 0);
}
