#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/sorting/bucket_sorted.hpp>
#include <lockstep/algorithms/sorting/detail/bucket_routing.hpp>
#include <lockstep/algorithms/sorting/detail/evened_out.hpp>
#include <lockstep/algorithms/sorting/detail/pivots.hpp>
#include <lockstep/algorithms/sorting/detail/tagged.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Options of `sample_sort`. All processors pass the same.
struct sample_sort_options {
  std::uint64_t samples = 0;      ///< that each processor draws; 0: `samples_of` n
  bool with_replacement = false;  ///< whether a processor may draw an element twice
  double c = 3;                   ///< slots have room for ceil(c n/p^2) elements
  bool evened_out = false;        ///< whether each processor gets n/p elements in the end
  std::uint64_t seed = 1;
  int attempts = 20;  ///< of the routing, at most: each sends everything
};

/// The samples that each processor draws from n elements of all processors: ceil(5 ln n).
/// **Source** JaJa and Ryu 1994, section 5.1, where 5 ln n is taken for a whole number.
[[nodiscard]] std::uint64_t samples_of(std::uint64_t n);

namespace detail {

/// Draws indices below `elements`, in no order: `count` of them; without replacement each once, and
/// at most all of them. Errors: invalid_argument for 2^31 of them or more with replacement.
[[nodiscard]] std::vector<std::size_t> drawn_sample(std::size_t elements, std::uint64_t count,
                                                    bool with_replacement, std::mt19937_64 random);

/// The random numbers by which a processor draws its samples.
[[nodiscard]] std::mt19937_64 randomness_of_samples(std::uint64_t seed, int rank);

/// The ranks of p - 1 pivots among the samples of p processors, of s samples each i s for i = 1 ..
/// p - 1: the paper's (s + 1)st, (2s + 1)st, ..
[[nodiscard]] std::vector<std::size_t> ranks_of_pivots(std::size_t samples, int processors);

/// Steps 1 to 3: samples, and pivots from those of all.
template <payload_element T, class Less>
[[nodiscard]] std::vector<tagged<T>> sampled_pivots(
    processor& me, std::span<T const> elements, std::uint64_t n, Less const& less,
    sample_sort_options const& options,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const count = options.samples == 0 ? samples_of(n) : options.samples;
  auto const drawn = drawn_sample(elements.size(), count, options.with_replacement,
                                  randomness_of_samples(options.seed, me.rank()));
  auto const samples = all_samples(me, tagged_at(me, elements, drawn), less);
  return picked<T>(samples, ranks_of_pivots(samples.size(), me.size()));
}

/// Step 4: each element with the bucket that it goes to.
template <payload_element T, class Less>
[[nodiscard]] std::vector<addressed<T>> in_buckets(processor const& me, std::span<T const> elements,
                                                   std::span<tagged<T> const> pivots,
                                                   Less const& less) {
  std::vector<addressed<T>> all;
  all.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto const element = tagged_at(me, elements, i);
    all.push_back({element, static_cast<std::uint32_t>(bucket_of(element, pivots, less))});
  }
  return all;
}

}  // namespace detail

/// Sorts n elements of all processors: samples make pivots, which are the same everywhere, and
/// bucket j, the elements between pivots j and j + 1, goes to processor j by `randomized_routing`.
/// Stable: equal elements stay in order, that of processors, and within one that of its elements,
/// since each is told from all others by its place. So many equal ones do no harm. Called by all
/// processors of a crossbar.
///
/// `mine`: this processor's elements, about n/p: fewer than s of them are all samples, and of many
/// more the slots have no room. `n`: the elements of all processors, the same on all. `less`: a
/// strict weak order. `options`: the same on all.
/// Shows: "keys" and "pivots".
/// Result: bucket `me.rank()`, sorted. Processor 0 has the least elements, but processors do not
/// have n/p each, as the paper's output is called, unless `options.evened_out` says so: then each
/// has n/p, one more on each of the first n mod p. The same seed gives the same on every engine.
/// Errors: invalid_argument for a c that is not positive; where slots overflow in 1,000 draws or in
/// all attempts, which names a larger c; for more than 2^32 elements of a processor; and for another
/// n than there are, if they are evened out (else that is not noticed). Those of the machine.
///
/// **Cost** on a crossbar, one-port, with packets of m words, s = ceil(5 ln n) samples and slots of
/// ceil(c n/p^2) elements: 3(p - 1) rounds, 3 start-ups,
/// (p - 1)m ceil(s/m) + 2(p - 1)m ceil(slot/m) words; strict. Each further attempt routes once more.
/// Local work: that of `randomized_routing`, and comparisons, which `less` may count (`lockstep run` has it
/// count each call as an operation): those of a sort of all ps samples, ceil(log2 p) for each element, and
/// those of a sort of the bucket, each of one or two calls.
/// With p^2 < n/(6 ln n) and c = 3 one attempt is enough with high probability, and no bucket has
/// more than 2n/p elements. With n < p^2 slots are so small that they overflow in most attempts.
/// Evened out 5(p - 1) rounds, 5 start-ups.
///
/// **Source** JaJa and Ryu 1994, section 5.1, Theorem 5.2; ties and evening out are lockstep's.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> mine;
///   for (int i = 0; i < 64; ++i) mine.push_back(4 * i + me.rank());
///   return lockstep::sample_sort(me, mine, 256, std::less<>{}, {.evened_out = true}).elements;
/// });
/// run.results()[3][0];  // 192
/// ```
template <payload_element T, class Less = std::less<>>
[[nodiscard]] bucket_sorted<T> sample_sort(
    processor& me, std::vector<T> const& mine, std::uint64_t n, Less const& less = {},
    sample_sort_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_places("sample_sort", me, mine.size());
  std::span<T const> const elements(mine);
  detail::show_values(me, "keys", elements);
  auto const slot = randomized_slot(n, me.size(), options.c, call.where());
  auto const pivots = detail::sampled_pivots(me, elements, n, less, options);
  detail::show_values(me, "pivots", pivots);
  auto const addressed = detail::in_buckets<T>(me, elements, pivots, less);
  auto sorted =
      detail::sorted_at_random<T>(me, addressed, less, {slot, options.seed, options.attempts});
  detail::show_values(me, "keys", sorted.elements);
  if (options.evened_out)
    sorted.elements = detail::evened_out("sample_sort", me, sorted.elements, n);
  detail::show_values(me, "keys", sorted.elements);
  return sorted;
}

/// The outcome of a sample sort on which its claims depend, besides p and n.
struct sample_sort_outcome {
  int attempts = 1;
  std::uint64_t largest_bucket = 0;
};

/// Claims what `sample_sort` costs, for n elements in even blocks.
/// Errors: invalid_argument for p < 1, packets of 0 words, or a c that is not positive.
[[nodiscard]] std::vector<claim> sample_sort_claims(bdm_machine const& on, std::uint64_t n,
                                                    sample_sort_options const& options,
                                                    sample_sort_outcome const& outcome);

}  // namespace lockstep
