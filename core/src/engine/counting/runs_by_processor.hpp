#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/counting/section.hpp"

namespace lockstep::detail {

/// The pipelined runs of each processor, which is in one of them at most in any step.
class runs_by_processor {
 public:
  /// Sorts the runs that last beyond step `since` - 1 by their members. Shape: runs in the order in
  /// which they begin. Cost: sorting their members, one for a run of the whole machine.
  runs_by_processor(std::span<std::unique_ptr<section> const> runs, std::uint64_t since);

  /// Calls visit(first, last) for each run that has the processor in the steps [first, last) of
  /// [begin, end). Cost: those runs and the logarithm of all.
  template <class Visitor>
  void visit_steps_in_runs(int processor, std::uint64_t begin, std::uint64_t end,
                           Visitor&& visit) const {
    if (begin >= end) return;
    for (auto const member : {processor, everybody}) {
      auto at = std::ranges::partition_point(m_entries, [&](entry const& one) {
        return one.member < member || (one.member == member && one.run->end <= begin);
      });
      for (; at != m_entries.end() && at->member == member && at->run->begin < end; ++at)
        visit(std::max(begin, at->run->begin), std::min(end, at->run->end));
    }
  }
  /// Tells whether a message that comes in at the processor in that step belongs to a run.
  [[nodiscard]] bool has(int processor, std::uint64_t step) const {
    bool found = false;
    visit_steps_in_runs(processor, step, step + 1, [&](auto, auto) { found = true; });
    return found;
  }

 private:
  static constexpr int everybody = -1;  ///< stands for all processors
  struct entry {
    int member;
    section const* run;
  };
  std::vector<entry> m_entries;  ///< by member, then by begin
};

}  // namespace lockstep::detail
