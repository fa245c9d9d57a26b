#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/run.hpp>
#include <lockstep/traces/view_trace.hpp>

namespace lockstep::detail {

/// A phase of a recorded run.
struct recorded_phase {
  std::string name;
  std::uint64_t first = 0;
  counts figures{};
  std::uint64_t port_words = 0;
};

/// Why a recorded run failed.
struct recorded_failure {
  std::string kind;
  std::string message;
  incident at{};
};

/// All that is known of a run for a page about it.
class run_recording : public observer {
 public:
  run_recording(machine on, std::string program, std::size_t most_messages,
                std::size_t most_shown = view_trace::most_shown);
  /// Records what a run keeps without observers.
  explicit run_recording(run_record const& of);

  [[nodiscard]] bool wants_calls() const override { return true; }
  void phase(phase_start const& begun) override;
  void message(message_record const& seen) override;
  void step(step_record const& seen) override;
  void call(call_record const& made) override;
  void shown(shown_record const& value) override;
  void ended(run_end const& how) override;
  void cut_off(std::string const& why) override { leave_out(why); }

  [[nodiscard]] machine const& on() const { return m_machine; }
  [[nodiscard]] std::string const& program() const { return m_program; }
  [[nodiscard]] std::vector<message_record> const& messages() const { return m_messages; }
  [[nodiscard]] std::vector<step_record> const& steps() const { return m_steps; }
  [[nodiscard]] std::vector<recorded_phase> const& phases() const { return m_phases; }
  [[nodiscard]] std::vector<call_record> const& calls() const { return m_calls; }
  [[nodiscard]] std::vector<shown_record> const& shows() const { return m_shows; }
  [[nodiscard]] counts const& total() const { return m_total; }
  [[nodiscard]] recorded_failure const* failure() const { return m_failed ? &m_failure : nullptr; }
  /// Says what is left out, as the end of a sentence that begins with the page's name; empty if
  /// nothing is.
  [[nodiscard]] std::string const& left_out() const { return m_left_out; }

 private:
  void leave_out(std::string const& why);
  void leave_out_last_shown_step();
  void forget_left_out_shows();
  void end_shows();
  void note_failure(std::exception_ptr const& failure);
  void sum_up_what_came();

  machine m_machine;
  std::string m_program;
  std::size_t m_most_messages;
  std::size_t m_most_shown;  ///< numbers
  bool m_full = false;
  std::vector<message_record> m_messages;
  std::vector<step_record> m_steps;
  std::vector<recorded_phase> m_phases;
  std::vector<call_record> m_calls;
  std::vector<shown_record> m_shows;
  std::map<std::uint64_t, std::size_t> m_shown_after;  ///< numbers, by step
  /// The first step whose shows are left out.
  std::uint64_t m_shows_end = std::numeric_limits<std::uint64_t>::max();
  std::size_t m_shown_numbers = 0;     ///< of the steps before
  std::size_t m_left_out_numbers = 0;  ///< which m_shows still has
  counts m_total{};
  bool m_failed = false;
  recorded_failure m_failure;
  std::string m_left_out;
};

}  // namespace lockstep::detail
