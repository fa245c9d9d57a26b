// A million words to random processors: by post and deliver, and by a counting sort and an exchange in
// rounds, as programs without them write it; beside a counting sort of one memory.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/topologies/crossbar.hpp>

#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

/// A word, and the processor that it is for.
struct letter {
  int to;
  word text;
};

/// Letters of a processor to random ones, the same in every run.
std::vector<letter> letters_of(int rank, int processors, std::size_t count) {
  std::vector<letter> letters(count);
  word state = static_cast<word>(rank) + 1;
  for (auto& one : letters) {
    state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    one = {static_cast<int>((state >> 33U) % static_cast<word>(processors)), state};
  }
  return letters;
}

/// Adds up what came, so that senders matter.
word weigh(int from, std::span<word const> came) {
  return std::accumulate(came.begin(), came.end(), word{0}) * (static_cast<word>(from) + 1);
}

word post_and_deliver(lockstep::processor& me, std::span<letter const> letters) {
  for (auto const& [to, text] : letters) me.post(to, text);
  word sum = 0;
  for (auto const& [from, came] : me.deliver<word>()) sum += weigh(from, came);
  return sum;
}

/// The letters, sorted by receiver, and where those of each begin.
struct sorted_letters {
  sorted_letters(std::span<letter const> letters, int processors)
      : begins(static_cast<std::size_t>(processors) + 1), texts(letters.size()) {
    for (auto const& one : letters) ++begins[static_cast<std::size_t>(one.to) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    auto next = begins;
    for (auto const& one : letters) texts[next[static_cast<std::size_t>(one.to)]++] = one.text;
  }
  [[nodiscard]] std::span<word const> to(int rank) const {
    auto const at = static_cast<std::size_t>(rank);
    return std::span(texts).subspan(begins[at], begins[at + 1] - begins[at]);
  }

  std::vector<std::size_t> begins;
  std::vector<word> texts;
};

word exchange_by_hand(lockstep::processor& me, std::span<letter const> letters) {
  int const p = me.size();
  sorted_letters const sorted(letters, p);
  word sum = weigh(me.rank(), sorted.to(me.rank()));
  me.pipelined([&] {
    for (int offset = 1; offset < p; ++offset) {
      int const to = (me.rank() + offset) % p;
      int const from = (me.rank() + p - offset) % p;
      sum += weigh(from, me.exchange(to, sorted.to(to), from));
    }
  });
  return sum;
}

/// The time between two barriers, and the sum over all processors.
struct mail_run {
  double seconds = 0;
  word sum = 0;
};

mail_run run_mail(lockstep::machine const& on, std::size_t count,
                  word (*exchange)(lockstep::processor&, std::span<letter const>)) {
  round_clock clock;
  auto const run = on.run([&](lockstep::processor& me) {
    auto const letters = letters_of(me.rank(), me.size(), count);
    me.barrier();
    clock.begin();
    auto const sum = exchange(me, letters);
    me.barrier();
    clock.end();
    return sum;
  });
  return {clock.seconds(), std::accumulate(run.results().begin(), run.results().end(), word{0})};
}

double seconds_in_one_memory(int processors, std::size_t count) {
  std::vector<letter> all;
  for (int rank = 0; rank < processors; ++rank)
    for (auto const& one : letters_of(rank, processors, count)) all.push_back(one);
  return seconds_of([&] {
    sorted_letters const sorted(all, processors);
    benchmark::DoNotOptimize(sorted.texts.data());
  });
}

}  // namespace

void add_mail(scope const& of) {
  int const processors = of.quick ? 64 : 1'024;
  std::size_t const count = of.quick ? 64 : 1'024;
  for (auto const& engine : {one_worker, two_workers})
    add(fmt::format("mail/crossbar:{}, {}", processors, engine.name()), 1,
        [=](benchmark::State& state) {
          lockstep::machine const on{lockstep::crossbar{processors}, engine.options()};
          least delivered, by_hand, sorted;
          for ([[maybe_unused]] auto _ : state)
            for (int times = 0; times < 5; ++times) {
              auto const mail = run_mail(on, count, post_and_deliver);
              auto const hand = run_mail(on, count, exchange_by_hand);
              if (mail.sum != hand.sum) return state.SkipWithError("other words were delivered");
              delivered.add(mail.seconds);
              by_hand.add(hand.seconds);
              sorted.add(seconds_in_one_memory(processors, count));
            }
          state.counters[run_seconds] = delivered.seconds();
          state.counters[exchange_seconds] = by_hand.seconds();
          state.counters[sort_seconds] = sorted.seconds();
        });
}

}  // namespace bench
