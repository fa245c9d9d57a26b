#pragma once

#include <cstdint>
#include <functional>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/sorting/detail/merging_block.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Counts the rounds that sort a line of processors: of two the second round would have no pair.
[[nodiscard]] constexpr int transposition_rounds(int length) {
  return length > 2 ? length : length - 1;
}

/// Sorts the blocks of a line of processors: in each round neighbours merge and split, from even places
/// on in even rounds and from odd ones in odd rounds. `place`: of this processor on the line;
/// `rank_at(place)`: of a neighbour. One without a partner waits. Called by all processors of the machine
/// or subset at once, each on its line; all lines have one length.
template <class T, class Less, class RankAt>
void sort_line(processor& me, merging_block<T, Less>& block, int place, int length, bool ascending,
               RankAt const& rank_at,
               std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  for (int round = 0; round < transposition_rounds(length); ++round) {
    bool const is_first = (place + round) % 2 == 0;
    int const other = is_first ? place + 1 : place - 1;
    if (other < 0 || other == length) {
      me.idle(block.size());
    } else {
      int const partner = rank_at(other);
      block.merge_split(me, is_first == ascending,
                        [&](T const& value) { return me.exchange(partner, value); });
      show_values(me, "keys", block.values());
    }
    me.barrier();  // all are in one step anyway: now the machine need not keep those before
  }
}

}  // namespace detail

/// Sorts k values of each of p processors in a line, by odd-even transpositions: in p rounds neighbours
/// merge their sorted values and split them. `values`: k on every processor. Called by all processors
/// of a network, or of a subset, in which ranks that follow each other are neighbours: `mesh:16`.
///
/// **Result** The values of rank * k to rank * k + k - 1 of the sorted sequence, in order; not
/// stable.
/// **Shows** "keys".
/// **Cost** kp steps, start-ups, words and hops, k on two processors: each value is a message of its
/// own. One port, strict.
/// **Source** Knuth, The Art of Computer Programming 3, 5.3.4; merge-split: Baudet and Stevenson
/// 1978.
template <payload_element T, class Less = std::less<>>
[[nodiscard]] std::vector<T> odd_even_transposition_sort(
    processor& me, std::vector<T> values, Less less = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::merging_block block(std::move(values), less);
  detail::show_values(me, "keys", block.values());
  detail::sort_line(me, block, me.rank(), me.size(), true, [](int place) { return place; });
  return block.take();
}

/// Claims what `odd_even_transposition_sort` costs for k values on each of p processors.
/// Errors: invalid_argument for less than one processor.
[[nodiscard]] inline std::vector<claim> odd_even_transposition_sort_claims(int p, std::uint64_t k) {
  if (p < 1)
    throw invalid_argument(
        "odd_even_transposition_sort_claims: a line has at least one processor; give p >= 1");
  return claim_list({{{"p", p}, {"k", static_cast<double>(k)}}})
      .from("lockstep, rounds of the program counted")
      .equal("steps, startups, words, hops", p > 2 ? "k p" : "k(p - 1)")
      .from("lockstep, messages of the program counted")
      .equal("messages, volume", "k p(p - 1)");
}

}  // namespace lockstep
