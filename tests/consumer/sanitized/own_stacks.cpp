// A program that is compiled so that fibers cannot run it: they are refused, and threads run it.
// own_stacks OPTION: the option that the error has to name.
#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

#include <lockstep/core.hpp>
#include <lockstep/topologies.hpp>

namespace {

/// Whether fibers are refused, with an error that names the compiler's option and what to take.
bool refuses_fibers(std::string const& option) {
  try {
    lockstep::machine const fibers{lockstep::crossbar{8}};
  } catch (lockstep::invalid_argument const& refused) {
    std::printf("%s\n", refused.what());
    return refused.message().find(option) != std::string::npos &&
           refused.message().find("engine::threads") != std::string::npos;
  }
  return false;
}

bool runs_threads() {
  lockstep::machine const threads{lockstep::crossbar{8}, {.engine = lockstep::engine::threads}};
  auto const run = threads.run([](lockstep::processor& me) {
    std::array<int, 8> sums{};
    for (int other = 1; other < 8; ++other) {
      auto const at = static_cast<std::size_t>(other);
      sums[at] = sums[at - 1] + me.exchange(me.rank() ^ other, me.rank());
    }
    return sums.back();
  });
  for (int rank = 0; rank < 8; ++rank)
    if (run.results()[static_cast<std::size_t>(rank)] != 28 - rank) return false;
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  return count == 2 && refuses_fibers(arguments[1]) && runs_threads() ? 0 : 1;
}
