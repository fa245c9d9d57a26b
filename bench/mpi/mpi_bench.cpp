// What a run takes on the processes of an MPI job: a ring, prefixes in a hypercube, and a permutation.
//
//   mpiexec -n N lockstep_mpi_bench LOG_P [WORKERS] [REPEATS]
//   lockstep_mpi_bench LOG_P [WORKERS] [REPEATS]        one process, without a cluster
//
// Prints a line for each: seconds of the fastest run, nanoseconds for a processor and step, exchanges between
// processes, batches and bytes that all of them sent. Counts are compared with their formulas.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <lockstep/machine.hpp>
#include <lockstep/mpi/cluster.hpp>
#include <lockstep/topologies.hpp>

namespace {

using lockstep::processor;

constexpr int ring_steps = 32;

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

std::uint64_t all_of(lockstep::mpi::cluster* cluster, std::uint64_t own) {
  if (cluster == nullptr) return own;
  auto const said = cluster->exchange(
      {own}, std::vector<lockstep::cluster::bytes>(static_cast<std::size_t>(cluster->processes())));
  std::uint64_t sum = 0;
  for (auto const one : said.figures) sum += one;
  return sum;
}

void measure(lockstep::mpi::cluster* cluster, workload const& what, lockstep::machine const& on,
             int repeats) {
  double fastest = std::numeric_limits<double>::max();
  lockstep::mpi::cluster::traffic before{};
  lockstep::mpi::cluster::traffic after{};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    if (cluster != nullptr) before = cluster->sent();
    auto const start = std::chrono::steady_clock::now();
    auto const run = on.run(what.program);
    std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
    if (cluster != nullptr) after = cluster->sent();
    fastest = std::min(fastest, passed.count());
    if (run.counts().steps != what.steps) {
      fmt::print(stderr, "{}: {} steps, not {}\n", what.name, run.counts().steps, what.steps);
      std::exit(1);
    }
  }
  auto const batches = all_of(cluster, after.batches - before.batches);
  auto const bytes = all_of(cluster, after.bytes - before.bytes);
  if (cluster != nullptr && cluster->process() > 0) return;
  fmt::print(
      "{:12} p {:8} steps {:3}: {:8.4f} s, {:6.1f} ns a processor and step, {} exchanges, {} "
      "batches, {} bytes\n",
      what.name, on.size(), what.steps, fastest,
      fastest * 1e9 / (static_cast<double>(on.size()) * static_cast<double>(what.steps)),
      after.exchanges - before.exchanges, batches, bytes);
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
  lockstep::machine const ring(lockstep::ring(1 << bits), options);
  lockstep::machine const cube(lockstep::hypercube(bits), options);
  lockstep::machine const crossbar(lockstep::crossbar(1 << bits), options);
  measure(cluster.get(), {"ring", ring_steps, shift_in_ring}, ring, repeats);
  measure(cluster.get(), {"prefix", static_cast<std::uint64_t>(bits), find_prefix}, cube, repeats);
  measure(cluster.get(), {"permutation", 1, [bits](processor& me) { permute(me, bits); }}, crossbar,
          repeats);
}
