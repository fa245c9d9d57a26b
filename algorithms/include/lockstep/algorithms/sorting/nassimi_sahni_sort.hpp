#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/successive_dimensions.hpp>
#include <lockstep/algorithms/routing/msbt.hpp>
#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/algorithms/sorting/detail/listed.hpp>
#include <lockstep/algorithms/sorting/detail/slot_merge.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// A merge of 2^ways lists, of 2^length values each, on as many columns as there are values and
/// 2^ways rows: columns are the processors that differ in bits from `columns` up.
struct many_way_merge {
  int columns = 0;  ///< log2 of the machine's
  int length = 0;
  int ways = 0;
};

/// Step 3: the rank of this processor's x among the y of its block, both sorted by processor.
/// Cost: 3m steps on 2^m processors.
template <payload_element T, class Before>
[[nodiscard]] int rank_among(processor& block, T const& x, T const& y, Before const& before) {
  std::vector<T> reversed{y};
  reverse_processors(block, reversed);
  two_sets<T> slots{{{x}, std::move(reversed)}};
  auto const swaps = merge_slots(block, slots, before);
  auto const ranks =
      unmerge_slots(block, std::array{2 * block.rank(), 2 * block.rank() + 1}, swaps);
  return ranks[0] - block.rank();
}

/// Merges lists that row 0 has one after the other, a value on each processor: by each value's
/// rank among those of each other list.
/// Result: in row 0 the value whose rank is the column; elsewhere nothing of use.
/// Cost: 5 ways + 4 length steps.
template <payload_element T, class Before>
[[nodiscard]] T merge_many_ways(processor& me, many_way_merge const& of, T value,
                                Before const& before) {
  auto column = me.subset(successive_dimensions(of.columns, of.ways));
  auto lists = me.subset(successive_dimensions(of.length, of.ways));  // the same place of each list
  auto block = me.subset(successive_dimensions(0, of.length));
  auto row = me.subset(successive_dimensions(0, of.length + of.ways));
  int const own_list = column.rank();  // whose ranks this row finds

  msbt_broadcast(column, std::span(&value, 1));
  show_value(me, "column's key", value);
  T own = value;
  msbt_broadcast(lists, std::span(&own, 1), own_list);
  show_value(me, "row's key", own);
  int rank = block.rank();
  if (lists.rank() != own_list)
    rank = rank_among(block, own, value, before);
  else
    me.idle(3 * static_cast<std::size_t>(of.length));
  me.show("rank in the other list", rank);
  auto const ranks = msbt_sum(lists, std::plus<int>{}, std::span<int const>(&rank, 1));
  routed<T> record;
  if (!ranks.empty()) record = {own, ranks.front()};
  auto const at_rank = inverse_concentrate(row, std::span<routed<T> const>(&record, 1));
  auto const gathered = msbt_gather(column, std::span<std::optional<T> const>(at_rank));
  return gathered.empty() ? value : gathered.front().value();
}

/// Errors: invalid_argument unless 1 <= ways <= the dimension of the hypercube.
void require_ways(topology const& network, int ways);

/// Errors: invalid_argument, always: a value is on a processor that has none at first.
[[noreturn]] void throw_no_place_for_value(int rank, int values);

}  // namespace detail

/// Sorts n = 2^m values on 2^(m + l) processors of a hypercube, by Nassimi and Sahni's merges of 2^l
/// lists at a time (the last of fewer): the processors are 2^l rows of n, and each row finds the
/// ranks of one list's values among those of all others. Called by all processors of a hypercube or
/// subcube.
///
/// `value`: this processor's, if it has one, on processors 0 to n - 1; nothing elsewhere. `ways`: l.
/// Shows: "key", and what it is compared with.
/// Result: on processor r the value of rank r, if there are more than r; stable.
/// Errors: invalid_argument for another network, l that is not 1 to m + l, and a value on another
/// processor; all of these come out of the run as processor_failed.
///
/// **Cost** neighbour switching, one port, strict: 5(d - l) + 2l ceil((d - l)/l)(ceil((d - l)/l) -
/// 1) steps on 2^d processors, and as many start-ups, words and hops. A merge of lists of 2^m' values
/// takes 5l + 4m' of them: l for each of two broadcasts, the sum and the gathering, 3m' for ranks,
/// and l + m' to these.
///
/// **Source** Nassimi and Sahni 1982, in the words of Mayr and Plaxton 1989, section 4: their
/// MultiWayMerge with sets of one value.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{3}};
/// auto run = cube.run([](lockstep::processor& me) {
///   auto const mine = me.rank() < 4 ? std::optional(9 - me.rank()) : std::nullopt;
///   return lockstep::nassimi_sahni_sort(me, mine, 1);
/// });
/// run.results()[0];    // 6
/// run.counts().steps;  // 14
/// ```
template <payload_element T, class Less = std::less<>>
  requires std::default_initializable<T>
[[nodiscard]] std::optional<T> nassimi_sahni_sort(
    processor& me, std::optional<T> const& value, int ways, Less less = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_ways(me.topology(), ways);
  int const m = detail::required_hypercube(me.topology(), "sort").dimension() - ways;
  if (value && me.rank() >> m != 0) detail::throw_no_place_for_value(me.rank(), 1 << m);
  detail::listed<T> mine{.is_padding = !value, .index = static_cast<std::uint64_t>(me.rank())};
  if (value) mine.value = *value;
  detail::show_value(me, "key", mine);
  for (int length = 0; length < m; length += ways) {
    int const fewer = std::min(ways, m - length);
    if (me.rank() >> (m + fewer) != 0) return std::nullopt;
    mine = detail::merge_many_ways(me, {m, length, fewer}, mine, detail::listed_before<Less>{less});
    detail::show_value(me, "key", mine);
  }
  bool const has_one = me.rank() >> m == 0 && !mine.is_padding;
  return has_one ? std::optional<T>(mine.value) : std::nullopt;
}

/// Claims what `nassimi_sahni_sort` costs on 2^d processors.
/// Errors: invalid_argument for d not in 1 .. 30, and ways not in 1 .. d.
[[nodiscard]] std::vector<claim> nassimi_sahni_sort_claims(int d, int ways);

}  // namespace lockstep
