#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/two_record_routes.hpp>
#include <lockstep/algorithms/sorting/detail/listed.hpp>
#include <lockstep/algorithms/sorting/detail/merged_sets.hpp>
#include <lockstep/algorithms/sorting/detail/slot_merge.hpp>
#include <lockstep/algorithms/sorting/merge_options.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/options.hpp>

// Merge of sets of exactly k elements, all distinct: Mayr and Plaxton 1989, section 4, mended.

namespace lockstep::detail {

/// A set whose first word decides where it goes: Y's descend.
template <class T>
[[nodiscard]] std::vector<T> token_first(std::vector<T> set, bool is_x) {
  if (!is_x) std::ranges::reverse(set);
  return set;
}

/// Each of the k elements of a set, for the same destination.
template <class T>
[[nodiscard]] std::vector<routed<T>> routed_set(std::vector<T> const& set, int destination) {
  std::vector<routed<T>> records(set.size());
  for (std::size_t j = 0; j < set.size(); ++j) records[j] = {set[j], destination};
  return records;
}

/// Steps 5 to 7. `flip`: not 0 where processor p - 1 plays processor 0, and so on.
template <class T, class Before>
[[nodiscard]] std::vector<T> merge_arrived(
    processor& me, std::vector<token_set<T>> const& own, pipelined_scheme scheme,
    Before const& before, int flip = 0,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const k = own.front().elements.size();
  std::vector<T> last_x;
  std::vector<T> first_y;
  for (auto const& set : own) {
    if (set.is_x) last_x = set.elements;
    if (!set.is_x && first_y.empty()) first_y = set.elements;
  }
  prefix_schedule const schedule(me.topology(), scheme,
                                 scheme == pipelined_scheme::fft ? ports::all : ports::one);
  me.phase("broadcast X");
  auto const x_before = nearest_set_before(me, last_x, k, schedule, flip == 0);
  me.phase("broadcast Y");
  auto const y_after = nearest_set_before(me, first_y, k, schedule, flip != 0);
  auto part = part_of_merged(own, x_before, y_after, before);
  show_values(me, "merged", part);
  return part;
}

/// Under which names a view shows the sets that a processor begins with, until they leave it; empty: under none.
struct names_of_sets {
  std::string_view x{};
  std::string_view y{};

