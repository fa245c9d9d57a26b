#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/successive_dimensions.hpp>
#include <lockstep/algorithms/routing/msbt.hpp>
#include <lockstep/algorithms/sorting/detail/merge_steps.hpp>
#include <lockstep/algorithms/sorting/detail/placed.hpp>
#include <lockstep/algorithms/sorting/multiway_shape.hpp>
#include <lockstep/detail/library_frame.hpp>

// MultiWayMerge of sets of exactly k elements: Mayr and Plaxton 1989, section 4, mended.

namespace lockstep::detail {

/// An element on its way to its column, and its place among the k of that column.
template <payload_element T>
using placed_in_column = placed<T, std::uint64_t>;

/// A processor of the 2^l rows of 2^(l + m) columns. Columns are 2^l blocks of 2^m.
template <class T, class Before>
class multiway_merger {
 public:
  multiway_merger(processor& me, multiway_shape const& shape, Before const& before)
      : m_me(me),
        m_k(shape.k),
        m_fused(shape.fused),
        m_before(before),
        m_column(me.subset(successive_dimensions(shape.l + shape.m, shape.l))),
        m_across(me.subset(successive_dimensions(shape.m, shape.l))),
        m_block(me.subset(successive_dimensions(0, shape.m))),
        m_row(me.subset(successive_dimensions(0, shape.l + shape.m))) {}

  /// `set`: in row 0 k elements of list number block(), each with its list and index.
  /// Result: in row 0 those of rank column * k to column * k + k - 1; elsewhere none.
  [[nodiscard]] std::vector<T> run(std::vector<T> set,
                                   std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    set.resize(m_k);
    m_me.phase("1: broadcast in columns");
    msbt_broadcast(m_column, std::span(set));
    auto own = set;  // of the row's list
    m_me.phase("2: broadcast in rows");
    msbt_broadcast(m_across, std::span(own), row());
    show_values(m_me, "row's list", own);
    show_values(m_me, "column's list", set);
    m_me.phase("3: merge");
    auto const merged = row() == block() ? std::vector<T>{} : merged_with(own, set);
    m_me.phase("4: ranks");
    auto const ranks = ranks_in_other(own, merged);
    m_me.phase("5: sums of ranks");
    show_values(m_me, "ranks", ranks);
    auto const sums =
        msbt_sum(m_across, std::plus<std::uint64_t>{}, std::span<std::uint64_t const>(ranks));
    m_me.phase("6: route to columns");
    auto const arrived = spread(own, sums);
    show_values(m_me, "arrived", arrived);
    m_me.phase("7: gather in columns");
    return gathered(arrived);
  }

 private:
  [[nodiscard]] int row() const { return m_column.rank(); }
  [[nodiscard]] int block() const { return m_across.rank(); }

  /// Step 3, where the row's list is not the block's.
  [[nodiscard]] std::vector<T> merged_with(
      std::vector<T> const& own, std::vector<T> const& other,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    return merge_on_half(m_block, own, other, static_cast<std::uint32_t>(row()),
                         {.k = m_k, .fused = m_fused}, m_before);
  }

  /// Step 4: the ranks of the row's elements in the block's list, at the processors that had them.
  /// An element's rank in both lists is 2qk + its position, its rank in its own its index.
  [[nodiscard]] std::vector<std::uint64_t> ranks_in_other(
      std::vector<T> const& own, std::vector<T> const& merged,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    std::vector<std::uint64_t> ranks(m_k);
    if (row() == block()) {
      for (std::size_t t = 0; t < m_k; ++t) ranks[t] = own[t].index;
      return ranks;
    }
    std::vector<routed_pair<std::uint64_t>> records(m_k);
    auto rank = static_cast<std::uint64_t>(m_block.rank()) * merged.size();
    for (auto const& one : merged) {
      auto const here = rank++;
      if (one.list != static_cast<std::uint32_t>(row())) continue;
      auto& [first, second] = records[one.index % m_k];
      if (first.is_there() && second.is_there()) throw_not_sorted();
      auto& free = first.is_there() ? second : first;
      free = routed<std::uint64_t>{here - one.index, static_cast<int>(one.index / m_k)};
    }
    auto const came =
        concentrate_two(m_block, std::span<routed_pair<std::uint64_t> const>(records));
    for (std::size_t t = 0; t < m_k; ++t) {
      if (!came[t]) throw_not_sorted();
      ranks[t] = *came[t];
    }
    return ranks;
  }

  /// Step 6: from block 0, where the sums are, to the columns of these ranks.
  [[nodiscard]] std::vector<std::optional<placed_in_column<T>>> spread(
      std::vector<T> const& own, std::vector<std::uint64_t> const& sums,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    std::vector<routed<placed_in_column<T>>> records(m_k);
    for (std::size_t t = 0; t < sums.size(); ++t)
      records[t] = {{own[t], sums[t] % m_k}, static_cast<int>(sums[t] / m_k)};
    return inverse_concentrate(m_row, std::span<routed<placed_in_column<T>> const>(records));
  }

  /// Step 7.
  [[nodiscard]] std::vector<T> gathered(
      std::vector<std::optional<placed_in_column<T>>> const& arrived,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    std::vector<std::optional<T>> held(m_k);
    for (auto const& one : arrived)
      if (one) held[one->place] = one->element;
    std::vector<T> column;
    for (auto const& one : msbt_gather(m_column, std::span<std::optional<T> const>(held))) {
      if (!one) throw_not_sorted();
      column.push_back(*one);
    }
    show_values(m_me, "merged", column);
    return column;
  }

  processor& m_me;
  std::size_t m_k;
  bool m_fused;
  Before const& m_before;
  processor m_column;  ///< all rows of this column; its rank is the row
  processor m_across;  ///< the like columns of this row's blocks; its rank is the block
  processor m_block;
  processor m_row;
};

/// MultiWayMerge on the 2^(2l + m) processors of `me`.
template <class T, class Before>
[[nodiscard]] std::vector<T> multiway_merge_sets(
    processor& me, std::vector<T> set, multiway_shape const& shape, Before const& before,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  return multiway_merger<T, Before>(me, shape, before).run(std::move(set));
}

}  // namespace lockstep::detail
