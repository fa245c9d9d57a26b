#include <lockstep/detail/part_network.hpp>

#include <cstddef>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

namespace lockstep::detail {

links_of_group::links_of_group(topology const& whole, std::span<int const> members)
    : m_neighbours(members.size()),
      m_spec(fmt::format("{} processors of {}", members.size(), whole.spec())) {
  std::unordered_map<int, int> rank_of;
  for (int const member : members) rank_of.emplace(member, static_cast<int>(rank_of.size()));
  for (std::size_t rank = 0; rank < members.size(); ++rank)
    for (auto& [to, name] : whole.neighbours(members[rank]))
      if (auto const found = rank_of.find(to); found != rank_of.end())
        m_neighbours[rank].push_back({found->second, std::move(name)});
}

std::vector<neighbour> links_of_group::neighbours(int rank) const {
  check_rank(*this, size(), rank);
  return m_neighbours[static_cast<std::size_t>(rank)];
}

void check_members(topology const& whole, std::span<int const> members) {
  if (members.empty())
    throw invalid_argument(
        fmt::format("a part of {} has at least one processor; name some", whole.spec()));
  int const processors = whole.size();
  for (int const rank : members) check_rank(whole, processors, rank);
}

}  // namespace lockstep::detail
