#pragma once

#include <cstdint>
#include <source_location>
#include <vector>

#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/claim.hpp>

namespace lockstep {

/// Passes of radix sort: ceil(b/r) for keys of b bits and a radix of 2^r.
/// Errors: invalid_argument for a radix that is not a power of two, or not in 2 to 2^24, and b < 1.
[[nodiscard]] int radix_passes(int key_bits, std::uint64_t radix,
                               std::source_location where = std::source_location::current());

/// The radix, 2 to 65,536, with which radix sort sends the fewest words by the paper's formula,
/// ceil(b/r)(3 ceil(R/p) + 2(n/p^2 + p/2)) a processor, or n/p twice for the elements where that is
/// less; of several the least. It grows with n/p.
/// Errors: invalid_argument for p < 1 or b < 1.
/// Source: lockstep, of Bader, Helman and JaJa 1996, section 4.
[[nodiscard]] std::uint64_t radix_for(std::uint64_t elements, int processors, int key_bits,
                                      std::source_location where = std::source_location::current());

/// Counts a counting sort of that range, of n elements where no processor has more than
/// ceil(n/p), with blocks of that rule: `real` or `bound`.
/// Errors: invalid_argument for p < 1, or a range of 0.
[[nodiscard]] std::vector<claim> counting_sort_claims(std::uint64_t elements, int processors,
                                                      std::uint64_t range, block_rule blocks);

/// The same for a radix sort by keys of that many bits.
/// Errors: invalid_argument for p < 1; those of `radix_passes`.
[[nodiscard]] std::vector<claim> radix_sort_claims(std::uint64_t elements, int processors,
                                                   int key_bits, std::uint64_t radix,
                                                   block_rule blocks);

namespace detail {

/// r of a radix 2^r. Errors: invalid_argument for another.
[[nodiscard]] int digit_bits(std::uint64_t radix,
                             std::source_location where = std::source_location::current());

/// The bits of keys that have digits: as many as asked for, or all of them for 0.
/// Errors: invalid_argument for bits that keys have not.
[[nodiscard]] int sorted_bits(int asked, int of_key);

/// Errors: invalid_argument for a range without digits.
void require_range(std::uint64_t range);

}  // namespace detail

}  // namespace lockstep
