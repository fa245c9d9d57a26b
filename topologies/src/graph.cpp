#include <lockstep/topologies/graph.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

#include "spring_layout.hpp"

namespace lockstep {

graph::graph(int processors, std::vector<link> links, std::string name, std::source_location where)
    : m_size(processors), m_links(std::move(links)), m_name(std::move(name)) {
  if (processors < 1)
    throw invalid_topology(
        fmt::format("{}: a graph of {} processors cannot be built: it has at least 1", m_name,
                    processors),
        where);
  for (auto const [from, to] : m_links)
    if (!detail::has_rank(processors, from) || !detail::has_rank(processors, to) || from == to)
      throw invalid_topology(
          fmt::format("{}: there can be no link from {} to {}: a link joins two different "
                      "processors of 0 to {}",
                      m_name, from, to, processors - 1),
          where);
  std::ranges::sort(m_links);
  auto const repeated = std::ranges::unique(m_links);
  m_links.erase(repeated.begin(), repeated.end());
}

std::vector<neighbour> graph::neighbours(int rank) const {
  detail::check_rank(*this, m_size, rank);
  std::vector<neighbour> joined;
  for (auto at = std::ranges::lower_bound(m_links, link{rank, 0});
       at != m_links.end() && at->from == rank; ++at)
    joined.push_back({at->to, fmt::format("processor {}", at->to)});
  return joined;
}

void graph::place(std::vector<layout_point> places, std::source_location where) {
  if (!std::cmp_equal(places.size(), m_size))
    throw invalid_topology(
        fmt::format("{}: {} places for {} processors; give one for each, in rank order", m_name,
                    places.size(), m_size),
        where);
  std::map<std::pair<double, double>, std::size_t> taken;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    auto const [x, y] = places[rank];
    if (!std::isfinite(x) || !std::isfinite(y))
      throw invalid_topology(
          fmt::format("{}: processor {} is placed at ({}, {}); give finite numbers", m_name, rank,
                      x, y),
          where);
    auto const [first, is_free] = taken.try_emplace({x, y}, rank);
    if (!is_free)
      throw invalid_topology(
          fmt::format("{}: processors {} and {} are placed at the same point; give each a place of "
                      "its own",
                      m_name, first->second, rank),
          where);
  }
  m_places = std::move(places);
}

std::vector<layout_point> graph::layout() const {
  if (!m_places.empty()) return m_places;
  return m_size <= detail::most_laid_out_by_springs ? detail::spring_layout(m_size, m_links)
                                                    : topology::layout();
}

link_number graph::links() const { return static_cast<link_number>(m_links.size()); }

link graph::link_at(link_number number) const {
  if (number < 0 || number >= links()) detail::throw_no_such_link(*this, number);
  return m_links[static_cast<std::size_t>(number)];
}

link_number graph::number_of(link which) const {
  auto const found = std::ranges::lower_bound(m_links, which);
  return found != m_links.end() && *found == which ? found - m_links.begin() : -1;
}

}  // namespace lockstep
