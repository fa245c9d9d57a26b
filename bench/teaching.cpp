// Every algorithm on its teaching example, beside a bare program: one that sends and receives the
// same messages, in the same steps and of as many words, and does nothing else.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

/// Measures a run from before its processors are made until all is told.
class stopwatch final : public lockstep::observer {
 public:
  [[nodiscard]] bool wants_calls() const override {
    m_begin = std::chrono::steady_clock::now();
    return false;
  }
  void ended(lockstep::run_end const& /*how*/) override {
    m_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
  }
  /// Of all runs that it has watched.
  [[nodiscard]] double seconds() const { return m_seconds; }

 private:
  mutable std::chrono::steady_clock::time_point m_begin{};
  double m_seconds = 0;
};

/// Keeps all messages of a run, empty ones too.
class message_list final : public lockstep::observer {
 public:
  void message(lockstep::message_record const& seen) override { m_all.push_back(seen); }
  [[nodiscard]] std::vector<lockstep::message_record> const& all() const { return m_all; }

 private:
  std::vector<lockstep::message_record> m_all;
};

/// One end of a message, at the processor that sends or receives it.
struct message_end {
  lockstep::message_record message;
  bool is_sender = false;

  [[nodiscard]] std::uint64_t call() const {
    return is_sender ? message.sender_call : message.receiver_call;
  }
};

/// A run's messages by processor, in the order of its program.
class bare_program {
 public:
  bare_program(std::vector<lockstep::message_record> const& messages, int processors)
      : m_ends(static_cast<std::size_t>(processors)) {
    for (auto const& each : messages) {
      ends_of(each.from).push_back({each, true});
      ends_of(each.to).push_back({each, false});
      m_most_words = std::max(m_most_words, static_cast<std::size_t>(each.words));
    }
    for (auto& ends : m_ends) std::ranges::sort(ends, {}, &message_end::call);
  }

  void operator()(lockstep::processor& me) const {
    std::vector<word> memory(m_most_words);
    for (auto const& [message, is_sender] : m_ends[static_cast<std::size_t>(me.rank())]) {
      auto const words = std::span(memory).first(message.words);
      me.pass(message.pass);
      if (!is_sender) {
        me.receive_into(message.from, words);
        continue;
      }
      if (me.now() < message.sent) me.idle(message.sent - me.now());
      if (message.way.offset == 0)
        me.send(message.to, words);
      else
        me.send(message.way, words);
    }
  }

 private:
  std::vector<message_end>& ends_of(int rank) { return m_ends[static_cast<std::size_t>(rank)]; }

  std::vector<std::vector<message_end>> m_ends;
  std::size_t m_most_words = 0;
};

/// One algorithm on its teaching example, by one worker.
class teaching_run {
 public:
  explicit teaching_run(lockstep::experiment const& of)
      : m_of(of), m_request(lockstep::teaching_request(of)) {
    m_request.options.workers = 1;
    m_request.options.ports = of.default_ports;
  }

  /// Runs it once, for its messages. Result: the fault; empty if it has none.
  [[nodiscard]] std::string prepare() {
    message_list messages;
    m_counts = run({&messages}).record.counts();
    m_bare.emplace(messages.all(), m_request.network->size());
    auto const bare = on().run(*m_bare).counts();
    if (bare.steps == m_counts.steps && bare.volume == m_counts.volume) return {};
    return fmt::format("the bare program takes {} steps and {} words, {} takes {} and {}",
                       bare.steps, bare.volume, m_of.name, m_counts.steps, m_counts.volume);
  }

  [[nodiscard]] double seconds_of_algorithm() {
    stopwatch watch;
    (void)run({&watch});
    return watch.seconds();
  }
  [[nodiscard]] double seconds_of_bare_program() { return seconds_of_run(*m_bare); }
  /// Making the processors, and ending them.
  [[nodiscard]] double seconds_of_nothing() {
    return seconds_of_run([](lockstep::processor&) {});
  }

  [[nodiscard]] double processor_steps() const {
    return static_cast<double>(m_counts.steps) * m_request.network->size();
  }

 private:
  lockstep::experiment_result run(std::vector<lockstep::observer*> const& observers) {
    auto asked = m_request;
    asked.observers = observers;
    return m_of.run(asked);
  }
  [[nodiscard]] lockstep::machine on() const {
    return lockstep::machine(m_request.network, m_request.options);
  }

  template <class Program>
  [[nodiscard]] double seconds_of_run(Program const& program) {
    stopwatch watch;
    on().run(program, watch);
    return watch.seconds();
  }

  lockstep::experiment const& m_of;
  lockstep::experiment_request m_request;
  lockstep::counts m_counts;
  std::optional<bare_program> m_bare;
};

void measure(benchmark::State& state, lockstep::experiment const& of) {
  teaching_run each(of);
  if (auto const wrong = each.prepare(); !wrong.empty()) return state.SkipWithError(wrong.c_str());
  least algorithm;
  least bare;
  least nothing;
  for ([[maybe_unused]] auto _ : state) {
    algorithm.add(each.seconds_of_algorithm());
    bare.add(each.seconds_of_bare_program());
    nothing.add(each.seconds_of_nothing());
  }
  auto const per_step = [&](least const& run) {
    return (run.seconds() - nothing.seconds()) * 1e9 / each.processor_steps();
  };
  state.counters[ns_per_processor_step] = per_step(algorithm);
  state.counters[bare_ns_per_processor_step] = per_step(bare);
}

}  // namespace

void add_teaching_examples(scope const& of) {
  for (auto const& each : lockstep::experiments())
    add(fmt::format("teaching/{}, {}", each.name, each.teaching.on), of.quick ? 3 : 30,
        [&each](benchmark::State& state) { measure(state, each); });
}

}  // namespace bench
