#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/shown.hpp>

namespace lockstep {

/// An observer that keeps what a run tells: its messages, its phases, and what each processor
/// showed in which of them.
class told_run : public observer {
 public:
  [[nodiscard]] bool wants_calls() const override { return true; }
  void message(message_record const& seen) override { m_messages.push_back(seen); }
  void call(call_record const& made) override;
  void shown(shown_record const& value) override;
  void ended(run_end const& how) override;

  [[nodiscard]] std::vector<phase_record> const& phases() const { return m_phases; }
  /// The messages with elements of the phases of that name.
  [[nodiscard]] std::vector<message_record> messages_in(std::string_view phase) const;

  /// Finds the numbers that a processor showed under a name, the first or the last time in phases of that
  /// name, or, where it is empty, in any. Errors: broken_invariant where it showed none.
  [[nodiscard]] std::vector<std::uint64_t> first_numbers(int rank, std::string_view phase,
                                                         std::string_view name) const;
  [[nodiscard]] std::vector<std::uint64_t> last_numbers(int rank, std::string_view phase,
                                                        std::string_view name) const;
  /// Finds blocks in the same way, those of the last time.
  [[nodiscard]] std::vector<block_label> last_blocks(int rank, std::string_view phase,
                                                     std::string_view name) const;
  /// Finds the most operations of a processor in phases of these names; the empty one is for those before the
  /// first.
  [[nodiscard]] std::uint64_t most_operations_in(std::vector<std::string> const& phases) const;
  /// Finds the most that one does at once, first of all in a phase of that name, or first after the messages
  /// that it sends and receives there.
  [[nodiscard]] std::uint64_t most_operations_first_in(std::string_view phase) const;
  [[nodiscard]] std::uint64_t most_operations_after_messages(std::string_view phase) const;

 private:
  /// A value, and the number of phases that its processor had begun.
  struct shown_in_phase {
    std::size_t begun = 0;
    shown_record what{};
  };

  /// Local work that a processor did at once, and the number of phases that it had begun.
  struct work_in_phase {
    std::size_t rank = 0;
    std::size_t begun = 0;
    std::uint64_t operations = 0;
    bool is_first = false;  ///< in its phase
    bool is_first_after_messages = false;
  };
  /// The doings of a processor since its last phase began.
  struct doings {
    bool has_worked = false;
    bool has_messages = false;  ///< sent or received
    bool has_worked_after_messages = false;
  };

  [[nodiscard]] std::string_view phase_of(work_in_phase const& work) const;
  [[nodiscard]] std::vector<shown_value const*> all_shown(int rank, std::string_view phase,
                                                          std::string_view name) const;

  std::vector<message_record> m_messages;
  std::vector<phase_record> m_phases;
  std::vector<std::size_t> m_begun;  ///< phases, by rank
  std::vector<doings> m_since;       ///< by rank
  std::vector<shown_in_phase> m_shown;
  std::vector<work_in_phase> m_work;
};

/// A run of an algorithm on a crossbar, and what it told.
struct told_result {
  told_run told{};
  experiment_result result{};
};

/// Runs an experiment on a crossbar, with these parameters and the usual ones.
[[nodiscard]] told_result told_algorithm(std::string const& name, int p,
                                         std::map<std::string, parameter_value> const& given);

}  // namespace lockstep
