#include "engine/counting/runs_by_processor.hpp"

namespace lockstep::detail {

runs_by_processor::runs_by_processor(std::span<std::unique_ptr<section> const> runs,
                                     std::uint64_t since) {
  for (auto const& run : runs) {
    if (run->begin >= run->end || run->end <= since) continue;
    if (run->members->whole()) {
      m_entries.push_back({everybody, run.get()});
      continue;
    }
    for (int rank = 0; rank < run->members->size(); ++rank)
      m_entries.push_back({run->members->on_machine(rank), run.get()});
  }
  std::ranges::stable_sort(m_entries, {}, &entry::member);
}

}  // namespace lockstep::detail
