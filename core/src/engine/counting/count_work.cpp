// Counts local operations (counting rule 14), while no processor runs.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine/counting/run_counters.hpp"

namespace lockstep::detail {

namespace {

/// Adds to the sum of a phase.
void append_to_phase(std::vector<work_sum>& phases, std::size_t phase, work_sum const& done) {
  if (phase == no_phase) return;
  if (phases.size() <= phase) phases.resize(phase + 1);
  phases[phase].append(done);
}

/// Operations of pipelined runs that count as one, by processor and phase.
class joint_work {
 public:
  void add(work_in_run const& done) {
    m_by_rank[done.rank] += done.operations;
    m_by_phase[done.at.phase][done.rank] += done.operations;
  }
  [[nodiscard]] work_sum sum() const { return sum_of(m_by_rank); }
  void append_to(std::vector<work_sum>& phases) const {
    for (auto const& [phase, by_rank] : m_by_phase) append_to_phase(phases, phase, sum_of(by_rank));
  }

 private:
  using operations_by_rank = std::map<int, std::uint64_t>;

  [[nodiscard]] static work_sum sum_of(operations_by_rank const& by_rank) {
    work_sum sum;
    for (auto const& [rank, operations] : by_rank) sum.join({operations, operations});
    return sum;
  }

  operations_by_rank m_by_rank;
  std::map<std::size_t, operations_by_rank> m_by_phase;
};

}  // namespace

/// Takes the operations before step `end` from the workers' counters, adds them to the phases, and
/// gives their sums by step, in order. Those of pipelined runs are taken when all is over that counts as
/// one with them, after an error (`and_open_runs`) those that there are, and belong to the first step of
/// that.
run_counters::work_by_step run_counters::take_work(std::span<run_group const> groups,
                                                   std::uint64_t end, bool and_open_runs) {
  std::vector<work_then> apart;
  if (!counts_work()) return {};
  if (m_team == nullptr)
    for (auto& one : m_by_worker) one.work.move_runs_to(m_work_in_runs);
  else
    join_work_in_runs(m_work_in_runs);
  std::map<std::uint64_t, joint_work> in_runs;
  std::erase_if(m_work_in_runs, [&](work_in_run const& done) {
    if (done.run->begin == done.run->end) {  // it is forgotten before its step is over
      if (m_team == nullptr || m_own.has(done.rank))
        m_by_worker.front().work.add(done.rank, {done.at, nullptr, done.operations});
      return true;
    }
    auto const& joint = groups[group_at(groups, done.run->begin)];
    if (joint.end > end && !and_open_runs) return false;
    // A processor that has come to the end of its run may work in the step in which the run ends.
    if (!and_open_runs || done.at.step < end) in_runs[joint.begin].add(done);
    return true;
  });
  for (auto& one : m_by_worker) one.work.move_to(apart, end);
  if (m_team != nullptr) join_work(apart);
  for (auto const& [begin, done] : in_runs) done.append_to(m_work_of_phases);

  work_by_step by_step;
  auto const append = [&](std::uint64_t step, work_sum const& sum) {
    if (by_step.empty() || by_step.back().first != step) by_step.emplace_back(step, work_sum());
    by_step.back().second.append(sum);
  };
  auto next_run = in_runs.begin();
  auto const append_runs_until = [&](std::uint64_t step) {
    for (; next_run != in_runs.end() && next_run->first <= step; ++next_run)
      append(next_run->first, next_run->second.sum());
  };
  std::ranges::sort(apart, {}, &work_then::at);
  for (auto at = apart.begin(); at != apart.end();) {
    auto const first = at->at;
    work_sum at_once;
    while (at != apart.end() && at->at.step == first.step && at->at.barriers == first.barriers) {
      auto const phase = at->at.phase;
      work_sum of_phase;
      for (; at != apart.end() && at->at == work_moment{first.step, first.barriers, phase}; ++at)
        of_phase.join(at->sum);
      append_to_phase(m_work_of_phases, phase, of_phase);
      at_once.join(of_phase);
    }
    append_runs_until(first.step);
    append(first.step, at_once);
  }
  append_runs_until(never);
  return by_step;
}

}  // namespace lockstep::detail
