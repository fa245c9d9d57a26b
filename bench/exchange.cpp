// The complete exchange with real blocks, and memcpy of the same words by as many threads.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/topologies/parse.hpp>

#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

/// A block of one word, which tells where it comes from and where it belongs.
word block_of(int source, int destination) {
  return static_cast<word>(source) << 32U | static_cast<word>(destination);
}

struct exchange_run {
  std::vector<lockstep::step_record> steps;
  double seconds = 0;  ///< from the first ring phase to the last step, rearrangements included
  bool is_right = false;
};

exchange_run run_exchange(std::string const& network, int workers) {
  engine_choice const on{lockstep::engine::fibers, workers};
  auto options = on.options();
  options.strict = true;
  lockstep::machine const machine{lockstep::parse(network), options};
  lockstep::exchange_schedule const schedule(machine.topology());
  round_clock clock;
  auto run = machine.run([&](lockstep::processor& me) -> int {
    lockstep::detail::exchange_host<word> host(me, schedule, 1,
                                               [&](int destination, std::span<word> block) {
                                                 block[0] = block_of(me.rank(), destination);
                                               });
    me.barrier();
    clock.begin();
    host.run();
    me.barrier();
    clock.end();
    int is_right = 1;
    host.read_blocks([&](int source, std::span<word const> block) {
      if (block[0] != block_of(source, me.rank())) is_right = 0;
    });
    return is_right;
  });
  bool const is_right = std::ranges::find(run.results(), 0) == run.results().end();
  return {run.steps(), clock.seconds(), is_right};
}

/// Copies as many words, in pieces as large as the messages were on average in each step, between
/// two places of each processor; each thread for its share of the processors.
double seconds_of_memcpy(std::vector<lockstep::step_record> const& steps, int processors,
                         int threads) {
  auto const places = static_cast<std::size_t>(processors);
  auto const from = std::make_unique<word[]>(places * places);
  auto const to = std::make_unique<word[]>(places * places);
  std::fill_n(from.get(), places * places, word{1});
  std::fill_n(to.get(), places * places, word{2});
  auto const copy_share = [&](std::size_t first, std::size_t last) {
    for (auto const& step : steps) {
      auto const words = step.messages == 0 ? 0 : step.volume / step.messages;
      auto const senders = std::min(last, static_cast<std::size_t>(step.messages));
      for (auto i = first; i < senders; ++i)
        std::memcpy(&to[i * places], &from[i * places], words * sizeof(word));
    }
  };
  auto const share =
      (places + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  return seconds_of([&] {
    std::vector<std::jthread> copying;
    for (std::size_t first = 0; first < places; first += share)
      copying.emplace_back(copy_share, first, std::min(places, first + share));
  });
}

void add_exchange(std::string const& network, int workers) {
  add(fmt::format("exchange/fibers:{}/{}", workers, network), 1, [=](benchmark::State& state) {
    auto const self = std::filesystem::read_symlink("/proc/self/exe").string();
    auto const command = fmt::format("'{}' {}{},{}", self, exchange_option, network, workers);
    for ([[maybe_unused]] auto _ : state) {
      std::FILE* const output = ::popen(command.c_str(), "r");
      if (output == nullptr) return state.SkipWithError("no process to run the exchange in");
      double words = 0;
      double seconds = 0;
      double whole = 0;
      double bytes = 0;
      double copying = 0;
      bool const read = std::fscanf(output, "%lf %lf %lf %lf %lf", &words, &seconds, &whole, &bytes,
                                    &copying) == 5;
      if (::pclose(output) != 0 || !read)
        return state.SkipWithError("the process that exchanges failed");
      state.counters[words_per_second] = words / seconds;
      state.counters[memcpy_words_per_second] = words / copying;
      state.counters[run_seconds] = whole;
      state.counters[peak_bytes] = bytes;
    }
  });
}

}  // namespace

int print_exchange(std::string const& network, int workers) {
  exchange_run did;
  auto const whole = seconds_of([&] { did = run_exchange(network, workers); });
  auto const bytes = peak_memory();
  double words = 0;
  for (auto const& step : did.steps) words += static_cast<double>(step.volume);
  auto const processors = lockstep::parse(network)->size();
  auto const copying = seconds_of_memcpy(did.steps, processors, workers);
  std::cout << fmt::format("{} {} {} {} {}\n", words, did.seconds, whole, bytes, copying)
            << std::flush;
  if (!did.is_right) std::cerr << network << ": blocks are not where they belong\n";
  return did.is_right ? 0 : 1;
}

void add_exchanges(scope const& of) {
  if (of.quick) {
    for (auto const* const network : {"torus:16x16", "torus:4x4x4"}) add_exchange(network, 1);
    return;
  }
  for (auto const* const network :
       {"torus:64x64", "torus:16x16x16", "torus:8x8x8x8", "torus:4x4x4x4x4x4"})
    add_exchange(network, 1);
  add_exchange("torus:128x128", 2);
}

}  // namespace bench
