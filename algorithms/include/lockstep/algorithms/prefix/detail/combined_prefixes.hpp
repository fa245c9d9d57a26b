#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/prefix/detail/embedded_node.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/options.hpp>

namespace lockstep::detail {

/// k prefixes of the leaves of an embedded tree: first children add up both sums of a pair, so that
/// one word of it goes up and one comes down. A round has a letter for each message:
///
///   A     take in the sum of the own subtree from the first child
///   T, U  first child: take in the sibling's sum, send that of the pair to the parent
///   E     first child: take in what lies before the pair
///   Z     first child: send to the sibling what lies before it
///   u, e  second child: send the own sum to the sibling, take in what lies before it
///   D     send what lies before the own subtree to the first child
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
    in_rounds(letters(one_port), "ATUu", m_sum.size(), lag(one_port),
              [&](char letter, std::size_t i) {
                if (letter == 'A' || letter == 'T' || letter == 'U' || letter == 'u')
                  go_up(letter, i);
                else
                  go_down(letter, i);
              });
  }

  /// What lies before the own subtree, and its sum.
  [[nodiscard]] value before(std::size_t i) const { return m_before[i]; }
  [[nodiscard]] value sum(std::size_t i) const { return m_sum[i]; }

 private:
  [[nodiscard]] std::string_view letters(bool one_port) const {
    if (m_node.is_root()) return m_node.is_leaf ? "" : "AD";
    if (m_node.is_leaf && m_node.is_first) return one_port ? "EZTU" : "TUEZ";
    if (m_node.is_leaf) return "ue";
    if (m_node.is_first) return one_port ? "EZDATU" : "ATUEZD";
    return "AueD";
  }
  /// On all ports a word goes down one link a step, and two where it goes to a second child.
  [[nodiscard]] int lag(bool one_port) const {
    if (m_node.is_root()) return 0;
    return one_port ? 2 * m_node.depth : 3 * m_node.depth + m_node.second_children - 1;
  }

  /// What combines to the pair's sum, and what lies before its right one.
  [[nodiscard]] value sum_of_pair(std::size_t i) const {
    return m_node.first_is_left ? m_plus(m_sum[i], m_siblings[i]) : m_plus(m_siblings[i], m_sum[i]);
  }

  void go_up(char letter, std::size_t i) {
    if (letter == 'A')
      m_sum[i] = m_me.receive_value<value>(m_node.first_child);
    else if (letter == 'T')
      m_siblings[i] = m_me.receive_value<value>(m_node.sibling);
    else if (letter == 'U')
      m_me.send(m_node.parent, sum_of_pair(i));
    else
      m_me.send(m_node.sibling, m_sum[i]);
  }

  void go_down(char letter, std::size_t i) {
    if (letter == 'E') {
      m_before_pair = m_me.receive_value<value>(m_node.parent);
      m_before[i] = m_node.first_is_left ? m_before_pair : m_plus(m_before_pair, m_siblings[i]);
    } else if (letter == 'Z') {
      m_me.send(m_node.sibling,
                m_node.first_is_left ? m_plus(m_before_pair, m_sum[i]) : m_before_pair);
    } else if (letter == 'e') {
      m_before[i] = m_me.receive_value<value>(m_node.sibling);
    } else {
      m_me.send(m_node.first_child, m_before[i]);
    }
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
