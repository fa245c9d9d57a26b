// A small program for gdb, which stops in `stop_here`, and for valgrind:
// traced_program [WORKERS [own|copied|threads [mistake]]]
// Exit status 0 if its results are right. With `mistake` it looks at a value that it never set.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "small_tuning.hpp"

lockstep::detail::tuning const lockstep::detail::usual_tuning = [] {
  auto of = reference::small_tuning([] { return std::uint64_t{1} << 40U; });
  of.processors_per_block = 2;
  return of;
}();

namespace {

using lockstep::processor;

constexpr int processors = 8;

}  // namespace

// Functions that a trace of calls shows by these names.
extern "C" {

[[gnu::noinline]] void stop_here(int rank) {
  if (rank == 3) throw std::runtime_error("from processor " + std::to_string(rank));
  asm volatile("");
}

[[gnu::noinline]] void inner_of_program(processor& me) {
  me.barrier();
  stop_here(me.rank());
  asm volatile("");
}

[[gnu::noinline]] void outer_of_program(processor& me) {
  inner_of_program(me);
  asm volatile("");
}
}

namespace {

/// Waits that many calls deep, on a stack of another size than that of its neighbours.
int meet_deep_down(processor& me, int calls) {
  std::array<int, 16> held{};
  int volatile* const kept = held.data();
  kept[calls % 16] = calls;
  if (calls == 0)
    me.barrier();
  else
    meet_deep_down(me, calls - 1);
  return kept[calls % 16];
}

/// Decides by a local variable that has no value yet, after others have run.
void make_a_mistake(processor& me) {
  std::array<int, 4> values;  // NOLINT(cppcoreguidelines-pro-type-member-init): the mistake
  int volatile* const seen = values.data();
  seen[0] = me.rank();
  me.barrier();
  if (seen[me.rank() % 2] == 12345) std::puts("chance");
}

/// Sums what comes round the ring as words, vectors and moved vectors; deep in it, processor 3
/// throws.
int program(processor& me) {
  int const next = (me.rank() + 1) % processors;
  int const previous = (me.rank() + processors - 1) % processors;
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    sum += me.exchange(next, me.rank(), previous);
    sum += me.exchange(next, std::vector<int>(100, round), previous).back();
    meet_deep_down(me, me.rank() * round);
  }
  try {
    outer_of_program(me);
  } catch (std::runtime_error const&) {
    me.barrier();  // others run while the exception is handled
    return sum + 1000;
  }
  me.barrier();
  return sum;
}

bool results_are_right(lockstep::machine const& ring) {
  auto const results = ring.run(program).results();
  for (int rank = 0; rank < processors; ++rank) {
    int const previous = (rank + processors - 1) % processors;
    if (results[static_cast<std::size_t>(rank)] != 3 * previous + 3 + (rank == 3 ? 1000 : 0))
      return false;
  }
  return true;
}

/// Whether a run whose processors are unwound reports the error.
bool error_is_reported(lockstep::machine const& ring) {
  try {
    (void)ring.run([](processor& me) { outer_of_program(me); });
  } catch (lockstep::processor_failed const& failure) {
    return failure.rank() == 3;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  lockstep::machine_options options;
  options.workers = argc > 1 ? std::atoi(argv[1]) : 1;
  auto const kind = std::string_view(argc > 2 ? argv[2] : "own");
  if (kind == "copied") options.stacks = lockstep::stacks::copied;
  if (kind == "threads") options.engine = lockstep::engine::threads;
  lockstep::machine const ring{lockstep::crossbar{processors}, options};
  if (argc > 3) ring.run(make_a_mistake);
  return results_are_right(ring) && error_is_reported(ring) ? EXIT_SUCCESS : EXIT_FAILURE;
}
