#include <lockstep/algorithms/collectives/detail/spanning_tree.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <ranges>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/detail/derived_values.hpp>
#include <lockstep/detail/part_network.hpp>
#include <lockstep/errors.hpp>

namespace lockstep::detail {

namespace {

[[nodiscard]] std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

/// Parents of all processors by breadth-first search, and the order in which it finds them.
struct search_from {
  std::vector<int> parents;
  std::vector<int> order;
};

[[nodiscard]] search_from breadth_first(topology const& network, int root) {
  constexpr int unknown = -2;
  search_from found{std::vector<int>(index(network.size()), unknown), {}};
  found.order.reserve(index(network.size()));
  found.order.push_back(root);
  found.parents[index(root)] = -1;
  for (std::size_t next = 0; next < found.order.size(); ++next) {
    auto const from = found.order[next];
    for (auto const& [to, name] : network.neighbours(from)) {
      if (found.parents[index(to)] != unknown || !network.adjacent(to, from)) continue;
      found.parents[index(to)] = from;
      found.order.push_back(to);
    }
  }
  if (found.order.size() != index(network.size()))
    throw invalid_topology(
        fmt::format("a tree from processor {} of {} reaches {} of {} processors: others are joined "
                    "to them by no "
                    "links that lead both ways; give both ways, or take a network that has them",
                    root, network.spec(), found.order.size(), network.size()));
  return found;
}

/// The trees of a network that were asked for last.
class trees_of_network {
 public:
  [[nodiscard]] std::shared_ptr<spanning_tree const> at(topology const& network, int root) const {
    std::scoped_lock const one_at_a_time(m_one_at_a_time);
    auto const known =
        std::ranges::find_if(m_trees, [&](auto const& tree) { return tree->root() == root; });
    if (known != m_trees.end()) return *known;
    auto made = std::make_shared<spanning_tree const>(network, root);
    if (m_trees.size() == most_kept) m_trees.pop_front();
    m_trees.push_back(made);
    return made;
  }
  [[nodiscard]] int centre(topology const& network) const {
    std::scoped_lock const one_at_a_time(m_one_at_a_time);
    if (!m_centre) m_centre = found_centre(network);
    return *m_centre;
  }

 private:
  /// Goes to the middle of each axis of a grid; elsewhere to the middle of the way between two ends
  /// that two searches find.
  [[nodiscard]] static int found_centre(topology const& network) {
    auto const& axes = axes_of(network);
    if (axes.kind == network_kind::grid) {
      int centre = 0;
      for (auto const& axis : axes.list) centre += axis.size / 2 * axis.stride;
      return centre;
    }
    auto const end = breadth_first(network, 0).order.back();
    auto const back = breadth_first(network, end);
    std::vector<int> way;
    for (int at = back.order.back(); at != -1; at = back.parents[index(at)]) way.push_back(at);
    return way[way.size() / 2];
  }

  static constexpr std::size_t most_kept = 8;
  mutable std::mutex m_one_at_a_time;
  mutable std::deque<std::shared_ptr<spanning_tree const>> m_trees;
  mutable std::optional<int> m_centre;
};

[[nodiscard]] trees_of_network const& trees_of(topology const& network) {
  return derived_values_of(network).get<trees_of_network>([] { return trees_of_network(); });
}

}  // namespace

spanning_tree::spanning_tree(topology const& network, int root)
    : m_root(root), m_nodes(index(network.size())), m_ranks(m_nodes.size()) {
  auto const found = breadth_first(network, root);
  std::vector<std::vector<int>> children(m_nodes.size());
  std::vector<int> rounds_below(m_nodes.size());
  for (int const rank : std::views::reverse(found.order)) {
    auto& own = children[index(rank)];
    std::ranges::stable_sort(own, std::ranges::greater(),
                             [&](int child) { return rounds_below[index(child)]; });
    for (int i = 0; std::cmp_less(i, own.size()); ++i)
      rounds_below[index(rank)] =
          std::max(rounds_below[index(rank)], i + 1 + rounds_below[index(own[index(i)])]);
    auto const parent = found.parents[index(rank)];
    m_nodes[index(rank)].parent = parent;
    if (parent == -1) continue;
    m_nodes[index(parent)].size += m_nodes[index(rank)].size;
    children[index(parent)].push_back(rank);
  }
  m_rounds = rounds_below[index(root)];
  m_children.reserve(m_nodes.size());
  for (int const rank : found.order) {
    auto& here = m_nodes[index(rank)];
    if (here.level > 0) {
      m_most_below.resize(std::max(m_most_below.size(), index(here.level)));
      auto& most = m_most_below[index(here.level) - 1];
      most = std::max(most, here.size);
    }
    here.first_child = static_cast<int>(m_children.size());
    here.children = static_cast<int>(children[index(rank)].size());
    m_ranks[index(here.place)] = rank;
    int place = here.place + 1;
    int round = here.round + 1;
    for (int const child : children[index(rank)]) {
      m_nodes[index(child)].place = place;
      m_nodes[index(child)].round = round++;
      m_nodes[index(child)].level = here.level + 1;
      place += m_nodes[index(child)].size;
      m_children.push_back(child);
    }
  }
}

namespace {

/// Finds the network along whose links trees go: of a part of a network those that it has.
[[nodiscard]] topology const& linked(topology const& network) {
  auto const* const part = dynamic_cast<part_network const*>(&network);
  return part == nullptr ? network : part->own_links();
}

}  // namespace

std::shared_ptr<spanning_tree const> spanning_tree_of(topology const& network, int root) {
  auto const& links = linked(network);
  return trees_of(links).at(links, root);
}

int centre_of(topology const& network) {
  auto const& links = linked(network);
  return trees_of(links).centre(links);
}

}  // namespace lockstep::detail
