#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tbb/info.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/traces/csv_trace.hpp>

#include "catch.hpp"
#include "core/cluster/thread_cluster.hpp"
#include "small_tuning.hpp"

namespace {

std::uint64_t memory_there_is = std::uint64_t{1} << 40U;

thread_local bool has_little_memory = false;  // a thread that stands for a process of a cluster

std::uint64_t available() { return has_little_memory ? std::uint64_t{3} << 20U : memory_there_is; }

}  // namespace

// In place of the library's.
lockstep::detail::tuning const lockstep::detail::usual_tuning = reference::small_tuning(available);

TEST_CASE("under this tuning a small machine is run by several threads", "[threads]") {
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

namespace {

/// One run of pipelined rounds, after a step outside it.
void long_pipelined_run(lockstep::processor& me) {
  (void)me.exchange(1 - me.rank(), 0);
  me.pipelined([&] {
    for (int round = 0; round < 100'000; ++round) (void)me.exchange(1 - me.rank(), round);
  });
}

}  // namespace

TEST_CASE("messages that wait for observers are kept up to a limit; the run goes on") {
  lockstep::machine const two{lockstep::crossbar{2}};
  std::ostringstream text;
  lockstep::csv_trace trace(text, "run.csv");
  auto const run = two.run(long_pipelined_run, trace);
  CHECK(run.counts().steps == 100'001);
  CHECK(run.counts() == two.run(long_pipelined_run).counts());
  CHECK(text.str() == "step,sent,from,to,words,hops,pass,phase\n1,1,1,0,1,1,0,\n1,1,0,1,1,1,0,\n");
  CHECK_THROWS_WITH(trace.finish(),
                    has_text("the trace is incomplete: run.csv ends after step 1: ") &&
                        has_text("100000 are kept at most"));
}

TEST_CASE("an observer that does not know of being cut off ends the run") {
  class indifferent : public lockstep::observer {
  } watching;
  lockstep::machine const two{lockstep::crossbar{2}};
  CHECK_THROWS_AS(two.run(long_pipelined_run, watching), lockstep::incomplete_trace);
}

TEST_CASE("counts that need more memory than is available end the run, with figures") {
  auto const engine = GENERATE(lockstep::engine::fibers, lockstep::engine::threads);
  lockstep::machine const three{
      lockstep::crossbar{3},
      {.engine = engine, .workers = 1, .max_steps = std::uint64_t{1} << 40U}};
  memory_there_is = 3 << 20;
  auto const run = [&] {
    (void)three.run([](lockstep::processor& me) {
      if (me.rank() == 0) me.send(2, 0);
      if (me.rank() < 2)
        for (int step = 0; step < 100'000; ++step) {
          (void)me.exchange(1 - me.rank(), 1);
          me.idle(1'000);
        }
      if (me.rank() == 1) me.send(2, 0);
      if (me.rank() == 2) (void)me.receive<int>(1);
      if (me.rank() == 2) (void)me.receive<int>(0);  // sent in step 1
    });
  };
  CHECK_THROWS_AS(run(), lockstep::out_of_memory);
  CHECK_THROWS_WITH(run(), has_text("the counts of the steps take 4 MiB, and 3 MiB are available; "
                                    "what comes in is summed up as far as step 0, while "
                                    "processor 2 is the last in step 1"));
  memory_there_is = std::uint64_t{1} << 40U;
}

TEST_CASE("where one process has not the memory for its counts, all end with its error") {
  auto const one_sided = GENERATE(false, true);
  auto const said = reference::on_threads(3, [&](lockstep::cluster& all) {
    has_little_memory = all.process() == 1;
    lockstep::machine const three{
        lockstep::crossbar{3},
        {.workers = 1, .max_steps = std::uint64_t{1} << 40U, .cluster = &all}};
    try {
      (void)three.run([&](lockstep::processor& me) {
        int const next = (me.rank() + 1) % 3;
        int const before = (me.rank() + 2) % 3;
        std::vector<int> mine(1, me.rank());
        if (me.rank() == 0) me.tagged(1)->send(2, 0);
        for (int step = 0; step < 100'000; ++step) {
          if (one_sided)
            (void)me.read(next, 0, 1, mine);
          else
            (void)me.exchange(next, step, before);
          me.idle(1'000);
        }
        if (me.rank() == 2) (void)me.tagged(1)->receive<int>(0);  // sent in step 1
      });
    } catch (lockstep::error const& thrown) {
      return thrown.message();
    }
    return std::string("no error");
  });
  CAPTURE(one_sided, said[0]);
  CHECK(said[0].find("the counts of the steps take 4 MiB, and 3 MiB are available") == 0);
  CHECK(said == std::vector<std::string>(3, said[0]));
}
