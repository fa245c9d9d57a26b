// Memory of a processor, and proof that a message takes no allocation once a run is under way.

#include <cstdio>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "counted_allocations.hpp"
#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

// --- allocations ---

struct allocating_run {
  outcome did;
  std::uint64_t allocations;
};

allocating_run count_allocations(workload const& what, setting const& at, int rounds) {
  auto const before = allocations_so_far();
  auto did = what.run(at, rounds);
  return {std::move(did), allocations_so_far() - before};
}

/// Allocations of ten times as many rounds, less those of the rounds. Tables of steps double now
/// and then; a message must not allocate.
void add_allocations(scope const& of, workload const& what, engine_choice const& on, int processors,
                     int words) {
  int const rounds = of.quick ? 50 : 300;
  setting const at{processors, words, on.options()};
  add(name_of("allocations: " + what.name, on.name(), processors, words), 1,
      [=](benchmark::State& state) {
        for ([[maybe_unused]] auto _ : state) {
          auto const few = count_allocations(what, at, rounds);
          auto const many = count_allocations(what, at, 10 * rounds);
          if (!accept(state, few.did) || !accept(state, many.did)) return;
          auto const more =
              static_cast<double>(many.allocations) - static_cast<double>(few.allocations);
          state.counters[allocations_per_message] =
              more / static_cast<double>(many.did.messages - few.did.messages);
        }
      });
}

// --- memory of a processor ---

/// Steps that are enough for every processor to have sent, waited and taken in.
constexpr int steps_of_memory = 4;

/// Runs print_peak_memory in a process of its own; returns 0 if it fails.
double peak_memory_elsewhere(std::string const& what, int processors, int workers) {
  auto const self = std::filesystem::read_symlink("/proc/self/exe").string();
  auto const command =
      fmt::format("'{}' {}{},{},{}", self, peak_memory_option, what, processors, workers);
  std::FILE* const output = ::popen(command.c_str(), "r");
  if (output == nullptr) return 0;
  double bytes = 0;
  bool const read = std::fscanf(output, "%lf", &bytes) == 1;
  bool const ended_well = ::pclose(output) == 0;
  return read && ended_well ? bytes : 0;
}

void add_peak_memory(std::string const& what, int processors, int workers) {
  add(fmt::format("memory: {}/fibers:{}/p:{}", what, workers, processors), 1,
      [=](benchmark::State& state) {
        double bytes = 0;
        for ([[maybe_unused]] auto _ : state)
          bytes = peak_memory_elsewhere(what, processors, workers);
        if (bytes <= 0) return state.SkipWithError("the process that measures memory failed");
        state.counters[bytes_per_processor] = bytes;
      });
}

}  // namespace

double peak_memory() { return bytes_in_line("/proc/self/status", "VmHWM:").value_or(0); }

int print_peak_memory(std::string const& what, int processors, int workers) {
  for (auto const& each : main_workloads(1)) {
    if (each.name != what) continue;
    engine_choice const on{lockstep::engine::fibers, workers};
    auto const before = peak_memory();
    int const rounds = std::max(1, steps_of_memory / each.steps_per_round(processors));
    auto const did = each.run({processors, 1, on.options()}, rounds);
    std::cout << (peak_memory() - before) / processors << '\n' << std::flush;
    if (!did.error.empty()) std::cerr << did.error << '\n';
    return did.error.empty() ? 0 : 1;
  }
  std::cerr << "no workload " << what << '\n';
  return 2;
}

void add_memory(scope const& of) {
  auto const one = [](int) { return 1; };
  workload const values{"values", one, ring_shift};
  workload const into{"exchange_into", one, ring_shift};
  workload const moved{"moved vectors", one, ring_shift_of_moved_vectors};
  for (auto const& on : {one_worker, two_workers, a_thread_each}) {
    bool const threads = on.engine == lockstep::engine::threads;
    // With fewer processors there would be one worker.
    int const processors = threads || of.quick ? 64 : on.workers == 2 ? 16384 : 1024;
    add_allocations(of, values, on, processors, 1);
    add_allocations(of, into, on, processors, 64);
    add_allocations(of, moved, on, processors, 64);
  }
  int const most = of.processors_for(1).back();
  for (auto const& what : main_workloads(1)) add_peak_memory(what.name, most, 1);
  if (!of.quick) add_peak_memory("permutation", most, 2);
}

}  // namespace bench
