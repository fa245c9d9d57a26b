#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/prefix.hpp>

namespace lockstep::detail {

/// k prefixes on the tree of seven processors, without words that its leaves do not need: what lies
/// before a subtree is not sent to its first leaf, nor a sum above the root's first child. A prefix
/// takes six steps, and the next one begins two steps later.
/// **Source** lockstep; Mayr and Plaxton 1989, section 2.1, for the tree and the claim of 2k + 4
/// log p.
template <class Monoid>
class trimmed_prefixes {
 public:
  using value = typename Monoid::value_type;

  trimmed_prefixes(processor& me, directed<Monoid> const& plus, std::span<value const> x)
      : m_me(me),
        m_plus(plus),
        m_x(x),
        m_role(plus.role(me.rank(), me.size())),
        m_before(x.size(), plus.identity()),
        m_second(x.size(), plus.identity()) {}

  [[nodiscard]] std::vector<value> run() {
    auto const steps = m_x.empty() ? 0 : 2 * m_x.size() + last_step - 2;
    for (std::size_t step = 1; step <= steps; ++step) {
      auto const now = m_me.now();
      for (auto const& each : words)
        if (each.from == m_role && is_due(each, step))
          m_me.send(processor_of(each.to), sent(each, prefix_of(each, step)));
      for (auto const& each : words)
        if (each.to == m_role && is_due(each, step)) receive(each, prefix_of(each, step));
      if (m_me.now() == now) m_me.idle();
    }
    std::vector<value> y(m_x.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] = before(i);
      if (m_plus.is_inclusive()) y[i] = m_plus(y[i], m_x[i]);
    }
    return y;
  }

 private:
  /// A word of each prefix, and the step in which it goes, counted from the prefix's first.
  struct word {
    int from;
    int to;
    std::size_t step;
  };
  static constexpr std::array words{word{0, 1, 1}, word{2, 1, 2}, word{1, 3, 3}, word{1, 2, 4},
                                    word{3, 5, 4}, word{4, 5, 5}, word{5, 4, 5}, word{5, 6, 6}};
  static constexpr std::size_t last_step = 6;

  [[nodiscard]] bool is_due(word const& of, std::size_t step) const {
    return step >= of.step && (step - of.step) % 2 == 0 && prefix_of(of, step) < m_x.size();
  }
  [[nodiscard]] static std::size_t prefix_of(word const& of, std::size_t step) {
    return (step - of.step) / 2;
  }
  [[nodiscard]] int processor_of(int role) const { return m_plus.role(role, m_me.size()); }

  /// Nodes 1 and 5 take in a second word: that of leaf 2, which lies behind node 1, and that of
  /// leaf 4, which lies before node 5.
  void receive(word const& of, std::size_t i) {
    bool const is_second = of.from == 2 || of.from == 4;
    (is_second ? m_second : m_before)[i] = m_me.receive_value<value>(processor_of(of.from));
  }

  /// The sum of what lies before this processor.
  [[nodiscard]] value before(std::size_t i) const {
    return m_role == 5 ? m_plus(m_before[i], m_second[i]) : m_before[i];
  }

  [[nodiscard]] value sent(word const& of, std::size_t i) const {
    if (of.from == 0 || of.from == 2 || of.from == 4) return m_x[i];
    if (of.to == 4) return m_before[i];
    auto const through = m_plus(before(i), m_x[i]);
    return of.to == 3 ? m_plus(through, m_second[i]) : through;
  }

  processor& m_me;
  directed<Monoid> const& m_plus;
  std::span<value const> m_x;
  int m_role;
  std::vector<value> m_before;
  std::vector<value> m_second;
};

}  // namespace lockstep::detail
