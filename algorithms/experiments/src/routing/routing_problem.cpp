#include "routing/routing_problem.hpp"

#include <algorithm>

#include "routing/pairwise_bounds.hpp"

namespace lockstep {

std::span<routing_problem::record const> routing_problem::part_of(processor const& me) const {
  return std::span(m_records).subspan(static_cast<std::size_t>(me.rank()) * m_k, m_k);
}

bool routing_problem::is_solved_by(std::vector<arrivals> const& found) const {
  std::vector<arrivals> expected(m_records.size() / m_k, arrivals(m_k));
  for (std::size_t i = 0; i < m_records.size(); ++i)
    if (auto const& [value, destination] = m_records[i]; m_records[i].is_there())
      expected[static_cast<std::size_t>(destination)][i % m_k] = value;
  return found == expected;
}

traffic_requirement routing_problem::least_traffic(std::vector<arrivals> const& found) const {
  auto const p = found.size();
  if (p > static_cast<std::size_t>(max_processors_for_pairwise_bounds)) return {};
  std::vector<std::uint64_t> between(p * p);
  for (std::size_t i = 0; i < m_records.size(); ++i)
    if (m_records[i].is_there())
      ++between[i / m_k * p + static_cast<std::size_t>(m_records[i].destination)];
  return relation_between(m_network, between);
}

std::int64_t routing_problem::records() const {
  return std::ranges::count_if(m_records, &record::is_there);
}

}  // namespace lockstep
