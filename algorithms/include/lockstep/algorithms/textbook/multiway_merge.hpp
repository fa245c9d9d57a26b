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
#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/algorithms/routing/two_record_routes.hpp>
#include <lockstep/algorithms/sorting/detail/merge_steps.hpp>
#include <lockstep/algorithms/sorting/detail/placed.hpp>
#include <lockstep/algorithms/sorting/merge.hpp>
#include <lockstep/algorithms/sorting/multiway_merge.hpp>
#include <lockstep/algorithms/sorting/multiway_shape.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::textbook {

/// MultiWayMerge: 2^l sorted lists, each in 2^m sets of k elements, are merged on 2^(2l + m) processors, an
/// array of 2^l rows of 2^l blocks of 2^m columns. Block j of row i finds the rank of each element of list
/// i in list j; the sum of its ranks is an element's place in the merged list. Stable: of equal elements
/// those of lower lists come first. Called by all processors of a hypercube or a subcube, with the
/// same shape.
///
/// `set`: the j-th set of list i, ascending by `less`, a strict weak order, on processor i 2^m + j of
/// row 0; on other rows no elements. A list has full sets up to its last, which may be shorter, and
/// none after it.
/// Result: on processor c of row 0 the elements of rank c * k to c * k + k - 1 of the merged list,
/// the last one with fewer; on other rows none.
/// Errors and **cost** as `lockstep::multiway_merge`: on all ports, strict, 10k + 5l + 10m - 10 steps for l, m >= 1,
/// not fused.
///
/// **Source** Mayr and Plaxton 1989, section 4, step 4 mended (number 14 of docs/errata).
template <mergeable T, class Less = std::less<>>
[[nodiscard]] std::vector<T> multiway_merge(
    processor& me, std::vector<T> const& set, multiway_shape const& shape,
    Less less = {},
    std::source_location where = std::source_location::current()) {
  namespace parts = lockstep::detail;
  library_call const call(me, where);
  auto const [k, l, m, fused] = shape;
  parts::require_multiway_cube(me.topology(), shape);
  parts::require_sorted_set("multi-way merge", set, k, me.rank(), less);
  int const row = me.rank() >> (l + m);
  int const block = (me.rank() >> m) & ((1 << l) - 1);
  auto const j = static_cast<std::size_t>(me.rank() & ((1 << m) - 1));
  if (row > 0) parts::require_row_0(set.size(), me.rank());
  parts::show_values(me, "set", set);
  if (l == 0 || k == 0) return set;

  auto in_column = me.subset(parts::successive_dimensions(l + m, l));
  auto in_row = me.subset(parts::successive_dimensions(0, l + m));
  auto in_block = me.subset(parts::successive_dimensions(0, m));
  // The j-th columns of this row's blocks.
  auto at_j = me.subset(parts::successive_dimensions(m, l));
  parts::listed_before<Less> const before{less};

  // Each processor gets the j-th set of the list of its block.
  me.phase("1: broadcast in columns");
  std::vector<parts::listed<T>> of_block(k);
  if (row == 0)
    of_block = parts::set_of_list(set, k, static_cast<std::uint32_t>(block),
                                  static_cast<int>(j));
  msbt_broadcast(in_column, std::span(of_block));

  // And that of the list of its row.
  me.phase("2: broadcast in rows");
  auto of_row = of_block;
  msbt_broadcast(at_j, std::span(of_row), row);
  parts::show_values(me, "row's list", of_row);
  parts::show_values(me, "column's list", of_block);

  me.phase("3: merge");
  std::vector<parts::listed<T>> merged;
  if (row != block)
    merged = parts::merge_on_half(in_block, of_row, of_block,
                                  static_cast<std::uint32_t>(row),
                                  {.k = k, .fused = fused}, before);

  // An element's rank in the block's list goes to where the element was.
  me.phase("4: ranks");
  std::vector<std::uint64_t> ranks(k);
  if (row == block) {
    for (std::size_t t = 0; t < k; ++t) ranks[t] = j * k + t;
  } else {
    std::vector<routed_pair<std::uint64_t>> records(k);
    for (std::size_t at = 0; at < 2 * k; ++at) {
      auto const& one = merged[at];
      if (one.list != static_cast<std::uint32_t>(row)) continue;
      auto& [first, second] = records[one.index % k];
      if (first.is_there() && second.is_there()) parts::throw_not_sorted();
      (first.is_there() ? second : first) = routed<std::uint64_t>{
          j * 2 * k + at - one.index, static_cast<int>(one.index / k)};
    }
    auto const came = concentrate_two(
        in_block, std::span<routed_pair<std::uint64_t> const>(records));
    for (std::size_t t = 0; t < k; ++t) {
      if (!came[t]) parts::throw_not_sorted();
      ranks[t] = *came[t];
    }
  }

  // In block 0 an element's ranks in all lists are added up: its place.
  me.phase("5: sums of ranks");
  parts::show_values(me, "ranks", ranks);
  auto const sums =
      msbt_sum(at_j, std::plus<>{}, std::span<std::uint64_t const>(ranks));

  me.phase("6: route to columns");
  using to_column = parts::placed<parts::listed<T>, std::uint64_t>;
  std::vector<routed<to_column>> leaving(k);
  for (std::size_t t = 0; t < sums.size(); ++t)
    leaving[t] = {{of_row[t], sums[t] % k}, static_cast<int>(sums[t] / k)};
  auto const arrived =
      inverse_concentrate(in_row, std::span<routed<to_column> const>(leaving));
  parts::show_values(me, "arrived", arrived);

  me.phase("7: gather in columns");
  std::vector<std::optional<parts::listed<T>>> held(k);
  for (auto const& one : arrived)
    if (one) held[one->place] = one->element;
  std::vector<parts::listed<T>> column;
  for (auto const& one : msbt_gather(
           in_column, std::span<std::optional<parts::listed<T>> const>(held))) {
    if (!one) parts::throw_not_sorted();
    column.push_back(*one);
  }
  parts::show_values(me, "merged", column);
  return parts::values_of_set(std::span<parts::listed<T> const>(column));
}

}  // namespace lockstep::textbook
