#include <lockstep/cluster.hpp>

#include <algorithm>
#include <cstdint>

#include "engine/tuning.hpp"

namespace lockstep::detail {

process_shares::process_shares(int processors, int processes)
    : m_processors(processors), m_processes(processes) {
  auto const divided = [](std::int64_t of, std::int64_t by) { return (of + by - 1) / by; };
  auto const each = divided(processors, processes);
  m_block =
      divided(each, divided(each, static_cast<std::int64_t>(usual_tuning.processors_per_block)));
  // Blocks that fill the machine before the last process has one are too large.
  if (divided(processors, m_block) < processes)
    m_block = std::max<std::int64_t>(1, processors / processes);
  m_blocks = std::max<std::int64_t>(processes, divided(processors, m_block));
}

rank_range process_shares::of(int process) const {
  auto const begin = [this](std::int64_t of) {
    return static_cast<int>(std::min(m_processors, m_block * (of * m_blocks / m_processes)));
  };
  return {begin(process), begin(std::int64_t{process} + 1)};
}

int process_shares::process_of(int rank) const {
  return static_cast<int>(((rank / m_block + 1) * m_processes - 1) / m_blocks);
}

}  // namespace lockstep::detail
