#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/traces/trace.hpp>

namespace lockstep {

/// Writes the run as a trace in the Chrome trace event format, an object with `traceEvents`, which
/// Perfetto (ui.perfetto.dev) and chrome://tracing open:
///
/// - a track for each processor (its rank is the `tid`), with a slice for each step in which it
///   sends or takes in, such as "step 3: sends 4 words to 7, takes in 4 words from 2";
/// - an arrow for each message, from the slice in which it was sent to that in which it came in;
/// - a track of its own for the phases, above the others;
/// - what a processor labels (`processor::label`), as slices around those of its steps;
/// - counters: the messages and the words of each step.
///
/// Step s is the time from s to s + 1, in microseconds, the format's unit.
///
/// Writes as the run goes, but labels at its end: where calls are left out
/// (`observer::wants_calls`), so are they. Keeps the messages that came in last, `most_kept` (of 80
/// bytes) and those of one step, for the slices of their senders: a message that queued while more
/// than that came in gets a short slice of its own where it was sent.
class chrome_trace : public trace {
 public:
  static constexpr std::size_t default_most_kept = std::size_t{1} << 17U;

  /// Writes nothing before something is to be seen.
  chrome_trace(std::ostream& out, machine const& traced, trace_labels labels = {},
               std::size_t most_kept = default_most_kept);

  void phase(phase_start const& begun) override;
  void message(message_record const& seen) override;
  void step(step_record const& seen) override;
  void idle_steps(step_record const& first, std::uint64_t count) override;
  [[nodiscard]] bool wants_calls() const override { return true; }
  void said(call_record const& made, std::string_view text) override;

 private:
  /// A label that a processor has given, and the step since when it is valid.
  struct open_label {
    std::string name;
    std::uint64_t begin;
  };

  /// A message as one of its two processors sees it.
  struct message_end {
    int rank;
    int other;
    bool sends;
    std::uint64_t words;
    std::uint64_t other_step;  ///< in which the other processor has its part in it
  };

  void complete() override;
  void write_event(std::string_view rest);
  void begin();
  void name_machine();
  void name_track(int track);
  void end_phase(std::uint64_t step);
  void count(std::string_view what, std::uint64_t& last, std::uint64_t now, std::uint64_t step);
  void draw_arrow(message_record const& seen, bool late);
  void write_late_send(message_record const& seen);
  void write_oldest_step();
  void write_slice(std::uint64_t step, std::span<message_end const> ends);
  void end_labels(std::size_t kept, std::uint64_t step);

  int m_processors;
  std::size_t m_most_kept;
  std::string m_spec;
  std::string m_program;
  bool m_begun = false;
  std::map<std::uint64_t, std::vector<message_end>> m_open;  ///< by step
  std::size_t m_ends = 0;                                    ///< in all of them
  std::uint64_t m_written = 0;  ///< the slices of the steps up to this one are
  std::uint64_t m_last_step = 0;
  std::uint64_t m_messages = 0;
  std::uint64_t m_messages_shown = 0;  ///< the counters
  std::uint64_t m_words_shown = 0;
  std::string m_phase;  ///< the one that has begun
  std::uint64_t m_phase_begin = 0;
  int m_labelling = -1;                ///< the processor whose labels are told
  std::vector<open_label> m_labelled;  ///< its labels, each inside the one before
};

}  // namespace lockstep
