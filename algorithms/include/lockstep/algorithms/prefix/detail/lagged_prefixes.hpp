#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/ordered_tree.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/detail/library_frame.hpp>

namespace lockstep::detail {

/// Section 2.1, k times, on a tree whose subtrees are intervals of ranks: in one round the upward
/// pass of prefix i and the downward pass of prefix i - lag. The lowest children come first.
template <class Monoid>
class lagged_prefixes {
 public:
  using value = typename Monoid::value_type;

  /// `node`: that of the processor which this one plays.
  lagged_prefixes(processor& me, ordered_node const& node, directed<Monoid> const& plus,
                  std::span<value const> x, int lag)
      : m_me(me), m_plus(plus), m_x(x), m_node(node), m_lag(static_cast<std::size_t>(lag)) {
    for (std::size_t c = 0; c < children().size(); ++c) {
      m_sums[c].resize(std::bit_ceil(m_lag + 1));
      m_lowest_first[c] = c;
    }
    std::ranges::stable_sort(std::span(m_lowest_first).first(children().size()), {},
                             [&](std::size_t c) { return children()[c].height; });
  }

  [[nodiscard]] std::vector<value> run() {
    std::vector<value> y(m_x.size());
    for (std::size_t i = 0; !m_x.empty() && i < m_x.size() + m_lag; ++i) {
      if (i < m_x.size()) {
        go_up(i);
        show_sums(m_me, m_plus, "sums", i + 1, [&](auto) { return subtree(); });
      }
      if (i >= m_lag) {
        y[i - m_lag] = go_down(i - m_lag);
        show_sums(m_me, m_plus, "prefixes", i - m_lag + 1, [&](auto) { return ranks_of_prefix(); });
        show_values(m_me, "values of prefixes", std::span(y).first(i - m_lag + 1));
      }
    }
    m_me.pass(0);
    return y;
  }

 private:
  [[nodiscard]] auto children() const { return m_node.children(); }
  [[nodiscard]] auto lowest_first() const {
    return std::span(m_lowest_first).first(children().size());
  }
  [[nodiscard]] bool is_root() const { return m_node.parent() == ordered_node::nobody; }
  [[nodiscard]] int parent() const { return m_plus.role(m_node.parent(), m_me.size()); }
  [[nodiscard]] int child(std::size_t c) const {
    return m_plus.role(children()[c].rank, m_me.size());
  }

  [[nodiscard]] place_range subtree() const { return place_range::of(m_node.subtree()); }
  [[nodiscard]] place_range ranks_of_prefix() const {
    return place_range{}.up_to(m_node.rank(), m_plus.is_inclusive());
  }

  /// Of a child for prefix i: kept until that prefix comes down.
  [[nodiscard]] value& sum_of(std::size_t c, std::size_t i) {
    return m_sums[c][i & (m_sums[c].size() - 1)];
  }

  void go_up(std::size_t i, std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    m_me.pass(0);
    for (auto const c : lowest_first()) sum_of(c, i) = m_me.receive_value<value>(child(c));
    if (!is_root()) m_me.send(parent(), sum_of_subtree(i));
  }

  /// Children before this processor come first, those after it last.
  [[nodiscard]] value sum_of_subtree(std::size_t i) {
    auto sum = m_plus.identity();
    std::size_t c = 0;
    while (c < children().size() && children()[c].is_before) sum = m_plus(sum, sum_of(c++, i));
    sum = m_plus(sum, m_x[i]);
    while (c < children().size()) sum = m_plus(sum, sum_of(c++, i));
    return sum;
  }

  [[nodiscard]] value go_down(std::size_t i,
                              std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    m_me.pass(1);
    auto sum = m_plus.identity();
    if (!is_root()) sum = m_me.receive_value<value>(parent());
    std::array<value, ordered_node::most_children> before{};
    std::size_t c = 0;
    for (; c < children().size() && children()[c].is_before; ++c) {
      before[c] = sum;
      sum = m_plus(sum, sum_of(c, i));
    }
    auto const exclusive = sum;
    auto const inclusive = sum = m_plus(sum, m_x[i]);
    for (; c < children().size(); ++c) {
      before[c] = sum;
      sum = m_plus(sum, sum_of(c, i));
    }
    for (auto const each : lowest_first()) m_me.send(child(each), before[each]);
    return m_plus.is_inclusive() ? inclusive : exclusive;
  }

  processor& m_me;
  directed<Monoid> const& m_plus;
  std::span<value const> m_x;
  ordered_node m_node;
  std::size_t m_lag;
  std::array<std::vector<value>, ordered_node::most_children> m_sums;
  std::array<std::size_t, ordered_node::most_children> m_lowest_first{};
};

}  // namespace lockstep::detail
