// What a processor keeps while others run.

#include <cfenv>
#include <cmath>
#include <string>

#include <execinfo.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "core/machines.hpp"

namespace {

using namespace reference;
using lockstep::machine;
using lockstep::processor;

constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/// A third, rounded as the processor's mode says.
double third() {
  double volatile const one = 1;
  double volatile const three = 3;
  return one / three;
}

/// The same by the x87 unit, or what `long double` is computed by.
long double long_third() {
  long double volatile const one = 1;
  long double volatile const three = 3;
  return one / three;
}

}  // namespace

TEST_CASE("a processor's rounding mode is its own", "[core][switch][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const eight{lockstep::crossbar{8}, on(choice)};
  auto const run = eight.run([](processor& me) {
    bool kept = std::fegetround() == FE_TONEAREST;
    int const mode = modes[me.rank() % 4];
    std::fesetround(mode);
    double const mine = third();
    long double const my_long = long_third();
    for (int round = 0; round < 3; ++round) {
      me.barrier();
      (void)me.exchange((me.rank() + 1) % 8, round, (me.rank() + 7) % 8);
      kept = kept && std::fegetround() == mode && third() == mine && long_third() == my_long;
    }
    return kept;
  });
  for (bool const kept : run.results()) CHECK(kept);
  CHECK(std::fegetround() == FE_TONEAREST);
}

TEST_CASE("the modes of a program reach neither its caller nor the next run",
          "[core][switch][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const two{lockstep::crossbar{2}, on(choice)};
  double const usual = third();
  (void)two.run([](processor& me) {
    std::fesetround(FE_UPWARD);
    if (me.rank() == 0) return;  // in that mode
    me.idle();
  });
  CHECK(third() == usual);
  CHECK(two.run([](processor&) { return third(); }).results() == std::vector{usual, usual});
}

TEST_CASE("a machine inside a program begins with the modes of the program, and ends with its own",
          "[core][switch][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const two{lockstep::crossbar{2}, on(choice)};
  auto const run = two.run([&](processor& me) {
    int const mode = modes[1 + me.rank()];
    std::fesetround(mode);
    me.barrier();
    auto const inner = machine{lockstep::crossbar{2}, on(choice)}.run([](processor& there) {
      int const began_with = std::fegetround();
      std::fesetround(FE_TOWARDZERO);
      there.barrier();
      return began_with;
    });
    return inner.results() == std::vector{mode, mode} && std::fegetround() == mode;
  });
  for (bool const kept : run.results()) CHECK(kept);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("an overflow leaves the caller its modes", "[core][switch]") {
  struct deep {
    [[gnu::noinline]] static int call(int levels) {
      char volatile pad[256];
      pad[0] = 1;
      return levels == 0 ? pad[0] : call(levels - 1) + pad[0];
    }
  };
  std::fesetround(FE_UPWARD);
  machine const two{lockstep::crossbar{2}, {.workers = 1}};
  CHECK_THROWS_AS(two.run([](processor&) { return deep::call(1'000'000); }),
                  lockstep::stack_overflow);
  CHECK(std::fegetround() == FE_UPWARD);
  std::fesetround(FE_TONEAREST);
}
#endif

TEST_CASE("the calls of a processor can be traced back to where its stack begins",
          "[core][switch][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const two{lockstep::crossbar{2}, on(choice)};
  auto const run = two.run([](processor& me) {
    (void)me.exchange(1 - me.rank(), 0);
    void* calls[100];
    return backtrace(calls, 100);
  });
  for (int const depth : run.results()) {
    CHECK(depth > 1);
    CHECK(depth < 60);
  }
}
