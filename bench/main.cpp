// Measures the engines, and prints the ratios that matter.
//
//   lockstep_bench           everything: some minutes
//   lockstep_bench --quick   small machines only: some seconds
//   lockstep_bench --large   a million processors and more, 2^24 of them in up to 19 GiB
//
// The options of Google Benchmark are understood, too, such as --benchmark_filter=ring.
// Exit status 1 if a result was wrong.

#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string_view>

#include <benchmark/benchmark.h>

#include "summary.hpp"
#include "themes.hpp"

namespace {

int run_benchmarks(bench::scope const& of) {
  bench::add_references(of);
  bench::add_engines(of);
  bench::add_memory(of);
  bench::add_teaching_examples(of);
  bench::add_exchanges(of);
  bench::add_prefixes(of);
  bench::add_collectives(of);
  bench::add_clocks(of);
  bench::add_work(of);
  bench::add_mail(of);
  bench::add_transpositions(of);
  bench::add_sorting(of);
  bench::add_hypercube_sorting(of);
  bench::add_histograms(of);
  bench::add_numeric(of);
  bench::collecting_reporter reporter(::isatty(STDOUT_FILENO) != 0);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  std::cout << bench::summary_of(reporter.collected(), of);
  return reporter.any_failed() ? 1 : 0;
}

/// WORKLOAD,PROCESSORS,WORKERS
int measure_memory(std::string_view what) {
  auto const first = what.find(',');
  int processors = 0;
  int workers = 0;
  if (first == std::string_view::npos ||
      std::sscanf(what.data() + first, ",%d,%d", &processors, &workers) != 2)
    return 2;
  return bench::print_peak_memory(std::string(what.substr(0, first)), processors, workers);
}

/// TOPOLOGY,WORKERS
int measure_exchange(std::string_view what) {
  auto const comma = what.find(',');
  int workers = 0;
  if (comma == std::string_view::npos || std::sscanf(what.data() + comma, ",%d", &workers) != 1)
    return 2;
  return bench::print_exchange(std::string(what.substr(0, comma)), workers);
}

/// PROGRAM,WORKERS,COPIED
int measure_large(std::string_view what) {
  int program = 0;
  int workers = 0;
  int copied = 0;
  if (std::sscanf(what.data(), "%d,%d,%d", &program, &workers, &copied) != 3) return 2;
  return bench::print_large_run(program, workers, copied != 0);
}

}  // namespace

int main(int argc, char** argv) {
#if defined(__GLIBC__)  // as the command line does
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  bench::scope of;
  int kept = 1;
  for (int at = 1; at < argc; ++at) {
    std::string_view const argument = argv[at];
    if (argument.starts_with(bench::peak_memory_option))
      return measure_memory(argument.substr(std::string_view(bench::peak_memory_option).size()));
    if (argument.starts_with(bench::exchange_option))
      return measure_exchange(argument.substr(std::string_view(bench::exchange_option).size()));
    if (argument.starts_with(bench::large_run_option))
      return measure_large(argument.substr(std::string_view(bench::large_run_option).size()));
    if (argument.starts_with(bench::large_option)) {
      auto const filter = argument.substr(std::string_view(bench::large_option).size());
      return bench::print_large_runs(filter.substr(filter.starts_with('=') ? 1 : 0));
    }
    if (argument == "--quick")
      of.quick = true;
    else
      argv[kept++] = argv[at];
  }
  argc = kept;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  return run_benchmarks(of);
}
