#include "engine/counting/work_counters.hpp"

#include <utility>

namespace lockstep::detail {

void processor_work::take_metered() {
  auto const more = meter.take();
  add(more);
  if (labels != nullptr) labels->count_operations(label, more);  // which has room for the label
}

void processor_work::close() {
  settle();
  meter.close();
}

void work_counters::add(int rank, pending_work const& done) {
  if (done.operations == 0) return;
  if (done.run != nullptr) return m_in_runs.push_back({done.run, rank, done.at, done.operations});
  auto const number = done.at.step / steps_in_block;
  if (m_selected == nullptr || number != m_selected_number) {
    m_selected = &m_blocks[number];
    m_selected_number = number;
  }
  work_sum const mine{done.operations, done.operations};
  auto& first = (*m_selected)[done.at.step % steps_in_block];
  if (first.sum.operations == 0) first.at = done.at;
  if (first.at == done.at)
    first.sum.join(mine);
  else
    m_others[done.at].join(mine);
}

void work_counters::move_to(std::vector<work_then>& apart, std::uint64_t end) {
  auto const open = m_blocks.lower_bound(end / steps_in_block);
  for (auto at = m_blocks.begin(); at != m_blocks.end() && at->first * steps_in_block < end; ++at)
    for (auto& one : at->second)
      if (one.sum.operations > 0 && one.at.step < end) apart.push_back(std::exchange(one, {}));
  m_blocks.erase(m_blocks.begin(), open);
  m_selected = nullptr;
  std::erase_if(m_others, [&](auto const& one) {
    if (one.first.step >= end) return false;
    apart.push_back({one.first, one.second});
    return true;
  });
}

void work_counters::move_runs_to(std::vector<work_in_run>& in_runs) {
  in_runs.insert(in_runs.end(), m_in_runs.begin(), m_in_runs.end());
  m_in_runs.clear();
}

std::size_t work_counters::bytes() const {
  struct block_node {  // about what the maps allocate for each
    void* links[4];
    std::pair<std::uint64_t const, block> value;
  };
  struct other_node {
    void* links[2];
    std::pair<work_moment const, work_sum> value;
  };
  return m_blocks.size() * sizeof(block_node) + m_others.size() * sizeof(other_node) +
         m_in_runs.capacity() * sizeof(work_in_run);
}

}  // namespace lockstep::detail