  void leaves(processor& me, bool is_x) const {
    if (auto const name = is_x ? x : y; !name.empty()) show_used_up(me, name);
  }
};

/// Steps 1 to 4 on p processors: tokens are merged, and find the way back to their sets, which are
/// sent after them.
template <class T, class Before>
[[nodiscard]] std::vector<token_set<T>> slots_by_ranks(
    processor& me, std::vector<T> const& x, std::vector<T> const& y, Before const& before,
    names_of_sets const& names, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  std::vector<T> y_token{y.back()};
  me.phase("reverse tokens of Y");
  reverse_processors(me, y_token);
  two_sets<T> tokens{{{x.front()}, std::move(y_token)}};
  me.phase("merge tokens");
  auto const swaps = merge_slots(me, tokens, before);
  me.phase("unmerge tokens");
  auto const ranks = unmerge_slots(me, std::array{2 * me.rank(), 2 * me.rank() + 1}, swaps);
  std::vector<int> y_rank{ranks[1]};
  reverse_processors(me, y_rank);

  me.phase("route X");
  names.leaves(me, true);
  auto const x_came =
      inverse_concentrate_two(me, std::span<routed<T> const>(routed_set(x, ranks[0])));
  me.phase("route Y");
  names.leaves(me, false);
  auto const y_came =
      inverse_concentrate_two(me, std::span<routed<T> const>(routed_set(y, y_rank.front())));
  std::vector<token_set<T>> own(2);
  for (std::size_t slot = 0; slot < 2; ++slot) {
    own[slot].is_x = x_came.front()[slot].has_value();
    for (auto const& word : own[slot].is_x ? x_came : y_came) {
      if (!word[slot]) throw_not_sorted();
      own[slot].elements.push_back(*word[slot]);
    }
  }
  return own;
}

/// The same, fused: sets follow their tokens. `x_list`: the number of X.
template <class T, class Before>
[[nodiscard]] std::vector<token_set<T>> slots_that_follow(processor& me, std::vector<T> const& x,
                                                          std::vector<T> const& y,
                                                          std::uint32_t x_list,
                                                          Before const& before,
                                                          names_of_sets const& names) {
  auto y_reversed = token_first(y, false);
  me.phase("reverse Y");
  names.leaves(me, false);
  reverse_processors(me, y_reversed);
  two_sets<T> sets{x, std::move(y_reversed)};
  me.phase("merge sets");
  names.leaves(me, true);
  static_cast<void>(merge_slots(me, sets, before));
  std::vector<token_set<T>> own;
  for (auto& set : sets) {
    bool const is_x = set.front().list == x_list;
    own.push_back({token_first(std::move(set), is_x), is_x});
  }
  return own;
}

/// Steps 2 to 4 on 2p processors, each holding one set.
template <class T, class Before>
[[nodiscard]] token_set<T> set_by_rank(processor& me, token_set<T> const& mine,
                                       Before const& before, int flip, names_of_sets const& names) {
  std::vector<T> token{mine.token()};
  me.phase("merge tokens");
  auto const swaps = merge_sets(me, token, before, flip);
  me.phase("unmerge tokens");
  int const destination = unmerge_set(me, me.rank(), swaps);
  token_set<T> arrived;
  for (bool const is_x : {true, false}) {
    me.phase(is_x ? "route X" : "route Y");
    std::vector<routed<T>> records(mine.elements.size());
    if (is_x == mine.is_x) {
      records = routed_set(mine.elements, destination);
      names.leaves(me, is_x);
    }
    auto const came = inverse_concentrate(me, std::span<routed<T> const>(records));
    if (!came.front()) continue;
    arrived.is_x = is_x;
    for (auto const& word : came) arrived.elements.push_back(word.value());
  }
  if (arrived.elements.size() != mine.elements.size()) throw_not_sorted();
  return arrived;
}

/// The same, fused.
template <class T, class Before>
[[nodiscard]] token_set<T> set_that_follows(processor& me, token_set<T> const& mine,
                                            std::uint32_t x_list, Before const& before, int flip,
                                            names_of_sets const& names) {
  auto set = token_first(mine.elements, mine.is_x);
  me.phase("merge sets");
  names.leaves(me, mine.is_x);
  show_values(me, "set", set);
  static_cast<void>(merge_sets(me, set, before, flip));
  bool const is_x = set.front().list == x_list;
  return {token_first(std::move(set), is_x), is_x};
}

/// Merge on p processors, each holding a set of X, all with the list number `x_list`, and
/// one of Y. Result: 2k elements on each.
template <class T, class Before>
[[nodiscard]] std::vector<T> merge_on_half(
    processor& me, std::vector<T> const& x, std::vector<T> const& y, std::uint32_t x_list,
    merge_options const& how, Before const& before, names_of_sets const& names = {},
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const own = how.fused ? slots_that_follow(me, x, y, x_list, before, names)
                             : slots_by_ranks(me, x, y, before, names);
  return merge_arrived(me, own, how.prefix, before);
}

/// Merge on 2p processors, where number i holds the i-th set of X, and number 2p - 1 - i the i-th
/// of Y. A processor's number is its rank xor `flip`. Result: k elements on each, by number.
template <class T, class Before>
[[nodiscard]] std::vector<T> merge_on_whole(processor& me, token_set<T> const& mine,
                                            std::uint32_t x_list, merge_options const& how,
                                            Before const& before, int flip = 0,
                                            names_of_sets const& names = {}) {
  auto const arrived = how.fused ? set_that_follows(me, mine, x_list, before, flip, names)
                                 : set_by_rank(me, mine, before, flip, names);
  return merge_arrived<T>(me, {arrived}, how.prefix, before, flip);
}

}  // namespace lockstep::detail
