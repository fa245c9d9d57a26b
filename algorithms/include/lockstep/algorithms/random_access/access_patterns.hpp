#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// Which pointers to make for a random access read or write.
enum class access_pattern : std::uint8_t {
  random,       ///< anywhere
  monotonic,    ///< the same, sorted
  one_hot,      ///< all to the middle
  few_hot,      ///< three of four to three addresses
  local,        ///< anywhere in the own processor's block
  permutation,  ///< each address once
  singles,      ///< one to each bucket, the others to the last one
  figure_3a,    ///< the paper's examples with limited hot spots: all local,
  figure_3b,    ///< a complete exchange,
  figure_3c,    ///< messages of different sizes,
  figure_4      ///< and that with arbitrary hot spots
};

/// "random", "monotonic", "one-hot", "few-hot", "local", "permutation", "singles", "figure-3a",
/// "figure-3b", "figure-3c", "figure-4".
/// Errors: invalid_argument for another value.
[[nodiscard]] std::string_view name_of(access_pattern pattern);

/// How many elements the pattern has: 32 in the paper's figures, else as many as are asked for.
[[nodiscard]] std::size_t elements_of(access_pattern pattern, std::size_t asked);

/// Makes the pointers P(0) .. P(n-1) of the pattern.
///
/// Draws: x <- 6364136223846793005 x + 1442695040888963407 mod 2^64 from x = seed on, and draw(m) =
/// (x >> 33) mod m after the step. In the order of i: random draw(n); few-hot, if draw(4) is not 0,
/// floor((2 draw(3) + 1) n/6), else draw(n); local an address of the block of i; permutation swaps,
/// for i = n-1 .. 1, P(i) with P(draw(i + 1)); singles the first address of the i-th bucket that
/// has any, from the last one on always that one.
///
/// `layout`: n, p and k. `dots`: per cent of the elements that then lose their pointer: in the
/// order of i those with draw(100) < dots. With 0 nothing is drawn.
/// Errors: invalid_argument for a figure with another n than 32, or dots outside of 0 .. 100.
///
/// **Source** Figures 3 and 4: Shankar and Ranka, section 3; the others are lockstep's.
[[nodiscard]] std::vector<std::size_t> generated_pointers(
    access_pattern pattern, bucket_layout const& layout, std::uint64_t seed, int dots = 0,
    std::source_location where = std::source_location::current());

}  // namespace lockstep
