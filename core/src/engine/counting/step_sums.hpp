#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/detail/add_step.hpp>
#include <lockstep/step_list.hpp>

namespace lockstep::detail {

/// The price of pipelined runs that count as one.
struct run_price {
  std::uint64_t words = 0;
  std::uint64_t link_words = 0;    ///< where messages that share a link take turns
  std::uint64_t hot_startups = 0;  ///< where requests meet at one owner
};

/// The sums over the steps that are over, in all and by phase, and the records of these steps as
/// far as they are kept. Steps are added in order.
class step_sums {
 public:
  /// Adds a step, or several equal ones in which nothing came in. `phase_begin`: the first step of
  /// their phase.
  void add(step_record const& first, std::uint64_t steps, std::uint64_t phase_begin);
  /// The last step that was added.
  [[nodiscard]] std::uint64_t last() const { return m_last; }

  /// Marks `step` as the first with words of pipelined runs whose words are not known yet. It is
  /// called before that step is added; `pay` adds the words later.
  void owe(std::uint64_t step) { m_owing = step; }
  /// The step whose words are not known yet, or 0.
  [[nodiscard]] std::uint64_t owing() const { return m_owing; }
  void pay(run_price const& price);
  static void pay(counts& into, run_price const& price);

  [[nodiscard]] counts const& total() const { return m_total; }
  [[nodiscard]] counts of_phase(std::size_t phase) const {
    return phase < m_phases.size() ? m_phases[phase] : counts();
  }
  [[nodiscard]] step_list take_steps() { return std::exchange(m_steps, {}); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  void record(step_record const& first, std::uint64_t steps);

  counts m_total;
  std::vector<counts> m_phases;
  step_list m_steps;
  bool m_cut_off = false;  ///< steps are not recorded any more
  std::uint64_t m_last = 0;
  std::uint64_t m_owing = 0;
  step_list m_owed;              ///< the steps from m_owing on, which follow those of m_steps
  std::size_t m_owed_phase = 0;  ///< that of m_owing
};

}  // namespace lockstep::detail
