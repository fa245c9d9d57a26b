#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/detail/add_step.hpp>
#include <lockstep/step_list.hpp>

#include "engine/counting/step_counters.hpp"

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

  /// Withholds the records of the steps from `step` on, which are not known in full yet. It is
  /// called before that step is added; `add_late` adds what comes to be known, until `release`.
  void withhold_from(std::uint64_t step) { m_withheld_from = step; }
  /// The first step that is withheld, or `never`.
  [[nodiscard]] std::uint64_t withheld_from() const { return m_withheld_from; }
  /// Adds the figures of pipelined runs, or of work, to those of a step that is withheld.
  void add_late(std::uint64_t step, std::size_t phase, counts const& more);
  void release();
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
  std::uint64_t m_withheld_from = never;
  step_list m_withheld;                    ///< which follow those of m_steps
  std::map<std::uint64_t, counts> m_late;  ///< added to these
};

}  // namespace lockstep::detail
