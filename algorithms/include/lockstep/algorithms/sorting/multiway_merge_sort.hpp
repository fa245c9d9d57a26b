#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/sorting/detail/tagged.hpp>
#include <lockstep/algorithms/sorting/merge_sort.hpp>
#include <lockstep/algorithms/sorting/multiway_merge.hpp>
#include <lockstep/algorithms/sorting/multiway_sort_plan.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>

namespace lockstep::detail {

/// Requires the even block of a processor, and the plan of the network.
/// Errors: invalid_argument.
void require_multiway_input(processor const& me, multiway_sort_plan const& plan,
                            std::size_t values);

/// A processor of the 2^l rows of 2^m columns of MultiWayMergeSort, l >= 1.
template <class T, class Less>
class multiway_sorter {
 public:
  using value = tagged<T>;  // equal ones stay in the order of the input
  using element = listed<value>;

  multiway_sorter(processor& me, multiway_sort_plan const& plan, Less const& less)
      : m_me(me),
        m_plan(plan),
        m_k(static_cast<std::size_t>(plan.k())),
        m_less{less},
        m_column(me.subset(successive_dimensions(plan.m(), plan.l()))) {}

  [[nodiscard]] std::vector<T> run(std::vector<T> const& values,
                                   std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    show_values(m_me, "keys", values);
    m_me.phase("1: gather in columns");
    auto const column = gathered(values);
    std::vector<element> set;
    if (row() == 0) set = sorted_set(column);
    show_values(m_me, "keys", set);
    int merged = 0;  // log2 of the columns of a sorted list
    for (auto const& call : m_plan.calls()) {
      m_me.phase("3: merge lists of " + std::to_string(1 << merged));
      set = merged_group(std::move(set), call);
      merged += call.l;
      show_values(m_me, "keys", set);
    }
    m_me.phase("4: spread");
    return spread(set);
  }

 private:
  [[nodiscard]] int row() const { return m_column.rank(); }
  [[nodiscard]] int column() const { return m_me.rank() & ((1 << m_plan.m()) - 1); }

  /// Step 1: the values of a column, in its row 0. Those of lower rows come first.
  [[nodiscard]] std::vector<std::optional<value>> gathered(
      std::vector<T> const& values, std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    auto const n = static_cast<std::size_t>(m_plan.n());
    std::size_t place = 0;
    for (int above = 0; above < row(); ++above)
      place += even_block(n, m_me.size(), (above << m_plan.m()) + column()).count;
    std::vector<std::optional<value>> held(m_k);
    for (std::size_t i = 0; i < values.size(); ++i)
      held[place + i] = tagged_at(m_me, std::span<T const>(values), i);
    return msbt_gather(m_column, std::span<std::optional<value> const>(held));
  }

  /// Step 2.
  [[nodiscard]] std::vector<element> sorted_set(std::vector<std::optional<value>> const& column) {
    std::vector<value> values;
    for (auto const& one : column)
      if (one) values.push_back(*one);
    std::ranges::sort(values, m_less);
    return padded_set(std::span<value const>(values), m_k, 0, 0);
  }

  /// Step 3: a call on the first rows of the columns whose lists it merges.
  [[nodiscard]] std::vector<element> merged_group(
      std::vector<element> set, multiway_shape const& call,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    if (row() >= 1 << call.l) return {};
    auto varying = successive_dimensions(0, call.m + call.l);
    auto const rows = successive_dimensions(m_plan.m(), call.l);
    varying.list.insert(varying.list.end(), rows.list.begin(), rows.list.end());
    auto group = m_me.subset(varying);
    auto const list = static_cast<std::uint32_t>(column() >> call.m & ((1 << call.l) - 1));
    auto index = static_cast<std::uint64_t>(column() & ((1 << call.m) - 1)) * m_k;
    for (auto& one : set) {
      one.list = list;
      one.index = index++;
    }
    return multiway_merge_sets(group, std::move(set), call,
                               listed_before<tagged_order<Less>>{m_less});
  }

  /// Step 4: from row 0 to even blocks of all processors.
  [[nodiscard]] std::vector<T> spread(
      std::vector<element> const& set,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    auto const n = static_cast<std::size_t>(m_plan.n());
    auto rank = static_cast<std::size_t>(column()) * m_k;
    std::vector<routed<T>> records(m_k);
    for (std::size_t t = 0; t < set.size(); ++t, ++rank)
      if (rank < n) records[t] = {set[t].value.element, rank_of_even_block(n, m_me.size(), rank)};
    auto const came = inverse_concentrate(m_me, std::span<routed<T> const>(records));
    auto const [first, count] = even_block(n, m_me.size(), m_me.rank());
    std::vector<T> block;
    for (std::size_t i = first; i < first + count; ++i) block.push_back(came[i % m_k].value());
    show_values(m_me, "keys", block);
    return block;
  }

  processor& m_me;
  multiway_sort_plan const& m_plan;
  std::size_t m_k;
  tagged_order<Less> m_less;
  processor m_column;
};

}  // namespace lockstep::detail

namespace lockstep {

/// MultiWayMergeSort: n values of p = 2^d processors are sorted, where k of them are gathered in
/// each of 2^m columns, and 2^l lists at a time are merged. Stable: equal values stay in the order
/// of ranks, and of each processor's own. Called by all processors of a hypercube or a subcube,
/// with the same plan.
///
/// `values`: `even_block(n, p, rank)` of them; `plan`: for these n and p, as in
/// `multiway_sort_plan::cheapest`; `less`: a strict weak order.
/// Shows: "keys".
/// Result: this processor's even block of the sorted sequence; for l = 0 that of `merge_sort`, k
/// values, the last processors fewer.
/// Errors: invalid_argument on another topology or for another number of values, which comes out of
/// the run as processor_failed; those of the machine.
///
/// **Cost** all ports, strict, l >= 1: 2k + l + d - 2 to gather and to spread the values, and what
/// ceil(m/l) calls of MultiWayMerge cost (`multiway_sort_plan::formula`); l = 0: as `merge_sort`.
/// Every message is one value or rank.
///
/// **Source** Mayr and Plaxton 1989, section 4; l = 0, a last call of fewer lists, any n, and
/// fused: lockstep.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{4}, {.ports = lockstep::ports::all}};
/// lockstep::multiway_sort_plan const plan(4, 16, 1);
/// auto run = cube.run([&](lockstep::processor& me) {
///   return lockstep::multiway_merge_sort(me, std::vector{-me.rank()}, plan);
/// });
/// run.results()[0];    // -15
/// run.counts().steps;  // 77
/// ```
template <mergeable T, class Less = std::less<>>
[[nodiscard]] std::vector<T> multiway_merge_sort(
    processor& me, std::vector<T> values, multiway_sort_plan const& plan, Less less = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_multiway_input(me, plan, values.size());
  if (plan.l() == 0)
    return merge_sort(me, std::move(values),
                      {.k = static_cast<std::size_t>(plan.k()), .fused = plan.fused()}, less);
  if (plan.n() == 0) return {};
  return detail::multiway_sorter<T, Less>(me, plan, less).run(values);
}

}  // namespace lockstep
