// What ThreadSanitizer finds between the workers of the fibers engine: nothing in this program as it
// is; with the argument "shared", that processors of two workers write one variable; linked with
// broken_hand_over.cpp, what these workers hand over to each other.
#include <cstddef>
#include <cstdio>
#include <set>
#include <string_view>
#include <thread>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/memory.hpp>
#include <lockstep/topologies/torus.hpp>

#include "engine/scheduling/worker_team.hpp"
#include "small_tuning.hpp"

lockstep::detail::tuning const lockstep::detail::usual_tuning = [] {
  auto of = reference::small_tuning(lockstep::available_memory);
  of.most_untold = 1000;
  return of;
}();

namespace {

/// Around a ring, again and again; gives the thread that it runs on.
std::thread::id run_ring_phase(lockstep::processor& me, int* shared) {
  int const ahead = (me.rank() + 1) % me.size();
  int const behind = (me.rank() + me.size() - 1) % me.size();
  std::vector<int> carried(20, me.rank());  // too long to lie in a message
  for (int round = 0; round < 30; ++round) {
    me.send(ahead, carried);
    carried = me.receive<int>(behind);
    if (shared != nullptr) ++*shared;
  }
  return std::this_thread::get_id();
}

}  // namespace

int main(int count, char** arguments) {
  if (lockstep::detail::worker_team::most_members() < 2) {
    std::puts("needs two threads");
    return 0;
  }
  int written = 0;
  bool const shared = count == 2 && std::string_view(arguments[1]) == "shared";
  lockstep::machine const ring{lockstep::torus{{16}}, {.workers = 4}};
  std::size_t most = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {  // a busy computer may give one thread only
    auto const run = ring.run(
        [&](lockstep::processor& me) { return run_ring_phase(me, shared ? &written : nullptr); });
    most = std::max(most, std::set(run.results().begin(), run.results().end()).size());
  }
  std::printf("%zu threads, %d written\n", most, written);
  return most > 1 ? 0 : 1;
}
