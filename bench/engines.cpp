// The engines: ring, prefix and permutation for all sizes; starting; runs of few active processors.

#include <fmt/format.h>

#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

constexpr int most_threads_of_large_messages = 1024;

void add_workload(scope const& of, workload const& what, engine_choice const& on, int processors,
                  int words) {
  bool const large = words > 1;
  bool const threads = on.engine == lockstep::engine::threads;
  double const wanted = threads ? 5e4 : large ? 5e5 : 4e6;
  int const fewest = threads || large ? 16 : 24;
  int const rounds = of.rounds(wanted, fewest, processors, what.steps_per_round(processors));
  setting const at{processors, words, on.options()};
  add(name_of(what.name, on.name(), processors, words), of.repetitions(processors, words),
      [=](benchmark::State& state) {
        report_rounds(state, at, rounds, [&](int count) { return what.run(at, count); });
      });
}

void add_start(scope const& of, engine_choice const& on, int processors) {
  setting const at{processors, 0, on.options()};
  add(fmt::format("start and end/{}/p:{}", on.name(), processors), of.repetitions(processors, 1),
      [=](benchmark::State& state) {
        least all;
        for ([[maybe_unused]] auto _ : state) {
          outcome did;
          all.add(seconds_of([&] { did = nothing(at, 0); }));
          if (!accept(state, did)) return;
        }
        state.counters[ns_per_processor] = all.seconds() * 1e9 / processors;
      });
}

void add_few_active(scope const& of, std::string const& which,
                    outcome (*prefix)(setting const& at, int rounds), int processors) {
  int const rounds = of.quick ? 100 : processors > 131'072 ? 5000 : 1000;
  setting const at{processors, 1, one_worker.options()};
  add(fmt::format("few active, {}/{}/p:{}", which, one_worker.name(), processors),
      of.repetitions(processors, 1), [=](benchmark::State& state) {
        report_rounds(state, at, rounds, [&](int count) { return prefix(at, count); });
      });
}

void add_workloads(scope const& of, engine_choice const& on, std::vector<int> const& sizes,
                   int words) {
  for (int const processors : sizes)
    for (auto const& what : main_workloads(words)) add_workload(of, what, on, processors, words);
}

}  // namespace

void add_engines(scope const& of) {
  for (int const words : {1, 1024}) {
    for (auto const& on : {one_worker, two_workers})
      add_workloads(of, on, of.processors_for(words), words);
    auto threads = of.threads();
    if (words > 1) std::erase_if(threads, [](int p) { return p > most_threads_of_large_messages; });
    add_workloads(of, a_thread_each, threads, words);
  }
  for (int const processors : of.processors_for(1)) {
    for (auto const& on : {one_worker, two_workers}) add_start(of, on, processors);
    if (processors > active_in_tree) {
      add_few_active(of, "together", prefix_in_subtree, processors);
      add_few_active(of, "far apart", prefix_at_the_top, processors);
    }
  }
  for (int const processors : of.threads()) add_start(of, a_thread_each, processors);
}

}  // namespace bench
