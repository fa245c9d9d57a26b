#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/observer.hpp>

namespace lockstep::cli {

/// A value that a processor showed; of a long array every n-th element, of a large matrix every n-th row
/// and column.
struct held_value {
  shown_value value{};
  std::size_t count = 1;  ///< of all elements of an array
  std::size_t every = 1;  ///< n
};

/// Keeps of a value what a handout has room for.
[[nodiscard]] held_value held_part_of(shown_value const& value);

/// A step of a run, as a handout shows it.
struct logged_step {
  std::uint64_t step = 0;
  std::string phase{};                     ///< empty outside phases
  std::vector<message_record> messages{};  ///< that came in, without empty ones
  std::map<std::string, int> notes{};      ///< and labels, with the processors that said each
  std::string reason{};                    ///< of the step's phase, for a step without notes
  std::uint64_t contention = 0;
  /// The values by name that each processor has shown up to the end of the step.
  std::map<int, std::map<std::string, std::shared_ptr<held_value const>>> shown{};
  std::vector<std::string>
      names{};  ///< of these values, in the order in which they were shown first
};

/// Lists the names of the values, those in a known order first.
[[nodiscard]] std::vector<std::string> names_in(logged_step const& step);

/// Keeps what handouts show of a run: its first steps in which a message came in.
class step_log : public observer {
 public:
  static constexpr std::size_t most_steps = 400;

  [[nodiscard]] bool wants_calls() const override { return true; }
  void phase(phase_start const& begun) override { m_phase = begun.name; }
  void message(message_record const& seen) override;
  void step(step_record const& seen) override;
  void idle_steps(step_record const& /*first*/, std::uint64_t /*count*/) override {}
  void cut_off(std::string const& /*why*/) override { m_left_out = true; }
  void call(call_record const& made) override;
  void shown(shown_record const& value) override;
  void said(call_record const& made, std::string_view text) override;

  /// The steps, in order, after one that is numbered 0: before the first.
  [[nodiscard]] std::vector<logged_step> steps() const;
  /// Whether later steps are left out.
  [[nodiscard]] bool leaves_out_steps() const { return m_left_out; }

 private:
  void forget_what_was_said(int next_rank);

  struct shown_part {
    std::uint64_t step;
    int rank;
    std::string name;
    std::shared_ptr<held_value const> value;
  };

  std::string m_phase;
  std::vector<message_record> m_coming;  ///< of the step that is not over
  std::vector<logged_step> m_steps;
  bool m_left_out = false;
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> m_step_of_call;
  std::vector<std::string> m_waiting_notes;  ///< about the next call of their processor
  std::string m_label;                       ///< that is valid there
  int m_saying = -1;                         ///< that processor
  std::map<std::uint64_t, std::map<std::string, std::set<int>>> m_notes;
  std::vector<shown_part> m_shown;
};

}  // namespace lockstep::cli
