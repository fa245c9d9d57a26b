#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/sorting/detail/merging_block.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Sorts k values of each of p = 2^d processors, by Batcher's bitonic sort: partners over dimension
/// j merge their sorted values and split them, j = i .. 0 for i = 0 .. d-1. `values`: k on every
/// processor. Called by all processors of a hypercube, or of a subset of 2^d.
///
/// **Result** The values of rank * k to rank * k + k - 1 of the sorted sequence, in order; not
/// stable.
/// **Shows** "keys".
/// **Errors** invalid_argument for p that is not a power of two, which comes out of the run as
/// processor_failed.
/// **Cost** k d(d + 1)/2 steps, start-ups, words and hops: each value is a message of its own.
/// One port, strict.
/// **Source** Batcher 1968; merge-split: Baudet and Stevenson 1978.
template <payload_element T, class Less = std::less<>>
[[nodiscard]] std::vector<T> bitonic_sort(
    processor& me, std::vector<T> values, Less less = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const p = static_cast<unsigned>(me.size());
  auto const rank = static_cast<unsigned>(me.rank());
  if (!std::has_single_bit(p))
    throw invalid_argument("bitonic_sort: the number of processors has to be a power of two",
                           call.where());
  detail::merging_block block(std::move(values), less);
  detail::show_values(me, "keys", block.values());
  for (unsigned stage = 2; stage <= p; stage *= 2)
    for (unsigned bit = stage / 2; bit > 0; bit /= 2) {
      bool const ascending = (rank & stage) == 0;
      bool const keeps_low = ascending == ((rank & bit) == 0);
      auto const partner = static_cast<int>(rank ^ bit);
      block.merge_split(me, keeps_low, [&](T const& value) { return me.exchange(partner, value); });
      detail::show_values(me, "keys", block.values());
    }
  return block.take();
}

/// Claims what `bitonic_sort` costs for k values on each of 2^d processors.
/// Errors: invalid_argument for d not in 0 .. 30.
[[nodiscard]] inline std::vector<claim> bitonic_sort_claims(int d, std::uint64_t k) {
  detail::require_dimensions("bitonic_sort_claims", d);
  return claim_list({{{"d", d}, {"k", static_cast<double>(k)}, {"p", std::exp2(d)}}})
      .from("Batcher 1968, with merge-split")
      .equal("steps, startups, words, hops", "k d(d + 1)/2")
      .from("lockstep, messages of the program counted")
      .equal("messages, volume", "k p d(d + 1)/2");
}

}  // namespace lockstep
