// What a run takes on the processes of an MPI job: a ring, without barriers and with them, prefixes in a hypercube,
// a permutation, and messages that share the links of a torus.
//
//   mpiexec -n N lockstep_mpi_bench LOG_P [WORKERS] [REPEATS] [PROGRAM]
//   lockstep_mpi_bench LOG_P [WORKERS] [REPEATS] [PROGRAM]        one process, without a cluster
//
// PROGRAM: ring, barriers (the ring with a barrier in each step), prefix, permutation or routes; all without it.
// Prints a line for each: seconds of the fastest run, nanoseconds for a processor and step, exchanges between
// processes, batches and bytes that all of them sent, the most memory that a process had so far, and the time of
// the computer's processors of the run that took least. Counts are compared with their formulas.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/machine.hpp>
#include <lockstep/mpi/cluster.hpp>
#include <lockstep/topologies.hpp>

namespace {

using lockstep::processor;

constexpr int ring_steps = 32;
constexpr int route_steps = 16;

struct workload {
  char const* name;
  std::uint64_t steps;
  std::function<void(processor&)> program;
};

/// Reverses the bits of a rank.
int reversed(int rank, int bits) {
  int result = 0;
  for (int bit = 0; bit < bits; ++bit)
    if ((rank >> bit & 1) != 0) result |= 1 << (bits - 1 - bit);
  return result;
}

void shift_in_ring(processor& me) {
  std::uint64_t value = static_cast<std::uint64_t>(me.rank());
  for (int step = 0; step < ring_steps; ++step)
    value =
        me.exchange((me.rank() + 1) % me.size(), value, (me.rank() + me.size() - 1) % me.size());
}

void meet_in_each_step(processor& me) {
  for (int step = 0; step < ring_steps; ++step) {
    static_cast<void>(
        me.exchange((me.rank() + 1) % me.size(), step, (me.rank() + me.size() - 1) % me.size()));
    me.barrier();
  }
}

void find_prefix(processor& me) {
  std::uint64_t total = 1;
  std::uint64_t before = 0;
  for (int bit = 1; bit < me.size(); bit *= 2) {
    auto const theirs = me.exchange(me.rank() ^ bit, total);
    if ((me.rank() & bit) != 0) before += theirs;
    total += theirs;
  }
  if (before != static_cast<std::uint64_t>(me.rank())) std::abort();
}

void permute(processor& me, int bits) {
  auto const to = reversed(me.rank(), bits);
  if (to == me.rank()) return;
  auto const value = me.exchange(to, static_cast<std::uint64_t>(me.rank()));
  if (value != static_cast<std::uint64_t>(to)) std::abort();
}

void cross_the_torus(processor& me) {
  for (int step = 1; step <= route_steps; ++step) {
    auto const shift = static_cast<int>(std::int64_t{step} * 40'503 % me.size());
    int const to = (me.rank() + shift) % me.size();
    int const from = (me.rank() + me.size() - shift) % me.size();
    if (me.exchange(to, me.rank(), from) != from) std::abort();
  }
}

/// Gives the number of each process.
std::vector<std::uint64_t> said_by_all(lockstep::mpi::cluster* cluster, std::uint64_t own) {
  if (cluster == nullptr) return {own};
  std::vector<lockstep::cluster::bytes> const nothing(
      static_cast<std::size_t>(cluster->processes()));
  return cluster->exchange({own}, nothing).figures;
}

std::uint64_t all_of(lockstep::mpi::cluster* cluster, std::uint64_t own) {
  auto const said = said_by_all(cluster, own);
  return std::reduce(said.begin(), said.end());
}

/// The memory and time that this process has used.
struct used_up {
  std::uint64_t memory;        ///< the most that it had, in KiB
  std::uint64_t microseconds;  ///< of its threads together
};

used_up used_so_far() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  auto const in_microseconds = [](timeval const& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
           static_cast<std::uint64_t>(time.tv_usec);
  };
  return {static_cast<std::uint64_t>(used.ru_maxrss),
          in_microseconds(used.ru_utime) + in_microseconds(used.ru_stime)};
}

void measure(lockstep::mpi::cluster* cluster, workload const& what, lockstep::machine const& on,
             int repeats) {
  double fastest = std::numeric_limits<double>::max();
  auto least_work = std::numeric_limits<std::uint64_t>::max();
  lockstep::mpi::cluster::traffic before{};
  lockstep::mpi::cluster::traffic after{};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    if (cluster != nullptr) before = cluster->sent();
    auto const used_before = used_so_far().microseconds;
    auto const start = std::chrono::steady_clock::now();
    auto const run = on.run(what.program);
    std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
    if (cluster != nullptr) after = cluster->sent();
    fastest = std::min(fastest, passed.count());
    least_work = std::min(least_work, used_so_far().microseconds - used_before);
    if (run.counts().steps != what.steps) {
      fmt::print(stderr, "{}: {} steps, not {}\n", what.name, run.counts().steps, what.steps);
      std::exit(1);
    }
  }
  auto const batches = all_of(cluster, after.batches - before.batches);
  auto const bytes = all_of(cluster, after.bytes - before.bytes);
  auto const memory = said_by_all(cluster, used_so_far().memory);
  auto const work = all_of(cluster, least_work);
  if (cluster != nullptr && cluster->process() > 0) return;
  fmt::print(
      "{:12} p {:8} steps {:3}: {:8.4f} s, {:6.1f} ns a processor and step, {} exchanges, {} "
      "batches, {} bytes, {} KiB, {:.4f} s of processors\n",
      what.name, on.size(), what.steps, fastest,
      fastest * 1e9 / (static_cast<double>(on.size()) * static_cast<double>(what.steps)),
      after.exchanges - before.exchanges, batches, bytes, *std::ranges::max_element(memory),
      static_cast<double>(work) / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  std::unique_ptr<lockstep::mpi::cluster> cluster;
  if (lockstep::mpi::cluster::is_launched())
    cluster = std::make_unique<lockstep::mpi::cluster>(argc, argv);
  int const bits = argc > 1 ? std::atoi(argv[1]) : 16;
  int const workers = argc > 2 ? std::atoi(argv[2]) : 1;
  int const repeats = argc > 3 ? std::atoi(argv[3]) : 3;
  lockstep::machine_options const options{
      .switching = lockstep::switching::cut_through, .workers = workers, .cluster = cluster.get()};
  std::string const only = argc > 4 ? argv[4] : "";
  auto const measure_on = [&](workload const& what, auto const& network) {
    if (!only.empty() && only != what.name) return;
    measure(cluster.get(), what, lockstep::machine(network, options), repeats);
  };
  measure_on({"ring", ring_steps, shift_in_ring}, lockstep::ring(1 << bits));
  measure_on({"barriers", ring_steps, meet_in_each_step}, lockstep::ring(1 << bits));
  measure_on({"prefix", static_cast<std::uint64_t>(bits), find_prefix}, lockstep::hypercube(bits));
  measure_on({"permutation", 1, [bits](processor& me) { permute(me, bits); }},
             lockstep::crossbar(1 << bits));
  measure_on({"routes", route_steps, cross_the_torus},
             lockstep::torus({1 << (bits / 2), 1 << (bits - bits / 2)}));
}
