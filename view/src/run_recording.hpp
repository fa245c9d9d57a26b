#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/run.hpp>
#include <lockstep/step_list.hpp>
#include <lockstep/traces/view_trace.hpp>

namespace lockstep::detail {

/// Writes a number with its digits in groups: "16,777,216".
[[nodiscard]] std::string grouped(std::uint64_t number);

/// Counts the numbers, labels or characters of a value.
[[nodiscard]] std::size_t numbers_in(shown_value const& value);

/// Finds the page's step, from 1 on, that shows a step of the run. Step 0 is 0; those after the last
/// are counted on, `most_equal_rows` of them at most.
[[nodiscard]] std::uint64_t step_of_page(std::span<step_stretch const> shown, std::uint64_t step);

/// Adds to the list of omissions, which is empty or the end of a sentence, another end of it.
void add_reason(std::string& left_out, std::string const& why);

/// A phase of a recorded run.
struct recorded_phase {
  std::string name;
  std::uint64_t first = 0;
  counts figures{};
  std::optional<std::uint64_t> port_words{};  ///< not known where the run failed
};

/// A figure by its name.
struct named_figure {
  std::string_view name;
  std::uint64_t value;
};

/// Why a recorded run failed.
struct recorded_failure {
  std::string kind;
  std::string message;
  incident at{};
};

/// A call of a library's function that processors were in, and the number of the call around it; -1
/// for none.
struct recorded_frame {
  std::source_location line;
  int caller;
};

/// All that is known of a run for a page about it.
/// Errors: invalid_argument where it is told of a second run, or of another machine's.
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
  void idle_steps(step_record const& first, std::uint64_t count) override;
  void call(call_record const& made) override;
  void shown(shown_record const& value) override;
  void said(call_record const& made, std::string_view text) override;
  void ended(run_end const& how) override;
  void cut_off(std::string const& why) override;

  [[nodiscard]] machine const& on() const { return m_machine; }
  [[nodiscard]] std::string const& program() const { return m_program; }
  [[nodiscard]] std::vector<message_record> const& messages() const { return m_messages; }
  /// The steps of the page; each shows one step of the run, or idle ones in a row: those of
  /// a long stretch, or of any where the page has no room for each.
  [[nodiscard]] std::vector<step_stretch> const& steps() const { return m_steps; }
  /// The last step of the run that the page shows.
  [[nodiscard]] std::uint64_t last_step() const {
    return m_steps.empty() ? 0 : m_steps.back().last_step();
  }
  [[nodiscard]] std::vector<recorded_phase> const& phases() const { return m_phases; }
  [[nodiscard]] std::vector<call_record> const& calls() const { return m_calls; }
  /// The calls of libraries in which processors made theirs, callers first.
  [[nodiscard]] std::vector<recorded_frame> const& frames() const { return m_frames; }
  /// By call: the number of the frame in which it was made; -1 for the program itself.
  [[nodiscard]] std::vector<int> const& frame_of_call() const { return m_frame_of_call; }
  /// The texts of labels and notes, each once. `call_record::words` of such a call is its index.
  [[nodiscard]] std::vector<std::string> const& texts() const { return m_texts; }
  [[nodiscard]] std::vector<shown_record> const& shows() const { return m_shows; }
  /// Lists the counts of the run that are known and worth showing.
  [[nodiscard]] std::vector<named_figure> figures() const;
  /// Lists the lengths of the run that its counts do not tell: "span", "makespan".
  [[nodiscard]] std::vector<named_figure> lengths() const;
  /// Lists the labels that processors gave, each after the one around it.
  [[nodiscard]] std::vector<label_record> const& labels() const { return m_labels; }
  /// Lists those of a phase.
  [[nodiscard]] static std::vector<named_figure> figures_of(recorded_phase const& phase);
  [[nodiscard]] recorded_failure const* failure() const { return m_failed ? &m_failure : nullptr; }
  /// Lists the omissions, as the end of a sentence that begins with the page's name; empty if
  /// nothing is.
  [[nodiscard]] std::string left_out() const;

 private:
  void keep_steps(run_record const& of);
  void keep_totals(run_record const& of);
  [[nodiscard]] bool has_room_for(std::uint64_t steps) const;
  void join_idle_steps();
  void leave_out(std::string const& why) { add_reason(m_left_out, why); }
  void leave_out_last_shown_step();
  void forget_left_out_shows();
  void end_shows();
  void note_failure(std::exception_ptr const& failure);
  void sum_up_what_came(bool with_calls);
  void sum_up_rearrangements();
  void check_is_first_run() const;
  void check_rank(int rank) const;
  void check_network(topology const& ran_on) const;
  [[nodiscard]] int number_of(call_frame const* frame);

  machine m_machine;
  std::string m_program;
  std::size_t m_most_messages;
  std::size_t m_most_shown;  ///< numbers
  bool m_full = false;
  bool m_joins_idle_steps = false;  ///< however few they are
  std::vector<message_record> m_messages;
  std::vector<step_stretch> m_steps;
  std::vector<recorded_phase> m_phases;
  std::vector<call_record> m_calls;
  std::vector<int> m_frame_of_call;
  std::vector<recorded_frame> m_frames;
  std::map<call_frame const*, int> m_frame_numbers;
  std::vector<std::string> m_texts;
  std::map<std::string, std::uint64_t, std::less<>> m_text_numbers;
  std::vector<shown_record> m_shows;
  std::map<std::uint64_t, std::size_t> m_shown_after;  ///< numbers, by step
  /// The first step whose shows are left out.
  std::uint64_t m_shows_end = std::numeric_limits<std::uint64_t>::max();
  std::size_t m_shown_numbers = 0;     ///< of the steps before
  std::size_t m_left_out_numbers = 0;  ///< which m_shows still has
  counts m_total{};
  std::uint64_t m_span = 0;
  std::uint64_t m_makespan = 0;
  std::vector<label_record> m_labels;
  bool m_ended = false;
  bool m_knows_rearrangements = true;  ///< of the whole run
  bool m_failed = false;
  recorded_failure m_failure;
  std::string m_left_out;
};

}  // namespace lockstep::detail
