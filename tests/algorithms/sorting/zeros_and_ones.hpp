#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sorting/sort_runs.hpp"

/// Zeros and ones in columns, which tell whether a sort in columns sorts all.
namespace columns {

/// Numbers of ones in each column.
using ones_of_columns = std::vector<std::size_t>;

/// Calls `visit(ones)` for all columns of that many rows.
template <class Visit>
void for_all_ones(int p, std::size_t rows, Visit const& visit) {
  ones_of_columns ones(static_cast<std::size_t>(p));
  while (true) {
    visit(ones);
    auto const next = std::ranges::find_if(ones, [&](std::size_t some) { return some < rows; });
    if (next == ones.end()) return;
    std::fill(ones.begin(), next, 0U);
    ++*next;
  }
}

/// Counts the inputs of zeros and ones that `sort(me, column)` leaves unsorted: columns get sorted
/// first, so that only the number of ones in each counts. All of them are sorted in one run.
template <class Sort>
[[nodiscard]] std::size_t unsorted_inputs(int p, std::vector<ones_of_columns> const& inputs,
                                          std::size_t rows, Sort const& sort) {
  auto const run = sorts::strict_crossbar(p).run([&](lockstep::processor& me) {
    std::vector<char> wrong;
    auto const rank = static_cast<std::size_t>(me.rank());
    for (auto const& ones : inputs) {
      auto const zeros = static_cast<std::size_t>(p) * rows -
                         std::accumulate(ones.begin(), ones.end(), std::size_t{0});
      std::vector<std::uint8_t> column(rows);
      std::fill(column.end() - static_cast<std::ptrdiff_t>(ones[rank]), column.end(), 1);
      auto const sorted = sort(me, column);
      std::vector<std::uint8_t> expected(rows, 1);
      auto const zeros_here = std::clamp(zeros, rank * rows, (rank + 1) * rows) - rank * rows;
      std::fill_n(expected.begin(), zeros_here, 0);
      wrong.push_back(sorted == expected ? 0 : 1);
    }
    return wrong;
  });
  std::size_t unsorted = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    unsorted += std::ranges::any_of(run.results(), [&](auto const& wrong) { return wrong[i] == 1; })
                    ? 1U
                    : 0U;
  return unsorted;
}

template <class Sort>
[[nodiscard]] std::size_t unsorted_of_all(int p, std::size_t rows, Sort const& sort) {
  std::vector<ones_of_columns> inputs;
  for_all_ones(p, rows, [&](ones_of_columns const& ones) { inputs.push_back(ones); });
  return unsorted_inputs(p, inputs, rows, sort);
}

}  // namespace columns
