#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <string>

#include <benchmark/benchmark.h>

#include "workloads.hpp"

namespace bench {

// Counters, by the names that the summary looks for.
inline constexpr char const* ns_per_processor_step = "ns_per_processor_step";
inline constexpr char const* bare_ns_per_processor_step = "bare_ns_per_processor_step";
inline constexpr char const* words_per_second = "words_per_s";
inline constexpr char const* ns_per_message = "ns_per_message";
inline constexpr char const* ns_per_processor = "ns_per_processor";
inline constexpr char const* bytes_per_processor = "bytes_per_processor";
inline constexpr char const* memcpy_words_per_second = "memcpy_words_per_s";
inline constexpr char const* run_seconds = "run_seconds";
inline constexpr char const* seconds_in_tiles = "seconds_in_tiles";
inline constexpr char const* radix_sort_seconds = "radix_sort_seconds";
inline constexpr char const* stable_sort_seconds = "stable_sort_seconds";
inline constexpr char const* parallel_sort_seconds = "parallel_sort_seconds";
inline constexpr char const* one_call_seconds = "one_call_seconds";
inline constexpr char const* exchange_seconds = "exchange_seconds";
inline constexpr char const* loop_seconds = "loop_seconds";
inline constexpr char const* sort_seconds = "sort_seconds";
inline constexpr char const* bytes_per_second = "bytes_per_s";
inline constexpr char const* memcpy_bytes_per_second = "memcpy_bytes_per_s";
inline constexpr char const* peak_bytes = "peak_bytes";
inline constexpr char const* allocations_per_message = "allocations_per_message";
inline constexpr char const* ns_per_call = "ns_per_call";
inline constexpr char const* counted_ns = "counted_ns_per_processor_step";
inline constexpr char const* clocked_ns = "clocked_ns_per_processor_step";
inline constexpr char const* timeline_ns = "timeline_ns_per_processor_step";

/// Seconds that a call takes.
template <class Call>
double seconds_of(Call&& call) {
  auto const begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The least of several times: the one that others on this computer disturbed least.
class least {
 public:
  void add(double seconds) { m_seconds = std::min(m_seconds, seconds); }
  [[nodiscard]] double seconds() const { return m_seconds; }

 private:
  double m_seconds = std::numeric_limits<double>::infinity();
};

/// Says what failed, if anything did, in the benchmark's own line.
inline bool accept(benchmark::State& state, outcome const& did) {
  if (!did.error.empty()) state.SkipWithError(did.error.c_str());
  return did.error.empty();
}

/// For a workload that measures its rounds itself, with messages of `words` words: the time of
/// `rounds` rounds after a first one.
inline void report_rounds(benchmark::State& state, setting const& at, int rounds,
                          std::function<outcome(int rounds)> const& run) {
  least all;
  outcome did;
  for ([[maybe_unused]] auto _ : state) {
    did = run(1 + rounds);
    if (!accept(state, did)) return;
    all.add(did.seconds);
  }
  auto const share = static_cast<double>(rounds) / (1 + rounds);
  state.counters[ns_per_processor_step] =
      all.seconds() * 1e9 / (share * static_cast<double>(did.steps) * at.processors);
  auto const messages = share * static_cast<double>(did.messages);
  state.counters[ns_per_message] = all.seconds() * 1e9 / messages;
  state.counters[words_per_second] = messages * at.words / all.seconds();
}

/// Registers a benchmark that is repeated that often.
template <class Body>
void add(std::string const& name, int repetitions, Body&& body) {
  benchmark::RegisterBenchmark(name.c_str(), std::forward<Body>(body))
      ->Iterations(repetitions)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace bench
