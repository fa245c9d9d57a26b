#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/routing/detail/shown_bins.hpp>
#include <lockstep/algorithms/sorting/detail/local_sort.hpp>
#include <lockstep/algorithms/sorting/detail/merged_runs.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Says that other elements came than a column has. Errors: size_mismatch, always.
[[noreturn]] void throw_other_column(processor const& me, std::size_t came, std::size_t expected);

/// Exchanges the parts of columns; `expected` elements come to this processor.
/// Errors: size_mismatch for another number; those of the machine.
template <payload_element T>
[[nodiscard]] bins<T> exchange_of_columns(
    processor& me, bins<T> out, std::size_t expected,
    std::source_location where = std::source_location::current()) {
  auto in = exchange_bins(me, std::move(out), showing_values<T>(me, "keys"), where);
  if (auto const came = elements_of(in); came != expected) throw_other_column(me, came, expected);
  return in;
}

/// Step 2: the array is read by columns and written by rows. Element r of column j is number L =
/// jq + r, and goes to row floor(L/p) of column L mod p. One start-up.
/// Result: the elements of this processor's column then, by source, in order.
template <payload_element T>
[[nodiscard]] bins<T> written_by_rows(
    processor& me, std::span<T const> column,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const p = static_cast<std::size_t>(me.size());
  auto const first = static_cast<std::size_t>(me.rank()) * column.size() % p;
  bins<T> to(p);
  for (std::size_t i = 0; i < p; ++i) {
    auto& bin = to[(first + i) % p];
    bin.reserve(column.size() / p + 1);
    for (auto row = i; row < column.size(); row += p) bin.push_back(column[row]);
  }
  return exchange_of_columns(me, std::move(to), column.size());
}

/// Step 4, Lemma 3.3: the array is read by rows and written by columns. Element r of column j is
/// number L = rp + j, and goes to row L mod q of column floor(L/q). One start-up.
/// Result: the elements of this processor's column then, by source, of each in order.
template <payload_element T>
[[nodiscard]] bins<T> written_by_columns(
    processor& me, std::span<T const> column,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const p = static_cast<std::size_t>(me.size());
  auto const j = static_cast<std::size_t>(me.rank());
  auto const rows_before = [&](std::size_t target) {
    return (target * column.size() + p - 1 - j) / p;  // L = rp + j is less than those of the target
  };
  bins<T> to(p);
  for (std::size_t target = 0; target < p; ++target) {
    auto const first = rows_before(target);
    auto const rows = column.subspan(first, rows_before(target + 1) - first);
    to[target].assign(rows.begin(), rows.end());
  }
  return exchange_of_columns(me, std::move(to), column.size());
}

/// One round, one start-up: processor i sends to i + `way`, 1 or -1, if there is one.
/// Result: what came in, if anything.
template <payload_element T>
[[nodiscard]] std::vector<T> shift_columns(
    processor& me, std::span<T const> out, int way,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  std::vector<T> in;
  auto const is_rank = [&](int rank) { return 0 <= rank && rank < me.size(); };
  me.pipelined([&] {
    if (is_rank(me.rank() + way)) me.send(me.rank() + way, out);
    if (is_rank(me.rank() - way)) in = me.receive<T>(me.rank() - way);
  });
  return in;
}

/// Steps 6 to 8: columns are moved on by half a column, sorted and moved back. What the last one
/// moves on, and the column that the first has not, are sorted.
template <payload_element T, class Less>
[[nodiscard]] std::vector<T> sort_across_columns(
    processor& me, std::span<T const> column, Less const& less,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const half = column.size() / 2;
  me.phase("step 6");
  auto moved = shift_columns(me, column.last(half), 1);
  std::vector<std::size_t> ends{moved.size(), moved.size() + column.size() - half};
  moved.insert(moved.end(), column.begin(), column.end() - static_cast<std::ptrdiff_t>(half));
  merge_runs(moved, std::move(ends), less);  // step 7
  bool const is_last = me.rank() == me.size() - 1;
  if (me.is_shown()) [[unlikely]] {
    auto here = moved;
    if (is_last)
      here.insert(here.end(), column.end() - static_cast<std::ptrdiff_t>(half), column.end());
    show_values(me, "keys", here);
  }
  auto const back = moved.size() - (column.size() - half);
  me.phase("step 8");
  auto const returned = shift_columns(me, std::span<T const>(moved).first(back), -1);
  moved.erase(moved.begin(), moved.begin() + static_cast<std::ptrdiff_t>(back));
  auto const below = is_last ? column.last(half) : std::span<T const>(returned);
  moved.insert(moved.end(), below.begin(), below.end());
  show_values(me, "keys", moved);
  return moved;
}

/// Column sort of full columns, which all have as many elements.
template <payload_element T, class Less>
[[nodiscard]] std::vector<T> sort_full_columns(processor& me, std::vector<T> column,
                                               Less const& less) {
  sort_here(std::span<T>(column), less);  // step 1
  show_values(me, "keys", column);
  if (me.size() == 1 || column.empty()) return column;
  me.phase("step 2");
  column = merged(written_by_rows(me, std::span<T const>(column)), less);  // and step 3
  show_values(me, "keys", column);
  me.phase("step 4");
  column = merged(written_by_columns(me, std::span<T const>(column)), less);  // and step 5
  show_values(me, "keys", column);
  return sort_across_columns(me, std::span<T const>(column), less);
}

}  // namespace lockstep::detail
