#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/transpose.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/routing/detail/shown_bins.hpp>
#include <lockstep/algorithms/sorting/detail/column_steps.hpp>
#include <lockstep/algorithms/sorting/detail/local_sort.hpp>
#include <lockstep/algorithms/sorting/detail/merged_runs.hpp>
#include <lockstep/algorithms/sorting/detail/rotate_plan.hpp>
#include <lockstep/algorithms/sorting/detail/slice_turns.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// A watcher of a rotate sort that ignores all it is told.
struct unwatched {
  /// Tells of a processor's column after step 3 or 5, sorted.
  template <class Column>
  void after_step(int /*step*/, Column const& /*column*/) {}
  /// Tells that a processor has sorted what it has.
  void local_sort() {}
};

/// Rotate sort of full columns, this processor's part.
template <payload_element T, class Less, class Watch>
class rotate_sorter {
 public:
  rotate_sorter(processor& me, std::vector<T> column, rotate_plan const& plan, Less const& less,
                Watch& watch)
      : m_me(me), m_column(std::move(column)), m_plan(plan), m_less(less), m_watch(watch) {}

  /// ROTATESORT. `shears`: how often step 7 is done.
  [[nodiscard]] std::vector<T> sort(int shears) && {
    if (!balance()) return std::move(m_column);
    m_me.phase("2 to rows");
    auto rows = dealt_by_rows(&rotate_plan::rows_before);
    sort_rows(rows);
    show_keys(rows);
    m_me.phase("3 unblock");
    unblock(rows, &rotate_plan::rows_before);
    m_watch.after_step(3, m_column);
    m_me.phase("4 balance slices");
    rows = sorted_slices();
    m_me.phase("5 unblock");
    unblock(rows, &rotate_plan::slice_rows_before);
    m_watch.after_step(5, m_column);
    transpose_and_shear(shears);
    return std::move(m_column);
  }

  /// Sorts by each step of ROTATESORT alone: in steps 2 and 4 rows go back to columns before those of
  /// UNBLOCK turn. `shears`: how often step 7 is done.
  [[nodiscard]] std::vector<T> sort_as_the_original(int shears) && {
    if (!balance()) return std::move(m_column);
    auto rows = sorted_rows("2 to rows", &rotate_plan::rows_before);
    back_to_columns("2 to columns", rows, &rotate_plan::rows_before);
    unblock_columns("3 unblock");
    m_watch.after_step(3, m_column);
    m_me.phase("4 to rows");
    rows = sorted_slices();
    back_to_columns("4 to columns", rows, &rotate_plan::slice_rows_before);
    unblock_columns("5 unblock");
    m_watch.after_step(5, m_column);
    transpose_and_shear(shears);
    return std::move(m_column);
  }

 private:
  /// Shows a column, or rows one after the other.
  void show_keys(std::vector<T> const& keys,
                 std::source_location where = std::source_location::current()) {
    show_values(m_me, "keys", keys, where);
  }

  using rows_before = std::size_t (rotate_plan::*)(int) const;

  /// Does step 1. Result: whether there is more to do.
  [[nodiscard]] bool balance() {
    sort_column();
    if (m_me.size() == 1 || m_column.empty()) return false;
    m_me.phase("1 balance");
    m_column = merge(balanced());
    show_keys(m_column);
    return true;
  }

  /// Sorts the rows of step 4, and once more when they have turned.
  [[nodiscard]] std::vector<T> sorted_slices() {
    auto rows = dealt_by_slices();
    sort_rows(rows);
    show_keys(rows);
    rows = turned(rows);
    sort_rows(rows);
    show_keys(rows);
    return rows;
  }

  void sort_column() {
    sort_here(std::span<T>(m_column), m_less);
    show_keys(m_column);
    m_watch.local_sort();
  }

  /// Sorts what came in sorted runs.
  [[nodiscard]] std::vector<T> merge(bins<T> const& runs) {
    m_watch.local_sort();
    return merged(runs, m_less);
  }

  /// Sorts each row to the right.
  void sort_rows(std::vector<T>& rows) {
    for (std::size_t first = 0; first < rows.size(); first += m_plan.columns())
      sort_here(std::span<T>(rows).subspan(first, m_plan.columns()), m_less);
    m_watch.local_sort();
  }

