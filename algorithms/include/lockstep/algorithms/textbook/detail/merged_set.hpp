#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/routing/routes.hpp>
#include <lockstep/algorithms/sorting/detail/merged_sets.hpp>
#include <lockstep/algorithms/sorting/detail/slot_merge.hpp>
#include <lockstep/options.hpp>

namespace lockstep::textbook::detail {

/// Merge on 2p processors, steps 2 to 7 of Mayr and Plaxton 1989, section 4: number i has the i-th set of X,
/// number 2p - 1 - i the i-th of Y. A processor's number is its rank xor `flip`, which is 0 or 2p - 1.
///
/// `mine`: its set, k elements, ascending; no two elements of all are equal. `name`: under which a view
/// shows it, until it leaves.
/// Result: k elements of the merged list, in the order of numbers.
/// Errors: invalid_argument for lists that are found not to be sorted.
template <class T, class Before>
[[nodiscard]] std::vector<T> merged_set(processor& me,
                                        std::vector<T> const& mine, bool is_x,
                                        int flip, Before const& before,
                                        std::string_view name) {
  namespace parts = lockstep::detail;
  int const d = parts::dimensions_to_merge(me);
  auto const k = mine.size();
  auto const neighbour = [&](int b) { return me.rank() ^ (1 << b); };

  // Step 2: min X_i ascends and max Y_i descends, so that they are bitonic.
  me.phase("merge tokens");
  T token = is_x ? mine.front() : mine.back();
  std::vector<bool> is_swapped(static_cast<std::size_t>(d));
  for (int b = d - 1; b >= 0; --b) {
    auto const other = me.exchange(neighbour(b), token);
    bool const keeps_larger = parts::has_bit(me.rank() ^ flip, b);
    bool const swaps =
        keeps_larger ? before(token, other) : before(other, token);
    if (swaps) token = other;
    is_swapped[static_cast<std::size_t>(b)] = swaps;
    parts::show_value(me, "token", token);
  }

  // Step 3: a token's rank goes back to its set.
  me.phase("unmerge tokens");
  int rank = me.rank();
  for (int b = 0; b < d; ++b) {
    int const other = me.exchange(neighbour(b), rank);
    if (is_swapped[static_cast<std::size_t>(b)]) rank = other;
    parts::show_used_up(me, "token");
    parts::show_value(me, "rank", rank);
  }

  // Step 4: the elements of X, and then those of Y, go to their token's place.
  auto const routed_sets = [&](bool of_x) {
    me.phase(of_x ? "route X" : "route Y");
    if (is_x == of_x) parts::show_used_up(me, name);
    parts::show_used_up(me, "rank");
    std::vector<routed<T>> records(k);
    for (std::size_t j = 0; j < k && is_x == of_x; ++j)
      records[j] = {mine[j], rank};
    std::vector<T> set;
    for (auto const& word :
         inverse_concentrate(me, std::span<routed<T> const>(records)))
      if (word) set.push_back(*word);
    return set;
  };
  auto const x = routed_sets(true);
  auto const y = routed_sets(false);
  if (x.size() + y.size() != k) parts::throw_not_sorted();

  prefix_schedule const schedule(me.topology(), pipelined_scheme::fft,
                                 ports::all);

  // Step 5: each X set to the processors up to the next.
  me.phase("broadcast X");
  auto const x_before =
      parts::nearest_set_before(me, x, k, schedule, flip == 0);

  // Step 6: each Y set to the processors down to the one before.
  me.phase("broadcast Y");
  auto const y_after = parts::nearest_set_before(me, y, k, schedule, flip != 0);

  // Step 7: the k elements of this processor's part lie among these four sets,
  // `between` of them before the token.
  auto const below = [&](std::vector<T> const& set) {
    auto const first = std::ranges::lower_bound(set, token, before);
    return static_cast<std::size_t>(first - set.begin());
  };
  std::size_t between = 0;
  if (!x.empty())
    between = below(y_after);
  else
    between = x_before.empty() ? k - 1 : below(x_before) - 1;
  std::vector<T> all;
  for (auto const* const set : {&x, &y, &x_before, &y_after}) {
    auto const middle = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), set->begin(), set->end());
    std::ranges::inplace_merge(all, all.begin() + middle, before);
  }
  auto const token_at = below(all);
  if (between > token_at || all.size() - (token_at - between) < k)
    parts::throw_not_sorted();
  auto const begin =
      all.begin() + static_cast<std::ptrdiff_t>(token_at - between);
  std::vector<T> part(begin, begin + static_cast<std::ptrdiff_t>(k));
  parts::show_values(me, "merged", part);
  return part;
}

}  // namespace lockstep::textbook::detail
