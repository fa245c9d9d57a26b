#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/prefix/detail/embedded_node.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/options.hpp>

namespace lockstep::detail {

/// k prefixes on an embedded tree: second children reach their parents through their siblings, which
/// relay their words. A round has a letter for each message:
///
///   A, B  take in the first child's sum, and the second's, which the first relays
///   U     send the own sum to the parent; a second child: to the sibling
///   C, W  take in the sibling's sum, send it to the parent
///   D, Z  take in from the parent what lies before the sibling, send it to the sibling
///   E     take in what lies before the own subtree
///   R, L  send to the first child what lies before the second, and before itself
///   X     root: send the sum of all to the processor above
///
/// Source: the order of the letters, lockstep.
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
    in_rounds(letters(one_port), "ABUCWX", m_x.size(), lag(one_port),
              [&](char letter, std::size_t i) {
                if (letter == 'D' || letter == 'Z' || letter == 'E')
                  take_from_above(letter, i);
                else if (letter == 'R' || letter == 'L')
                  send_down(letter, i);
                else
                  go_up(letter, i);
              });
  }

  /// What lies before the own value, and the sum of the whole subtree.
  [[nodiscard]] value before(std::size_t i) const { return m_plus(m_before[i], left(i)); }
  [[nodiscard]] value sum(std::size_t i) const { return m_plus(m_plus(left(i), m_x[i]), right(i)); }

 private:
  [[nodiscard]] std::string_view letters(bool one_port) const {
    if (m_node.is_root() && m_node.is_leaf) return m_node.has_above() ? "X" : "";
    if (m_node.is_root()) return m_node.has_above() ? "ABRLX" : "ABRL";
    if (m_node.is_leaf && m_node.is_first) return one_port ? "UCWDZE" : "UDZCWE";
    if (m_node.is_leaf) return one_port ? "EU" : "UE";
    if (m_node.is_first) return one_port ? "ABUCWDZERL" : "ABUDZCWERL";
    return one_port ? "ABEURL" : "ABUERL";
  }
  [[nodiscard]] int lag(bool one_port) const {
    return one_port ? m_node.depth + m_node.second_children : 2 * m_node.depth;
  }

  [[nodiscard]] value const& left(std::size_t i) const {
    return m_node.first_is_left ? m_first[i] : m_second[i];
  }
  [[nodiscard]] value const& right(std::size_t i) const {
    return m_node.first_is_left ? m_second[i] : m_first[i];
  }

  void go_up(char letter, std::size_t i) {
    if (letter == 'A')
      m_first[i] = m_me.receive_value<value>(m_node.first_child);
    else if (letter == 'B')
      m_second[i] = m_me.receive_value<value>(m_node.first_child);
    else if (letter == 'U')
      m_me.send(m_node.is_first ? m_node.parent : m_node.sibling, sum(i));
    else if (letter == 'C')
      m_relayed_up = m_me.receive_value<value>(m_node.sibling);
    else if (letter == 'W')
      m_me.send(m_node.parent, m_relayed_up);
    else
      m_me.send(m_node.above_root, sum(i));
  }
  void take_from_above(char letter, std::size_t i) {
    if (letter == 'D')
      m_relayed_down = m_me.receive_value<value>(m_node.parent);
    else if (letter == 'Z')
      m_me.send(m_node.sibling, m_relayed_down);
    else
      m_before[i] = m_me.receive_value<value>(m_node.is_first ? m_node.parent : m_node.sibling);
  }
  void send_down(char letter, std::size_t i) {
    bool const to_left = (letter == 'L') == m_node.first_is_left;
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
