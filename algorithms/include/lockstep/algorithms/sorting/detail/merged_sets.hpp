#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <vector>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

// Steps 5 to 7 of Merge, Mayr and Plaxton 1989, section 4.

namespace lockstep::detail {

/// Errors: invalid_argument, always: a list is not sorted, or not in full sets.
[[noreturn]] void throw_not_sorted();

/// A set of one of the two lists, ascending, where its token was sent.
template <class T>
struct token_set {
  std::vector<T> elements;
  bool is_x = false;

  /// The element that stands for the set: the least of an X set, the largest of a Y set.
  [[nodiscard]] T const& token() const { return is_x ? elements.front() : elements.back(); }
};

/// Step 5, and step 6 backwards: the last set that a processor before this one has. `set`: this
/// processor's, or no elements; k of them elsewhere. Result: likewise.
/// Cost: that of k exclusive prefixes.
template <payload_element T>
[[nodiscard]] std::vector<T> nearest_set_before(
    processor& me, std::vector<T> const& set, std::size_t k, prefix_schedule const& schedule,
    bool forward, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  std::vector<extended<T>> words(k);
  std::copy(set.begin(), set.end(), words.begin());
  auto const nearer = [&](T const& lower, T const& upper) { return forward ? upper : lower; };
  auto const nearest =
      pipelined_prefix(me, with_identity<T>(nearer), std::span<extended<T> const>(words), schedule,
                       forward ? prefix_kind::exclusive : prefix_kind::backward_exclusive);
  std::vector<T> before;
  for (auto const& word : nearest)
    if (word.is_there) before.push_back(word.value);
  return before;
}

/// Step 7: a processor's part of the merged list, as many elements as its own sets have. The rank of
/// its first token is known up to the elements of one set of the other list.
///
/// `own`: its sets, in the order of their tokens; `x_before`, `y_after`: the nearest X set before
/// it and Y set after it, or no elements.
/// Errors: invalid_argument where these cannot be sets of sorted lists.
template <class T, class Before>
[[nodiscard]] std::vector<T> part_of_merged(std::vector<token_set<T>> const& own,
                                            std::vector<T> const& x_before,
                                            std::vector<T> const& y_after, Before const& before) {
  auto const& first = own.front();
  auto const& token = first.token();
  auto const k = first.elements.size();
  auto const below_token = [&](std::vector<T> const& sorted) {
    return static_cast<std::size_t>(std::ranges::lower_bound(sorted, token, before) -
                                    sorted.begin());
  };
  std::size_t from_first = 0;  // elements of the part that come before the token
  if (!first.is_x)
    from_first = x_before.empty() ? k - 1 : below_token(x_before) - 1;
  else
    from_first = below_token(own.size() > 1 && !own[1].is_x ? own[1].elements : y_after);

  std::vector<T> all;
  auto const add = [&](std::vector<T> const& sorted) {
    auto const middle = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), sorted.begin(), sorted.end());
    std::ranges::inplace_merge(all, all.begin() + middle, before);
  };
  for (auto const& set : own) add(set.elements);
  add(x_before);
  add(y_after);
  auto const token_at = below_token(all);
  auto const width = k * own.size();
  if (from_first > token_at || all.size() - (token_at - from_first) < width) throw_not_sorted();
  auto const begin = all.begin() + static_cast<std::ptrdiff_t>(token_at - from_first);
  return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

}  // namespace lockstep::detail
