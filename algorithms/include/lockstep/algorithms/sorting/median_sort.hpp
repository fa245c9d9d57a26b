#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/collectives/transpose.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/sorting/bucket_sorted.hpp>
#include <lockstep/algorithms/sorting/detail/bucket_routing.hpp>
#include <lockstep/algorithms/sorting/detail/evened_out.hpp>
#include <lockstep/algorithms/sorting/detail/merged_runs.hpp>
#include <lockstep/algorithms/sorting/detail/pivots.hpp>
#include <lockstep/algorithms/sorting/detail/tagged.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// How the elements of a bucket come together.
enum class median_sort_route : std::uint8_t {
  direct,  ///< from each processor at once, after its bounds
  random   ///< by way of random processors, in slots of equal size
};

/// "direct", "random". Errors: invalid_argument for any other value.
[[nodiscard]] std::string_view name_of(median_sort_route way);

/// Options of `median_sort`. All processors pass the same.
struct median_sort_options {
  median_sort_route way = median_sort_route::direct;
  double c = 3;  ///< with `random`: slots have room for ceil(c n/p^2) elements
  std::uint64_t seed = 1;
  int attempts = 20;  ///< with `random`: at most; each one sends everything
};

namespace detail {

/// The local indices of the samples of a processor: floor(i q/p) for i = 1 .. p - 1, of q elements;
/// none of none.
[[nodiscard]] std::vector<std::size_t> regular_indices(std::size_t elements, int processors);

/// The ranks of the pivots among the samples of all, of p(p - 1) samples ip - floor(p/2) for i = 1
/// .. p - 1; of fewer as far through them.
[[nodiscard]] std::vector<std::size_t> middle_ranks(std::size_t samples, int processors);

/// Sends the parts of this processor's sorted elements, which end at `ends`, to their buckets.
/// All are told first how much comes. Phases "bounds" and "buckets".
template <payload_element T, class Less>
[[nodiscard]] bucket_sorted<T> sorted_directly(
    processor& me, std::span<T const> sorted, std::span<std::size_t const> ends, Less const& less,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const part = [&](std::size_t of) {
    auto const first = of == 0 ? 0 : ends[of - 1];
    return sorted.subspan(first, ends[of] - first);
  };
  std::vector<std::uint64_t> sizes;
  for (std::size_t of = 0; of < ends.size(); ++of) sizes.push_back(part(of).size());
  me.phase("bounds");
  auto const coming = transpose_blocks_as("sizes: blocks", me, sizes);
  me.phase("buckets");
  auto const own = static_cast<std::size_t>(me.rank());
  bins<T> runs(ends.size());
  runs[own].assign(part(own).begin(), part(own).end());
  auto const show_after_round = [&](int round) {
    auto here = joined(runs);
    for (int later = round + 1; later < me.size(); ++later)
      std::ranges::copy(part(static_cast<std::size_t>(shifted(me, later))),
                        std::back_inserter(here));
    show_values(me, "keys", here);
    if (round == 1) show_used_up(me, "sizes: blocks");
  };
  me.pipelined([&] {
    in_shifted_rounds(
        me, [&](int to) { me.send(to, part(static_cast<std::size_t>(to))); },
        [&](int from) {
          auto const source = static_cast<std::size_t>(from);
          runs[source] = me.receive<T>(from, coming[source]);
          if (me.is_shown()) [[unlikely]]
            show_after_round((me.rank() - from + me.size()) % me.size());
        });
  });
  auto bucket = merged(runs, less);
  auto const size = bucket.size();
  return {std::move(bucket), size};
}

/// Sends the same parts by way of random processors.
template <payload_element T, class Less>
[[nodiscard]] bucket_sorted<T> sorted_by_way_of_others(processor& me, std::span<T const> sorted,
                                                       std::span<std::size_t const> ends,
                                                       Less const& less, random_draws const& how) {
  std::vector<addressed<T>> all;
  all.reserve(sorted.size());
  std::uint32_t home = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    while (i >= ends[home]) ++home;
    all.push_back({tagged_at(me, sorted, i), home});
  }
  return sorted_at_random<T>(me, all, less, how);
}

}  // namespace detail

