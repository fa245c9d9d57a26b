// Where the system has no guards that leave a mapping whole, many stacks share one, and zones between them
// tell of overflows: such a system is played here. Exit status 0 if every overflow is an error.

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

/// Refuses MADV_GUARD_INSTALL, as Linux before 6.13 does.
extern "C" int madvise(void* begin, std::size_t bytes, int advice) noexcept {
  constexpr int guard_install = 102;
  if (advice != guard_install) return static_cast<int>(syscall(SYS_madvise, begin, bytes, advice));
  errno = EINVAL;
  return -1;
}

namespace {

/// Comes to a barrier with about 550 bytes more on the stack for each level.
[[gnu::noinline]] void barrier_in_depth(lockstep::processor& me, int levels) {
  char volatile pad[512];
  for (auto& byte : pad) byte = 1;
  if (levels == 0)
    me.barrier();
  else
    barrier_in_depth(me, levels - 1);
  pad[1] = 2;
}

/// Whether a run in which processor 3 is that deep ends, well or with its stack_overflow.
bool ends(lockstep::machine const& many, int levels, bool after_a_barrier) {
  try {
    (void)many.run([&](lockstep::processor& me) {
      if (after_a_barrier) me.barrier();
      barrier_in_depth(me, me.rank() == 3 ? levels : 0);
      me.barrier();
    });
    return true;
  } catch (lockstep::stack_overflow const& found) {
    return found.rank() == 3;
  }
}

}  // namespace

int main() {
  // A run finds the stacks of the one before.
  lockstep::machine const many{lockstep::crossbar{40'000}, {.workers = 1, .stack = 16'384}};
  for (int levels = 27; levels < 32; ++levels)
    for (bool const after_a_barrier : {false, true})
      if (!ends(many, levels, after_a_barrier)) {
        std::printf("%d levels%s: the wrong error\n", levels,
                    after_a_barrier ? ", after a barrier" : "");
        return EXIT_FAILURE;
      }
}
