#include "engine/tuning.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include <tbb/info.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "../catch.hpp"

// In place of the library's: machines of eight processors have several shares already, and can have
// two workers; what was counted is folded all the time.
lockstep::detail::tuning const lockstep::detail::usual_tuning{.processors_per_share = 3,
                                                              .processors_per_worker = 4,
                                                              .switches_per_turn = 40,
                                                              .switches_per_look = 5,
                                                              .entries_per_fold = 10};

TEST_CASE("under this tuning a small machine is run by several threads") {
  if (tbb::info::default_concurrency() < 2) return;
  lockstep::machine const small{lockstep::crossbar{16}, {.workers = 4}};
  std::size_t most = 0;
  // On a busy computer a run may begin before a second thread has come.
  for (int attempt = 0; attempt < 100 && most < 2; ++attempt) {
    auto const run = small.run([](lockstep::processor&) { return std::this_thread::get_id(); });
    most = std::max(most, std::set(run.results().begin(), run.results().end()).size());
  }
  CHECK(most > 1);
}
