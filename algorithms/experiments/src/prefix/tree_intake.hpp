#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <lockstep/lower_bounds.hpp>
#include <lockstep/topologies/binary_tree.hpp>

namespace lockstep {

/// The words that any program of prefixes has to get into a processor of a tree, over the one link
/// from each side: from the left subtree what those after it need, from the right one what those
/// after both need, and from the parent what the subtree needs of those before it.
struct tree_intake {
  int processor = 0;
  std::uint64_t words = 0;
  int links_on =
      0;  ///< that each of these words has to go on, at the least, to the farthest in need

  /// The words on the critical path where it has one in-port: they come in, and the last of them go on. In
  /// messages of one word these are steps.
  [[nodiscard]] std::uint64_t least_words() const {
    return words + static_cast<std::uint64_t>(links_on);
  }
};

/// Which values the prefixes of a tree's processors combine.
struct prefixes_on_tree {
  std::uint64_t alike = 1;  ///< prefixes for each of `begins`
  /// Where intervals begin, for each prefix; no beginnings are one interval.
  std::vector<std::vector<bool>> begins{{}};
  bool is_copy = false;  ///< whether an interval needs its first value only
};

namespace detail {

/// Adds up what a processor has to take in of one prefix. Places are ranks, from the end at which the
/// prefix begins.
class intake_of_place {
 public:
  intake_of_place(binary_tree const& tree, std::vector<bool> const& begins, bool is_copy)
      : m_tree(tree), m_is_copy(is_copy), m_size(tree.size()) {
    auto const p = static_cast<std::size_t>(m_size);
    m_next.assign(p + 1, m_size);
    m_last.assign(p, 0);
    auto const starts = [&](std::size_t at) { return at < begins.size() && begins[at]; };
    for (auto at = p; at-- > 0;) m_next[at] = starts(at) ? static_cast<int>(at) : m_next[at + 1];
    for (std::size_t at = 1; at < p; ++at)
      m_last[at] = starts(at) ? static_cast<int>(at) : m_last[at - 1];
  }

  /// Adds to what that inner node takes in.
  void add_to(tree_intake& node, std::uint64_t alike) const {
    int const at = node.processor;
    int const height = m_tree.levels() - 1 - m_tree.depth(at);
    int const reach = (1 << height) - 1;
    add(node, alike, at - reach, at, at);                      // of the left subtree, from here on
    add(node, alike, at + 1, at + reach + 1, at + reach + 1);  // of the right one, after it
    if (at - reach > 0) add(node, alike, 0, at - reach, at - reach, at + reach);  // of before
  }

 private:
  /// Something of the places first .. end-1 that those from `from` to `last` need, up to the next
  /// beginning.
  void add(tree_intake& node, std::uint64_t alike, int first, int end, int from,
           int last = std::numeric_limits<int>::max()) const {
    if (from >= m_size || m_next[static_cast<std::size_t>(from)] == from) return;
    bool const has_first_of_interval = m_last[static_cast<std::size_t>(end) - 1] >= first;
    if (m_is_copy && !has_first_of_interval) return;
    last = std::min({last, m_next[static_cast<std::size_t>(from)] - 1, m_size - 1});
    node.words += alike;
    int on = 0;  // leaves are farthest, and one of two neighbours is a leaf
    for (int const needing : {from, std::min(from + 1, last), std::max(last - 1, from), last})
      on = std::max(on, m_tree.hops(node.processor, needing));
    node.links_on = std::min(node.links_on, on);
  }

  binary_tree const& m_tree;
  bool m_is_copy;
  int m_size;
  std::vector<int> m_next;  ///< where the next interval begins, from each place on
  std::vector<int> m_last;  ///< where the interval of each place begins
};

}  // namespace detail

/// Finds what each inner node of the tree has to take in, in the order of their places.
/// Source: each of these words has one link to come over, since the tree has no other way.
[[nodiscard]] inline std::vector<tree_intake> tree_intakes(binary_tree const& tree,
                                                           prefixes_on_tree const& of) {
  std::vector<tree_intake> nodes;
  for (int at = 0; at < tree.size(); ++at)
    if (!tree.is_leaf(at))
      nodes.push_back({.processor = at, .links_on = std::numeric_limits<int>::max()});
  for (auto const& begins : of.begins) {
    detail::intake_of_place const intake(tree, begins, of.is_copy);
    for (auto& node : nodes) intake.add_to(node, of.alike);
  }
  for (auto& node : nodes)
    if (node.words == 0) node.links_on = 0;
  return nodes;
}

/// Makes the lower bound on words of one port from the node for which it is the strongest.
[[nodiscard]] inline lower_bound bound_by_intake(tree_intake const& node) {
  return {
      .figure = "words",
      .formula = fmt::format("{} words into processor {}, each to go {} {} on", node.words,
                             node.processor, node.links_on, node.links_on == 1 ? "link" : "links"),
      .value = node.least_words(),
      .source = "lockstep",
      .reason = bound_reason::in_port};
}

}  // namespace lockstep