/// Sorts n elements of all processors without random samples: each sorts its own, p - 1 of which,
/// at equal distances, are samples; p - 1 of all samples, at equal distances, are the pivots, and
/// bucket j, the elements between pivots j and j + 1, goes to processor j. In the end buckets are
/// shifted to n/p elements on each processor. Stable: equal elements stay in order, that of
/// processors, and within one that of its elements. Called by all processors of a crossbar, p >= 1.
///
/// `mine`: this processor's elements, any number. `n`: the elements of all processors, the same on
/// all. `less`: a strict weak order. `options`: the same on all.
/// Shows: "keys" and "pivots".
/// Result: n/p of the sorted elements, one more on each of the first n mod p processors; and how
/// many were in the processor's bucket before: at most 2p ceil(n/p^2), if all began with as many.
/// Errors: invalid_argument for another n than there are, a way that does not exist, and more than
/// 2^32 elements of a processor; with `random` for a c that is not positive, and where slots
/// overflow in all attempts, which names a larger c. Those of the machine.
///
/// **Cost** on a crossbar, one-port, with packets of m words: 5(p - 1) rounds, 5 start-ups, one less
/// for a phase in which nothing has to move, such as a shift of buckets of n/p elements; strict. In
/// words samples take (p - 1)m ceil((p - 1)/m), bounds and sizes m(p - 1) each, buckets and the shift
/// at most 2n/p each where p^2 divides n and m = 1. By way of random processors bounds and buckets
/// become two transpositions of slots in each attempt. Local work: comparisons, which `less` may count
/// (`lockstep run` has it count each call as an operation): those of sorts of the own elements and of the
/// p(p - 1) samples, a search for each pivot, and at most ceil(log2 p) for each element of a bucket that comes
/// in sorted parts; by way of random processors those of a sort of the bucket, and that of the routing.
///
/// **Source** JaJa and Ryu 1994, section 5.1, "Other sorting algorithms", one sentence; which
/// pivots, the bounds and the shift are lockstep's.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> mine;
///   for (int i = 0; i < 64; ++i) mine.push_back(4 * i + me.rank());
///   return lockstep::median_sort(me, mine, 256).elements;
/// });
/// run.results()[3][0];      // 192
/// run.counts().startups;    // 5
/// ```
template <payload_element T, class Less = std::less<>>
[[nodiscard]] bucket_sorted<T> median_sort(
    processor& me, std::vector<T> mine, std::uint64_t n, Less const& less = {},
    median_sort_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  static_cast<void>(name_of(options.way));  // refuses any other number
  detail::require_places("median_sort", me, mine.size());
  std::ranges::stable_sort(mine, std::cref(less));
  std::span<T const> const elements(mine);
  detail::show_values(me, "keys", elements);
  auto const indices = detail::regular_indices(mine.size(), me.size());
  auto const samples = detail::all_samples(me, detail::tagged_at(me, elements, indices), less);
  auto const pivots = detail::picked<T>(samples, detail::middle_ranks(samples.size(), me.size()));
  detail::show_values(me, "pivots", pivots);
  auto const ends = detail::bucket_ends<T>(me, elements, pivots, less);
  auto sorted = options.way == median_sort_route::direct
                    ? detail::sorted_directly<T>(me, elements, ends, less)
                    : detail::sorted_by_way_of_others<T>(
                          me, elements, ends, less,
                          {randomized_slot(n, me.size(), options.c, call.where()), options.seed,
                           options.attempts});
  detail::show_values(me, "keys", sorted.elements);
  sorted.elements = detail::evened_out("median_sort", me, sorted.elements, n);
  detail::show_values(me, "keys", sorted.elements);
  return sorted;
}

/// The outcome of a median sort on which its claims depend, besides p and n.
struct median_sort_outcome {
  int attempts = 1;
};

/// Claims what `median_sort` costs, for n elements in even blocks.
/// Errors: invalid_argument for p < 1, packets of 0 words, or a c that is not positive.
[[nodiscard]] std::vector<claim> median_sort_claims(bdm_machine const& on, std::uint64_t n,
                                                    median_sort_options const& options,
                                                    median_sort_outcome const& outcome);

}  // namespace lockstep