  /// Step 1: row i turns by i to the right.
  [[nodiscard]] bins<T> balanced(std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    return turned_right(&rotate_plan::balanced);
  }

  /// Turns each row to the right, as the plan tells the new column.
  [[nodiscard]] bins<T> turned_right(std::size_t (rotate_plan::*column_of)(std::size_t, std::size_t)
                                         const) {
    auto const p = m_plan.columns();
    auto const rank = static_cast<std::size_t>(m_me.rank());
    bins<T> to(p);
    for (auto& bin : to) bin.reserve(m_column.size() / p + 1);
    for (std::size_t row = 0; row < m_column.size(); ++row)
      to[(m_plan.*column_of)(row, rank)].push_back(m_column[row]);
    return exchange_of_columns(m_me, std::move(to), m_column.size());
  }

  /// Deals the array out by rows, and sorts each of them to the right.
  [[nodiscard]] std::vector<T> sorted_rows(
      char const* phase, rows_before before,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    m_me.phase(phase);
    auto rows = dealt_by_rows(before);
    sort_rows(rows);
    show_keys(rows);
    return rows;
  }

  /// Brings each element of rows back to the column that it stands in.
  void back_to_columns(char const* phase, std::vector<T> const& rows, rows_before before,
                       std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    m_me.phase(phase);
    m_column =
        dealt_by_columns(rows, before, [](std::size_t /*row*/, std::size_t at) { return at; });
    show_keys(m_column);
  }

  /// Does UNBLOCK with columns, whose rows turn by a permutation of their own.
  void unblock_columns(char const* phase,
                       std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    m_me.phase(phase);
    m_column = joined(turned_right(&rotate_plan::unblocked));
    sort_column();
  }

  /// Deals the array out by rows. Result: this processor's, one after the other.
  [[nodiscard]] std::vector<T> dealt_by_rows(
      rows_before before, std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    return dealt([&](int rank) {
      return row_range{(m_plan.*before)(rank), (m_plan.*before)(rank + 1)};
    });
  }

  /// Deals the array out by rows for step 4, in which several processors may get a row.
  [[nodiscard]] std::vector<T> dealt_by_slices(
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    return dealt([&](int rank) { return m_plan.rows_taken_in(rank); });
  }

  /// Deals out rows, `rows_of(rank)` for each processor. Result: this processor's, one after the other.
  template <class RowsOf>
  [[nodiscard]] std::vector<T> dealt(RowsOf const& rows_of) {
    bins<T> to(m_plan.columns());
    for (int rank = 0; rank < m_me.size(); ++rank) {
      row_range const range = rows_of(rank);
      auto const rows = std::span(m_column).subspan(range.first, range.size());
      to[static_cast<std::size_t>(rank)].assign(rows.begin(), rows.end());
    }
    auto const rows_here = to[static_cast<std::size_t>(m_me.rank())].size();
    auto const elements = rows_here * m_plan.columns();
    return by_rows(joined(exchange_of_columns(m_me, std::move(to), elements)), rows_here);
  }

  /// Sends each element of this processor's rows to the column `column_of(row, column)`.
  template <class ColumnOf>
  [[nodiscard]] std::vector<T> dealt_by_columns(std::vector<T> const& rows, rows_before before,
                                                ColumnOf const& column_of) {
    auto const p = m_plan.columns();
    auto const first = (m_plan.*before)(m_me.rank());
    bins<T> to(p);
    for (auto& bin : to) bin.reserve(rows.size() / p);
    for (std::size_t at = 0; at < rows.size(); ++at)
      to[column_of(first + at / p, at % p)].push_back(rows[at]);
    return joined(exchange_of_columns(m_me, std::move(to), m_plan.rows()));
  }

  /// Does UNBLOCK with rows, which go to the columns that they turn to.
  void unblock(std::vector<T> const& rows, rows_before before,
               std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    m_column = dealt_by_columns(
        rows, before, [&](std::size_t row, std::size_t at) { return m_plan.unblocked(row, at); });
    sort_column();
  }

  /// Turns column c of each slice by c mod a down. Result: the rows that this processor keeps, each with
  /// its elements in any order.
  [[nodiscard]] std::vector<T> turned(
      std::vector<T> const& rows, std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    return m_plan.has_cut_slices() ? turned_in_groups(rows) : turned_here(rows);
  }

