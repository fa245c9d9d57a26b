// A switch of stacks without a machine: switch_choice own|boost. The argument says which switch has
// to be compiled, lockstep's own or Boost.Context's. Exit status 0 if it is, and if it goes there and
// back and keeps what a call preserves. Compiled with and without control-flow enforcement, and for
// another processor.

#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <execinfo.h>

#include "engine/scheduling/stack_switch.hpp"

#ifdef LOCKSTEP_OWN_SWITCH
constexpr std::string_view compiled = "own";
#else
constexpr std::string_view compiled = "boost";
/// The other switch, which nothing may define here.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] void lockstep_switch_stack();
#endif

namespace {

constexpr int rounds = 3;

/// A stack that was left, where it runs next, and what it did.
struct side {
  char const* name;
  int rounding;
  void* left = nullptr;
  bool right = true;
};

side first{"f", FE_TONEAREST};
side second{"s", FE_UPWARD};
char visits[2 * rounds + 1] = "";

/// Computes with more values than a call preserves registers, which live across a switch if `goes`.
[[gnu::noinline]] double computed(double volatile const& seed, bool goes, side& from, side& to) {
  double const a = seed + 1, b = seed + 2, c = seed + 3, d = seed + 4, e = seed + 5;
  double const f = seed + 6, g = seed + 7, h = seed + 8, i = seed + 9, j = seed + 10;
  auto const base = static_cast<long>(seed);
  long const k = base ^ 1, l = base ^ 2, m = base ^ 3, n = base ^ 4, o = base ^ 5, p = base ^ 6;
  long const q = base ^ 7, r = base ^ 8, s = base ^ 9, t = base ^ 10, u = base ^ 11, v = base ^ 12;
  if (goes) lockstep::detail::switch_stack(&from.left, to.left);
  auto const whole = k + 2 * l + 3 * m + 4 * n + 5 * o + 6 * p + 7 * q + 8 * r + 9 * s + 10 * t;
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j +
         static_cast<double>(whole + 11 * u + 12 * v);
}

[[gnu::noinline]] void throw_here() { throw std::runtime_error("on this stack"); }

/// Whether an exception is caught on the stack that runs, and its calls end where it begins.
bool unwinds() {
  void* calls[100];
  int const depth = backtrace(calls, 100);
  try {
    throw_here();
  } catch (std::runtime_error const&) {
    return depth > 1 && depth < 50;
  }
  return false;
}

/// Goes to the other side, and looks at what it finds when it comes back.
void visit(side& from, side& to, double seed) {
  std::strcat(visits, from.name);
  double const expected = computed(seed, false, from, to);
  from.right = computed(seed, true, from, to) == expected && from.right;
  from.right = std::fegetround() == from.rounding && unwinds() && from.right;
}

void run_second() {
  std::fesetround(second.rounding);
  for (double seed = 1000;; ++seed) visit(second, first, seed);
}

bool goes_there_and_back() {
  std::vector<std::byte> stack(256 * 1024);
  second.left =
      lockstep::detail::begin_stack<run_second>(stack.data() + stack.size(), stack.size());
  for (int round = 0; round < rounds; ++round) visit(first, second, round);
  return std::string_view(visits) == "fsfsfs" && first.right && second.right;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1] != compiled) {
    std::printf("the switch is %s\n", compiled.data());
    return EXIT_FAILURE;
  }
#ifndef LOCKSTEP_OWN_SWITCH
  if (&lockstep_switch_stack != nullptr) {
    std::puts("both switches are compiled");
    return EXIT_FAILURE;
  }
#endif
  if (goes_there_and_back()) return EXIT_SUCCESS;
  std::printf("visits: %s, first %d, second %d\n", visits, first.right, second.right);
  return EXIT_FAILURE;
}
