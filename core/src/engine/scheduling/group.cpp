#include "engine/scheduling/group.hpp"

namespace lockstep::detail {

group::group(std::vector<int> members, std::shared_ptr<lockstep::topology const> part,
             std::vector<int> varying)
    : m_topology(std::move(part)),
      m_members(std::move(members)),
      m_varying(std::move(varying)),
      m_size(static_cast<int>(m_members.size())) {
  m_ranks.reserve(m_members.size());
  for (int rank = 0; rank < m_size; ++rank) m_ranks.emplace(on_machine(rank), rank);
}

int group::in_group(int machine_rank) const {
  if (whole()) return machine_rank;
  auto const found = m_ranks.find(machine_rank);
  return found == m_ranks.end() ? -1 : found->second;
}

}  // namespace lockstep::detail