  /// Turns slices that this processor has taken in whole.
  [[nodiscard]] std::vector<T> turned_here(std::vector<T> const& rows) const {
    auto const p = m_plan.columns();
    int const rank = m_me.rank();
    auto const first_taken = m_plan.rows_taken_in(rank).first;
    row_range const own{m_plan.slice_rows_before(rank), m_plan.slice_rows_before(rank + 1)};
    std::vector<T> kept(own.size() * p);
    for (std::size_t at = 0; at < rows.size(); ++at) {
      auto const row = m_plan.turned(first_taken + at / p, at % p);
      if (row >= own.first && row < own.end) kept[(row - own.first) * p + at % p] = rows[at];
    }
    return kept;
  }

  /// Turns slices whose rows lie in other processors, too: one phase.
  [[nodiscard]] std::vector<T> turned_in_groups(std::vector<T> const& rows) {
    auto const p = m_plan.columns();
    auto const owners = owners_of_rows();
    auto const own = owners[static_cast<std::size_t>(m_me.rank())];
    bins<T> to(p);
    for (std::size_t at = 0; at < rows.size(); ++at)
      to[owner_of(m_plan.turned(own.first + at / p, at % p), owners)].push_back(rows[at]);
    m_me.phase("4 turn slices");
    to = turn_in_groups(m_me, slice_turns(m_plan), std::move(to));
    return put_in_rows(to, owners, rows.size());
  }

  [[nodiscard]] std::vector<row_range> owners_of_rows() const {
    std::vector<row_range> owners;
    owners.reserve(m_plan.columns());
    for (int rank = 0; rank < m_me.size(); ++rank)
      owners.push_back({m_plan.slice_rows_before(rank), m_plan.slice_rows_before(rank + 1)});
    return owners;
  }

  [[nodiscard]] static std::size_t owner_of(std::size_t row, std::vector<row_range> const& owners) {
    auto const owner =
        std::ranges::upper_bound(owners, row, {}, [](row_range const& range) { return range.end; });
    return static_cast<std::size_t>(owner - owners.begin());
  }

  /// Puts turned elements into their rows: those of a source come in the order of its rows.
  [[nodiscard]] std::vector<T> put_in_rows(bins<T> const& by_source,
                                           std::vector<row_range> const& owners,
                                           std::size_t elements) const {
    auto const p = m_plan.columns();
    auto const a = m_plan.block_rows();
    auto const own = owners[static_cast<std::size_t>(m_me.rank())];
    std::vector<T> rows(elements);
    std::vector<std::size_t> taken(p);                     // of what a source sent
    std::vector<std::size_t> filled(own.end - own.first);  // of each row
    for (auto row = own.first / a * a; elements > 0 && row < (own.end + a - 1) / a * a; ++row) {
      auto const source = owner_of(row, owners);
      for (std::size_t at = 0; at < p; ++at) {
        auto const target = m_plan.turned(row, at);
        if (target < own.first || target >= own.end) continue;
        auto const here = target - own.first;
        rows[here * p + filled[here]++] = by_source[source][taken[source]++];
      }
    }
    return rows;
  }

  /// Does steps 6 to 8. `shears`: how often step 7 is done.
  void transpose_and_shear(int shears,
                           std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    m_me.phase("6 transpose");
    m_column = merge(written_by_columns(m_me, std::span<T const>(m_column)));
    show_keys(m_column);
    for (int times = 0; times < shears; ++times) shear(times == 0);
    if (shears > 0) sort_column();  // step 8
  }

  /// Does SHEAR. `sorted`: whether the column is, downwards.
  void shear(bool sorted) {
    if (!sorted) sort_column();
    if (m_me.rank() % 2 == 1) std::ranges::reverse(m_column);
    auto const rows = sorted_rows("7 shear, to rows", &rotate_plan::rows_before);
    m_me.phase("7 shear, to columns");
    m_column = dealt_by_columns(rows, &rotate_plan::rows_before,
                                [](std::size_t /*row*/, std::size_t at) { return at; });
  }

  processor& m_me;
  std::vector<T> m_column;
  rotate_plan const& m_plan;
  Less const& m_less;
  Watch& m_watch;
};

}  // namespace lockstep::detail
