#include <fmt/format.h>

#include <lockstep/detail/complete_network.hpp>
#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

namespace lockstep::detail {

complete_network::complete_network(int processors, std::source_location where)
    : m_size(processors) {
  if (processors < 1)
    throw invalid_topology(
        fmt::format("a crossbar of {} processors cannot be built: it has at least 1", processors),
        where);
}

std::vector<neighbour> complete_network::neighbours(int rank) const {
  check_rank(*this, m_size, rank);
  std::vector<neighbour> all;
  all.reserve(static_cast<std::size_t>(m_size - 1));
  for (int other = 0; other < m_size; ++other)
    if (other != rank) all.push_back({other, fmt::format("processor {}", other)});
  return all;
}

std::string complete_network::spec() const { return fmt::format("crossbar:{}", m_size); }

link_number complete_network::links() const { return link_number{m_size} * (m_size - 1); }

// The links of a processor follow one another in the order of the other ranks.

link complete_network::link_at(link_number number) const {
  if (number < 0 || number >= links()) throw_no_such_link(*this, number);
  int const from = static_cast<int>(number / (m_size - 1));
  int const other = static_cast<int>(number % (m_size - 1));
  return {from, other < from ? other : other + 1};
}

link_number complete_network::number_of(link which) const {
  if (!adjacent(which.from, which.to)) return -1;
  int const other = which.to < which.from ? which.to : which.to - 1;
  return link_number{which.from} * (m_size - 1) + other;
}

bool complete_network::adjacent(int from, int to) const {
  return has_rank(m_size, from) && has_rank(m_size, to) && from != to;
}

std::optional<std::int64_t> complete_network::bisection_width() const {
  std::int64_t const half = m_size / 2;
  return half * (m_size - half);
}

std::vector<int> complete_network::route(int from, int to) const {
  return hops(from, to) == 0 ? std::vector<int>{} : std::vector<int>{to};
}

int complete_network::hops(int from, int to) const {
  check_rank(*this, m_size, from);
  check_rank(*this, m_size, to);
  return from == to ? 0 : 1;
}

void complete_network::append_links(int from, int to, std::vector<link_number>& links) const {
  if (hops(from, to) == 1) links.push_back(number_of({from, to}));
}

}  // namespace lockstep::detail
