#pragma once

#include <span>
#include <string>
#include <vector>

#include <lockstep/detail/complete_network.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// The links of a network that join processors of a group, whose ranks are those in the group. A group
/// may fall to pieces that no link joins.
class links_of_group final : public topology {
 public:
  /// `members`: ranks of the whole network. Cost: time and memory O(links of the members).
  links_of_group(topology const& whole, std::span<int const> members);

  [[nodiscard]] int size() const override { return static_cast<int>(m_neighbours.size()); }
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override;
  /// "5 processors of tree:4".
  [[nodiscard]] std::string spec() const override { return m_spec; }

 private:
  std::vector<std::vector<neighbour>> m_neighbours;
  std::string m_spec;
};

/// The network of a group of processors where nothing better is known: that of anybody to anybody, and
/// beside it the links that there are, for machines whose messages go to neighbours only.
class part_network final : public complete_network {
 public:
  part_network(topology const& whole, std::span<int const> members)
      : complete_network(static_cast<int>(members.size())), m_links(whole, members) {}

  [[nodiscard]] topology const& own_links() const { return m_links; }

 private:
  links_of_group m_links;
};

/// Tells whether messages go along the links of a network by itself: that of a group on a machine whose
/// messages go to neighbours only, where nothing better is known.
[[nodiscard]] inline bool goes_by_links(topology const& network, bool neighbours_only) {
  return neighbours_only && dynamic_cast<part_network const*>(&network) != nullptr;
}

/// Checks the members of a part of a network. Errors: invalid_argument for none; invalid_rank.
void check_members(topology const& whole, std::span<int const> members);

}  // namespace lockstep::detail
