#include <lockstep/algorithms/sorting/detail/slice_turns.hpp>

#include <algorithm>
#include <map>

#include <lockstep/detail/checked_counts.hpp>

namespace lockstep::detail {

slice_turns::slice_turns(rotate_plan const& plan)
    : m_processors(static_cast<int>(plan.columns())), m_block_columns(plan.block_columns()) {
  add_groups(plan);
  std::vector<int> shared(plan.columns());
  m_last.assign(plan.columns(), m_groups.size());
  for (std::size_t i = 0; i < m_groups.size(); ++i)
    for (auto const& member : m_groups[i]) {
      ++shared[static_cast<std::size_t>(member.rank)];
      m_last[static_cast<std::size_t>(member.rank)] = i;
      m_rounds = std::max(m_rounds, static_cast<int>(m_groups[i].size()) - 1);
    }
  if (std::ranges::any_of(shared, [](int groups) { return groups > 1; })) add_shifts();
}

void slice_turns::add_groups(rotate_plan const& plan) {
  std::map<std::size_t, group> by_slice;
  auto const a = plan.block_rows();
  for (int rank = 0; rank < m_processors; ++rank) {
    auto const first = plan.slice_rows_before(rank);
    auto const end = plan.slice_rows_before(rank + 1);
    if (first == end) continue;
    auto const add = [&](std::size_t slice) {
      auto const rows = std::min(end, (slice + 1) * a) - std::max(first, slice * a);
      by_slice[slice].push_back({rank, rows});
    };
    add(first / a);
    if ((end - 1) / a != first / a) add((end - 1) / a);
  }
  for (auto& [slice, shares] : by_slice)
    if (shares.size() > 1) m_groups.push_back(std::move(shares));
}

void slice_turns::add_shifts() {
  for (auto const& shares : m_groups)
    for (auto const& from : shares)
      for (auto const& to : shares)
        if (from.rank != to.rank)
          m_shifts.push_back((to.rank - from.rank + m_processors) % m_processors);
  std::ranges::sort(m_shifts);
  m_shifts.erase(std::ranges::unique(m_shifts).begin(), m_shifts.end());
  m_rounds = static_cast<int>(m_shifts.size());
}

int slice_turns::rounds() const { return m_rounds; }

slice_turns::partners slice_turns::in_round(int rank, int round) const {
  if (!is_in_groups()) {
    auto const shift = m_shifts[static_cast<std::size_t>(round)];
    return {(rank + shift) % m_processors, (rank - shift + m_processors) % m_processors};
  }
  auto const at = m_last[static_cast<std::size_t>(rank)];
  if (at == m_groups.size()) return {};
  auto const& members = m_groups[at];
  auto const size = members.size();
  auto const shift = static_cast<std::size_t>(round) + 1;
  if (shift >= size) return {};
  auto const own =
      static_cast<std::size_t>(std::ranges::find(members, rank, &share::rank) - members.begin());
  return {members[(own + shift) % size].rank, members[(own + size - shift) % size].rank};
}

std::uint64_t slice_turns::words(std::uint64_t packet) const {
  std::vector<std::uint64_t> of(static_cast<std::size_t>(m_processors));
  for (auto const& members : m_groups)
    for (auto const& one : members)
      for (auto const& other : members) {
        if (one.rank == other.rank) continue;
        auto const elements =
            checked_product(checked_product(one.rows, other.rows), m_block_columns);
        auto& sent = of[static_cast<std::size_t>(one.rank)];
        sent = checked_sum(sent, in_whole_packets(elements, packet));
      }
  return std::ranges::max(of);
}

}  // namespace lockstep::detail
