#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <lockstep/detail/complete_network.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// The links of a network that join processors of a group, whose ranks are those in the group. A
/// group may fall to pieces that no link joins.
class links_of_group final : public topology {
 public:
  /// `members`: ranks of the whole network. Cost: time O(links that leave the members).
  links_of_group(topology const& whole, std::span<int const> members);

  [[nodiscard]] int size() const override { return static_cast<int>(m_first.size()) - 1; }
  /// "processor 5", by its rank in the group.
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override;
  /// "the subset 1, 2, 4, 7 of hypercube:4".
  [[nodiscard]] std::string spec() const override { return m_spec; }

 private:
  std::vector<std::size_t> m_first;  ///< of each processor's links in m_ends, and of none behind
  std::vector<int> m_ends;
  std::string m_spec;
};

/// The network of a group of processors on a machine whose messages go to neighbours only, where
/// nothing better is known: that of anybody to anybody, and beside it the links that there are.
class part_network final : public complete_network {
 public:
  part_network(topology const& whole, std::span<int const> members)
      : complete_network(static_cast<int>(members.size())), m_links(whole, members) {}

  [[nodiscard]] topology const& own_links() const { return m_links; }

 private:
  links_of_group m_links;
};

}  // namespace lockstep::detail
