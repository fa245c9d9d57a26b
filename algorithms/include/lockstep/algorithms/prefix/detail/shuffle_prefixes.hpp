#pragma once

#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include <lockstep/algorithms/prefix/detail/combined_prefixes.hpp>
#include <lockstep/algorithms/prefix/detail/relayed_prefixes.hpp>
#include <lockstep/options.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>

namespace lockstep::detail {

/// Section 2.3: k prefixes on two trees in a shuffle-exchange, whose leaves are the lower and the
/// upper half of the processors; then the sums of the lower half go to the upper one.
/// `Passes`: relayed_prefixes or combined_prefixes.
template <template <class> class Passes, class Monoid>
class shuffle_prefixes {
 public:
  using value = typename Monoid::value_type;

  shuffle_prefixes(processor& me, shuffle_exchange const& network, directed<Monoid> const& plus,
                   std::span<value const> x, ports with)
      : m_me(me),
        m_plus(plus),
        m_x(x),
        m_with(with),
        m_dimension(network.dimension()),
        m_half(network.size() / 2),
        m_role(plus.role(me.rank(), network.size())),
        m_before(x.size(), plus.identity()) {}

  [[nodiscard]] std::vector<value> run() {
    if (m_x.empty()) return {};
    m_me.phase("lower half");
    auto lower = run_half(embedding::lower_half(m_dimension), m_role < m_half);
    m_me.phase("upper half");
    std::ignore = run_half(embedding::upper_half(m_dimension), m_role >= m_half);
    m_me.phase("sums of the lower half");
    tell_upper_half(lower);
    std::vector<value> y(m_x.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      auto const before = m_role < m_half ? m_before[i] : m_plus(lower[i], m_before[i]);
      y[i] = m_plus.is_inclusive() ? m_plus(before, m_x[i]) : before;
    }
    return y;
  }

 private:
  [[nodiscard]] int played_by(int role) const { return m_plus.role(role, 2 * m_half); }

  /// Result: at the root the sums of the tree's leaves. Inner nodes have no values in it.
  [[nodiscard]] std::vector<value> run_half(embedding const& tree, bool is_leaf) {
    std::vector<value> sums(m_x.size(), m_plus.identity());
    if (!tree.has(m_role)) return sums;
    embedded_node const node(tree, m_role, [&](int at) { return played_by(at); });
    std::vector<value> const none(m_x.size(), m_plus.identity());
    Passes<Monoid> passes(m_me, node, m_plus, is_leaf ? m_x : std::span<value const>(none));
    passes.run(m_with);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (is_leaf) m_before[i] = passes.before(i);
      if (node.is_root()) sums[i] = passes.sum(i);
    }
    return sums;
  }

  /// From the lower half's root over its tree's inner nodes, which are the upper half but for the
  /// last processor; that one gets them from the root.
  void tell_upper_half(std::vector<value>& sums) {
    auto const tree = embedding::lower_half(m_dimension);
    if (m_role < m_half && m_role != tree.root()) return;
    if (!tree.has(m_role)) {
      for (auto& sum : sums) sum = m_me.receive_value<value>(played_by(tree.root()));
      show_values(m_me, "sums of the lower half", sums);
      return;
    }
    embedded_node const node(tree, m_role, [&](int at) { return played_by(at); });
    bool const has_inner_child = !node.is_leaf && *tree.first_child(m_role) >= m_half;
    for (auto& sum : sums) {
      if (!node.is_root())
        sum = m_me.receive_value<value>(node.is_first ? node.parent : node.sibling);
      if (node.is_first && !node.is_root()) m_me.send(node.sibling, sum);
      if (has_inner_child) m_me.send(node.first_child, sum);
      if (node.is_root()) m_me.send(played_by(2 * m_half - 1), sum);
    }
    show_values(m_me, "sums of the lower half", sums);
  }

  processor& m_me;
  directed<Monoid> const& m_plus;
  std::span<value const> m_x;
  ports m_with;
  int m_dimension;
  int m_half;
  int m_role;  ///< which processor it plays
  std::vector<value> m_before;
};

}  // namespace lockstep::detail
