#include <lockstep/detail/part_network.hpp>

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/detail/rank_check.hpp>

namespace lockstep::detail {

namespace {

/// Names the group in errors, by the ranks of its first members.
[[nodiscard]] std::string name_of_group(topology const& whole, std::span<int const> members) {
  constexpr std::size_t most = 8;
  auto const first = members.first(std::min(most, members.size()));
  return fmt::format("the subset {}{} of {}", fmt::join(first, ", "),
                     members.size() > most ? ", .." : "", whole.spec());
}

}  // namespace

links_of_group::links_of_group(topology const& whole, std::span<int const> members)
    : m_spec(name_of_group(whole, members)) {
  std::unordered_map<int, int> rank_of;
  for (int const member : members) rank_of.emplace(member, static_cast<int>(rank_of.size()));
  for (int const member : members) {
    m_first.push_back(m_ends.size());
    for (auto const& to : whole.neighbours(member))
      if (auto const found = rank_of.find(to.rank); found != rank_of.end())
        m_ends.push_back(found->second);
  }
  m_first.push_back(m_ends.size());
}

std::vector<neighbour> links_of_group::neighbours(int rank) const {
  check_rank(*this, size(), rank);
  std::vector<neighbour> all;
  auto const here = static_cast<std::size_t>(rank);
  for (auto at = m_first[here]; at < m_first[here + 1]; ++at)
    all.push_back({m_ends[at], fmt::format("processor {}", m_ends[at])});
  return all;
}

}  // namespace lockstep::detail
