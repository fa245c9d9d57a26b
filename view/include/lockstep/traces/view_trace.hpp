#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>

#include <lockstep/machine.hpp>
#include <lockstep/shown.hpp>
#include <lockstep/traces/trace.hpp>
#include <lockstep/view_notes.hpp>

namespace lockstep {

namespace detail {
class run_recording;
}

/// Writes a page for a browser that shows the run step by step: the network, the messages on their
/// way, what processors hold (`processor::show`), what each of them does at which line of its
/// program, the counts as they grow; a run that failed, too, with what it failed of. One file, which
/// needs no network and no other file: docs/view.md.
///
/// Keeps all until `finish`: 80 bytes a message, 136 a step, 76 a call, and the shown values. After
/// `most_messages` messages, or `most_steps` steps, the page ends; more than 1,000 idle steps in a row
/// are one of its steps, and fewer, too, where it has no room for each. It shows what processors hold
/// up to the last step whose numbers, `most_shown` in all, fit; of more than 256 numbers in one value
/// every n-th, and how all are spread. Its data have `most_characters`, since browsers read no text of
/// twice that: what processors showed in later steps gives way first, then their calls; three quarters
/// are for the messages' routes, and the page ends before the step whose routes do not fit. The page
/// says so, and so does `finish`.
///
/// It is of one run, of the machine that it was made for: invalid_argument, which ends the run, for
/// another. Without a run the page says that it has none.
class view_trace : public trace {
 public:
  static constexpr std::size_t default_most_messages = std::size_t{1} << 20U;
  static constexpr std::size_t most_steps = std::size_t{1} << 18U;
  static constexpr std::size_t most_shown = most_shown_elements;
  static constexpr std::size_t most_characters = std::size_t{1} << 28U;

  view_trace(std::ostream& out, machine const& viewed, trace_labels labels = {},
             std::size_t most_messages = default_most_messages);
  ~view_trace() override;

  /// Takes notes for the page.
  /// Errors: invalid_argument for a member that the run itself has, or that is not what the page
  /// reads there.
  void describe(view_notes notes);
  /// Shows another run beside this one, with the same slider. It is complete, and lives until
  /// `finish`.
  void put_beside(view_trace const& other);
  /// Makes the page that `finish` writes, so that its size is known before. Call it once the run is
  /// over. Result: its bytes.
  std::size_t prepare();

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

 private:
  void complete() override;
  [[nodiscard]] view_notes const& notes() const { return m_notes; }

  std::unique_ptr<detail::run_recording> m_recording;
  view_notes m_notes;
  view_trace const* m_beside = nullptr;
  std::string m_page;  ///< that is prepared
};

}  // namespace lockstep
