#include "routing/routing_problem.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <lockstep/topologies/hypercube.hpp>

#include "routing/layer_bound.hpp"
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

void routing_problem::add_bounds_to(std::vector<lower_bound>& bounds) const {
  auto const* const cube = dynamic_cast<hypercube const*>(&m_network);
  if (cube == nullptr || !m_by_one_port) return;
  std::vector<routed_pair_of_ranks> pairs;
  for (std::size_t i = 0; i < m_records.size(); ++i)
    if (m_records[i].is_there())
      pairs.push_back(
          {static_cast<unsigned>(i / m_k), static_cast<unsigned>(m_records[i].destination)});
  for (auto& each : one_port_bounds(cube->dimension(), pairs)) bounds.push_back(std::move(each));
}

std::int64_t routing_problem::records() const {
  return std::ranges::count_if(m_records, &record::is_there);
}

}  // namespace lockstep
