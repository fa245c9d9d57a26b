#include <lockstep/algorithms/prefix/ordered_tree.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

/// Ranks first .. last; none if last < first.
struct interval {
  int first = 0;
  int last = -1;

  [[nodiscard]] int size() const { return last - first + 1; }
  [[nodiscard]] bool is_empty() const { return last < first; }
  [[nodiscard]] bool has(int rank) const { return first <= rank && rank <= last; }
};

/// A tree that spans an interval: which of its ranks is its root, and how high it can be kept.
struct subtree {
  interval of{};
  int root = 0;
  int height = 0;
};

/// Trees that hang from one processor.
struct forest {
  std::vector<subtree> trees{};  ///< in rank order
  int height = -1;               ///< of the highest; -1 without any
};

/// Links from the root to the deepest of that many nodes, at the least.
[[nodiscard]] int least_height(int nodes) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(nodes))) - 1;
}

/// Finds trees of small height.
class tree_search {
 public:
  explicit tree_search(int dimension) : m_dimension(dimension) {}

  /// The best forest of that many trees at most that makes a processor, with its subtrees before
  /// and after it, span an interval.
  [[nodiscard]] forest under(int root, interval of, int most_trees) {
    interval const before{of.first, root - 1};
    interval const after{root + 1, of.last};
    if (before.is_empty()) return hanging_from(root, after, most_trees > 1 ? 2 : 1);
    if (after.is_empty()) return hanging_from(root, before, most_trees > 1 ? 2 : 1);
    auto best = joined(hanging_from(root, before, most_trees - 1), hanging_from(root, after, 1));
    if (most_trees > 2) {
      auto const other = joined(hanging_from(root, before, 1), hanging_from(root, after, 2));
      if (other.height < best.height) best = other;
    }
    return best;
  }

 private:
  static constexpr int never = 1000;

  [[nodiscard]] static forest joined(forest first, forest const& second) {
    first.trees.insert(first.trees.end(), second.trees.begin(), second.trees.end());
    first.height = std::max(first.height, second.height);
    return first;
  }

  /// One tree, or two that share the interval.
  [[nodiscard]] forest hanging_from(int above, interval of, int most_trees) {
    if (of.is_empty()) return {};
    auto best = one_hanging_from(above, of);
    if (most_trees == 1) return best;
    int const unit = static_cast<int>(std::bit_floor(static_cast<unsigned>(of.size()))) / 8;
    for (int from = of.first + 1, step = std::max(unit, 1); from <= of.last; ++from) {
      if (from % step != 0) continue;
      if (best.height <= least_height((of.size() + 1) / 2)) break;
      auto const first = one_hanging_from(above, {of.first, from - 1});
      if (first.height >= best.height) continue;
      auto const both = joined(first, one_hanging_from(above, {from, of.last}));
      if (both.height < best.height) best = both;
    }
    return best;
  }

  [[nodiscard]] forest one_hanging_from(int above, interval of) {
    forest best{{}, never};
    for (int i = 0; i < m_dimension; ++i) {
      int const root = above ^ (1 << i);
      if (!of.has(root)) continue;
      int const height = height_of(of, root);
      if (height < best.height) best = {{{of, root, height}}, height};
    }
    return best;
  }

  /// Of the best tree with this root. The same for intervals that are alike but for the upper bits.
  [[nodiscard]] int height_of(interval of, int root) {
    if (of.size() == 1) return 0;
    unsigned const upper = ~(
        std::bit_ceil((static_cast<unsigned>(of.first) ^ static_cast<unsigned>(of.last)) + 1) - 1);
    auto const low = [&](int rank) { return std::uint64_t{static_cast<unsigned>(rank) & ~upper}; };
    auto const key = low(of.first) << 40U | low(of.last) << 20U | low(root);
    if (auto const known = m_heights.find(key); known != m_heights.end()) return known->second;
    int const height = under(root, of, 2).height + 1;
    m_heights[key] = height;
    return height;
  }

  int m_dimension;
  std::unordered_map<std::uint64_t, int> m_heights;
};

/// Sets the nodes of a subtree, top down.
void grow(tree_search& search, subtree const& from, int parent, int depth,
          std::vector<ordered_node>& nodes) {
  ordered_node node(from.root, parent, depth, {from.of.first, from.of.last});
  bool const is_root = parent == ordered_node::nobody;
  for (auto const& child : search.under(from.root, from.of, is_root ? 3 : 2).trees) {
    node.add_child({child.root, child.height, child.root < from.root});
    grow(search, child, from.root, depth + 1, nodes);
  }
  nodes[static_cast<std::size_t>(from.root)] = node;
}

}  // namespace

void ordered_node::add_child(child const& next, std::source_location where) {
  if (m_count == most_children)
    throw invalid_argument(fmt::format("processor {} has {} children already", m_rank, m_count),
                           where);
  m_children[m_count++] = next;
}

ordered_node node_of(binary_tree const& tree, int rank) {
  auto const parent = tree.parent(rank).value_or(ordered_node::nobody);
  int const on_each_side = (1 << (tree.levels() - 1 - tree.depth(rank))) - 1;
  ordered_node node(rank, parent, tree.depth(rank), {rank - on_each_side, rank + on_each_side});
  if (tree.is_leaf(rank)) return node;
  int const height = tree.levels() - 2 - node.depth();
  node.add_child({*tree.left_child(rank), height, true});
  node.add_child({*tree.right_child(rank), height, false});
  return node;
}

spanning_tree::spanning_tree(hypercube const& cube, std::source_location where) {
  if (cube.dimension() > most_dimensions)
    throw invalid_argument(
        fmt::format("a spanning tree of {} takes too long to find; up to hypercube:{} there is one",
                    cube.spec(), most_dimensions),
        where);
  interval const all{0, cube.size() - 1};
  tree_search search(cube.dimension());
  subtree best{all, 0, search.under(0, all, 3).height + 1};
  for (int root = 1; root < cube.size() / 2; ++root) {
    int const height = search.under(root, all, 3).height + 1;
    if (height < best.height) best = {all, root, height};
  }
  m_depth = best.height;
  m_nodes.resize(static_cast<std::size_t>(cube.size()));
  grow(search, best, ordered_node::nobody, 0, m_nodes);
}

}  // namespace lockstep
