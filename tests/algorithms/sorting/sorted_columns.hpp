#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

/// What the tests of sorts in columns share.
namespace columns {

/// A key, and where it was before: an element of more than one member.
struct numbered_int {
  int key = 0;
  int number = 0;

  friend bool operator==(numbered_int const&, numbered_int const&) = default;
};

/// The order of keys alone.
struct by_key {
  bool operator()(numbered_int const& a, numbered_int const& b) const { return a.key < b.key; }
};

[[nodiscard]] inline lockstep::machine strict_crossbar(
    int p, std::uint64_t packet = 1, lockstep::engine engine = lockstep::engine::fibers) {
  return lockstep::machine(lockstep::crossbar{p},
                           {.strict = true, .packet = packet, .engine = engine});
}

/// Records with keys below `keys`, numbered as they stand.
[[nodiscard]] inline std::vector<numbered_int> random_records(std::size_t n, unsigned keys,
                                                              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<numbered_int> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] = {static_cast<int>(random() % keys), static_cast<int>(i)};
  return all;
}

/// n elements dealt out: the same to all, but for the last processors.
[[nodiscard]] inline std::vector<std::size_t> sizes_in_columns(std::size_t n, std::size_t rows,
                                                               int p) {
  std::vector<std::size_t> sizes;
  for (int rank = 0; rank < p; ++rank) {
    sizes.push_back(std::min(n, rows));
    n -= sizes.back();
  }
  return sizes;
}

/// What a run of `sort(me, elements)` leaves, one processor after the other, and how many on each.
template <class T>
struct sorted_elements {
  std::vector<T> all;
  std::vector<std::size_t> sizes;
  lockstep::counts counts;
};

template <class T, class Sort>
[[nodiscard]] sorted_elements<T> run_sort(lockstep::machine const& on, std::vector<T> const& all,
                                          std::vector<std::size_t> const& sizes, Sort const& sort) {
  auto const run = on.run([&](lockstep::processor& me) {
    auto const rank = static_cast<std::size_t>(me.rank());
    auto const first = std::accumulate(sizes.begin(), sizes.begin() + me.rank(), std::size_t{0});
    auto const mine = std::span(all).subspan(first, sizes[rank]);
    return sort(me, std::vector<T>(mine.begin(), mine.end()));
  });
  sorted_elements<T> sorted{{}, {}, run.counts()};
  for (auto const& block : run.results()) {
    sorted.sizes.push_back(block.size());
    sorted.all.insert(sorted.all.end(), block.begin(), block.end());
  }
  CHECK(run.counts().queued == 0);
  CHECK(run.counts().contention <= 1);
  return sorted;
}

/// Whether these are all of the records, in the order of their keys.
[[nodiscard]] inline bool are_sorted(std::vector<numbered_int> sorted,
                                     std::vector<numbered_int> all) {
  if (!std::ranges::is_sorted(sorted, by_key{})) return false;
  std::ranges::sort(sorted, {}, &numbered_int::number);
  std::ranges::sort(all, {}, &numbered_int::number);
  return sorted == all;
}

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
  auto const run = strict_crossbar(p).run([&](lockstep::processor& me) {
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
