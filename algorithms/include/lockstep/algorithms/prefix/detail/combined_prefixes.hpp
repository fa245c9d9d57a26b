#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/detail/embedded_node.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/options.hpp>

namespace lockstep::detail {

/// A message of a round of `combined_prefixes`.
enum class pair_action : std::uint8_t {
  receive_sum,             ///< of the own subtree, from the first child
  receive_sum_of_sibling,  ///< first child
  send_sum_of_pair,        ///< first child: to the parent
  send_sum,                ///< second child: to the sibling
  receive_prefix_of_pair,  ///< first child: the prefix before the pair, from the parent
  send_prefix_of_sibling,  ///< first child: the prefix before the sibling, to it
  receive_prefix,          ///< second child: the prefix before its subtree, from the sibling
  send_prefix              ///< the prefix before the own subtree, to the first child
};

[[nodiscard]] constexpr bool is_upward(pair_action action) {
  return action <= pair_action::send_sum;
}

/// The actions of a round of a node, in order.
/// **Source** lockstep.
[[nodiscard]] std::span<pair_action const> pair_program(embedded_node const& node, bool one_port);

/// k prefixes of the leaves of an embedded tree: first children add up both sums of a pair, so that
/// one word of it goes up and one comes down.
///
/// **Source** lockstep.
template <class Monoid>
class combined_prefixes {
 public:
  using value = typename Monoid::value_type;

  combined_prefixes(processor& me, embedded_node const& node, directed<Monoid> const& plus,
                    std::span<value const> x)
      : m_me(me),
        m_node(node),
        m_plus(plus),
        m_sum(x.begin(), x.end()),
        m_siblings(x.size(), plus.identity()),
        m_before(x.size(), plus.identity()) {}

  void run(ports with) {
    bool const one_port = with != ports::all;
    in_rounds(pair_program(m_node, one_port), m_sum.size(), lag(one_port),
              [&](pair_action action, std::size_t i) {
                if (is_upward(action))
                  go_up(action, i);
                else
                  go_down(action, i);
              });
  }

  /// Returns the combination before the own subtree, and the subtree's sum.
  [[nodiscard]] value before(std::size_t i) const { return m_before[i]; }
  [[nodiscard]] value sum(std::size_t i) const { return m_sum[i]; }

 private:
  /// On all ports a word goes down one link a step, and two where it goes to a second child.
  [[nodiscard]] int lag(bool one_port) const {
    if (m_node.is_root()) return 0;
    return one_port ? 2 * m_node.depth : 3 * m_node.depth + m_node.second_children - 1;
  }

  /// Returns the pair's sum, and the combination before its right one.
  [[nodiscard]] value sum_of_pair(std::size_t i) const {
    return m_node.first_is_left ? m_plus(m_sum[i], m_siblings[i]) : m_plus(m_siblings[i], m_sum[i]);
  }

  void go_up(pair_action action, std::size_t i) {
    switch (action) {
      case pair_action::receive_sum:
        m_sum[i] = m_me.receive_value<value>(m_node.first_child);
        show_sums(m_me, m_plus, "sums", i + 1,
                  [&](auto) { return m_node.leaves_of(m_node.place); });
        break;
      case pair_action::receive_sum_of_sibling:
        m_siblings[i] = m_me.receive_value<value>(m_node.sibling);
        show_sums(m_me, m_plus, "sums of the sibling", i + 1,
                  [&](auto) { return m_node.leaves_of(*m_node.of.sibling(m_node.place)); });
        break;
      case pair_action::send_sum_of_pair:
        m_me.send(m_node.parent, sum_of_pair(i));
        break;
      default:  // send_sum
        m_me.send(m_node.sibling, m_sum[i]);
    }
  }

  void go_down(pair_action action, std::size_t i) {
    switch (action) {
      case pair_action::receive_prefix_of_pair:
        m_before_pair = m_me.receive_value<value>(m_node.parent);
        m_before[i] = m_node.first_is_left ? m_before_pair : m_plus(m_before_pair, m_siblings[i]);
        show_before(i);
        break;
      case pair_action::send_prefix_of_sibling:
        m_me.send(m_node.sibling,
                  m_node.first_is_left ? m_plus(m_before_pair, m_sum[i]) : m_before_pair);
        break;
      case pair_action::receive_prefix:
        m_before[i] = m_me.receive_value<value>(m_node.sibling);
        show_before(i);
        break;
      default:  // send_prefix
        m_me.send(m_node.first_child, m_before[i]);
    }
  }

  void show_before(std::size_t i) {
    show_sums(m_me, m_plus, "sums before the subtree", i + 1,
              [&](auto) { return m_node.leaves_before(); });
  }

  processor& m_me;
  embedded_node const& m_node;
  directed<Monoid> const& m_plus;
  std::vector<value> m_sum;       ///< of the own subtree, by prefix
  std::vector<value> m_siblings;  ///< first child: of the sibling's
  std::vector<value> m_before;    ///< what lies before the own subtree
  value m_before_pair{};
};

}  // namespace lockstep::detail
