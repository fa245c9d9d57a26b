#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/detail/embedded_node.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/options.hpp>

namespace lockstep::detail {

/// A message of a round of `relayed_prefixes`.
enum class relay_action : std::uint8_t {
  receive_sum_of_first,       ///< child
  receive_sum_of_second,      ///< which the first child relays
  send_sum,                   ///< of the own subtree: to the parent; second child: to the sibling
  receive_sum_of_sibling,     ///< first child: to relay it
  relay_sum_of_sibling,       ///< to the parent
  send_total,                 ///< root: the sum of all, to the processor above
  receive_prefix_of_sibling,  ///< first child: the prefix before the sibling, to relay it
  relay_prefix_of_sibling,    ///< to the sibling
  receive_prefix,             ///< the prefix before the own subtree
  send_prefix_of_second,      ///< to the first child, which relays it
  send_prefix_of_first        ///< to the first child
};

[[nodiscard]] constexpr bool is_upward(relay_action action) {
  return action <= relay_action::send_total;
}

/// The actions of a round of a node, in order.
/// **Source** lockstep: the paper gives no order.
[[nodiscard]] std::span<relay_action const> relay_program(embedded_node const& node, bool one_port);

/// k prefixes on an embedded tree: second children reach their parents through their siblings,
/// which relay their words.
template <class Monoid>
class relayed_prefixes {
 public:
  using value = typename Monoid::value_type;

  relayed_prefixes(processor& me, embedded_node const& node, directed<Monoid> const& plus,
                   std::span<value const> x)
      : m_me(me),
        m_node(node),
        m_plus(plus),
        m_x(x),
        m_first(x.size(), plus.identity()),
        m_second(x.size(), plus.identity()),
        m_before(x.size(), plus.identity()) {}

  void run(ports with) {
    bool const one_port = with != ports::all;
    in_rounds(relay_program(m_node, one_port), m_x.size(), lag(one_port),
              [&](relay_action action, std::size_t i) {
                if (is_upward(action))
                  go_up(action, i);
                else
                  go_down(action, i);
              });
  }

  /// Returns the combination before the own value, and the sum of the whole subtree.
  [[nodiscard]] value before(std::size_t i) const { return m_plus(m_before[i], left(i)); }
  [[nodiscard]] value sum(std::size_t i) const { return m_plus(m_plus(left(i), m_x[i]), right(i)); }

 private:
  [[nodiscard]] int lag(bool one_port) const {
    return one_port ? m_node.depth + m_node.second_children : 2 * m_node.depth;
  }

  [[nodiscard]] value const& left(std::size_t i) const {
    return m_node.first_is_left ? m_first[i] : m_second[i];
  }
  [[nodiscard]] value const& right(std::size_t i) const {
    return m_node.first_is_left ? m_second[i] : m_first[i];
  }

  void go_up(relay_action action, std::size_t i) {
    switch (action) {
      case relay_action::receive_sum_of_first:
        m_first[i] = m_me.receive_value<value>(m_node.first_child);
        show("sums of the first child", i, [&] { return *m_node.of.first_child(m_node.place); });
        break;
      case relay_action::receive_sum_of_second:
        m_second[i] = m_me.receive_value<value>(m_node.first_child);
        show("sums of the second child", i, [&] { return *m_node.of.second_child(m_node.place); });
        break;
      case relay_action::send_sum:
        m_me.send(m_node.is_first ? m_node.parent : m_node.sibling, sum(i));
        break;
      case relay_action::receive_sum_of_sibling:
        m_relayed_up = m_me.receive_value<value>(m_node.sibling);
        break;
      case relay_action::relay_sum_of_sibling:
        m_me.send(m_node.parent, m_relayed_up);
        break;
      default:  // send_total
        m_me.send(m_node.above_root, sum(i));
    }
  }
  void go_down(relay_action action, std::size_t i) {
    switch (action) {
      case relay_action::receive_prefix_of_sibling:
        m_relayed_down = m_me.receive_value<value>(m_node.parent);
        break;
      case relay_action::relay_prefix_of_sibling:
        m_me.send(m_node.sibling, m_relayed_down);
        break;
      case relay_action::receive_prefix:
        m_before[i] = m_me.receive_value<value>(m_node.is_first ? m_node.parent : m_node.sibling);
        show_sums(m_me, m_plus, "sums before the subtree", i + 1,
                  [&](auto) { return m_node.leaves_before(); });
        break;
      default:  // send_prefix_of_first, send_prefix_of_second
        send_down(action == relay_action::send_prefix_of_first, i);
    }
  }
  /// Shows what the sums cover that have come, up to number i: the leaves below a node.
  template <class NodeOf>
  void show(char const* name, std::size_t i, NodeOf const& node) {
    show_sums(m_me, m_plus, name, i + 1, [&](auto) { return m_node.leaves_of(node()); });
  }
  void send_down(bool to_first, std::size_t i) {
    bool const to_left = to_first == m_node.first_is_left;
    m_me.send(m_node.first_child, to_left ? m_before[i] : m_plus(before(i), m_x[i]));
  }

  processor& m_me;
  embedded_node const& m_node;
  directed<Monoid> const& m_plus;
  std::span<value const> m_x;
  std::vector<value> m_first;   ///< sum of the first child, by prefix
  std::vector<value> m_second;  ///< of the second
  std::vector<value> m_before;  ///< of what lies before the subtree
  value m_relayed_up{};
  value m_relayed_down{};
};

}  // namespace lockstep::detail
