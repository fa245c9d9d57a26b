#pragma once

#include <cstdint>
#include <source_location>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// Distributions of keys to sort.
enum class key_distribution : std::uint8_t {
  random,         ///< R: 31 bits, uniform
  small_entropy,  ///< S: each the bitwise and of five random ones, of 6.2 bits of entropy
  cyclic,         ///< C: processor i holds i, i + p, i + 2p, ...
  nas  ///< N: those of the NAS Parallel Benchmarks, the sum of four random numbers, 19 bits
};

/// "R", "S", "C", "N".
[[nodiscard]] std::string_view name_of(key_distribution distribution);

/// n keys for p processors, one processor's after the other's: floor(n/p) for each, one more for
/// each of the first n mod p. With x_1, x_2, ... of `nas_random` the key at e = 0, 1, ... is
/// x_{e+1} >> 15 (R); the bitwise and of x_{5e+1} .. x_{5e+5}, each >> 15 (S); and (x_{4e+1} + .. +
/// x_{4e+4}) >> 29 (N).
/// Errors: invalid_argument for p < 1, and more than 2^32 - 1 keys, or 2^31 - 1 of C.
/// Source: Bader, Helman and JaJa 1996, section 5.1; how R and S are made is lockstep's.
[[nodiscard]] std::vector<std::int32_t> generated_keys(
    key_distribution distribution, std::uint64_t elements, int processors,
    std::source_location where = std::source_location::current());
/// Generates only some of n keys: those of the block.
/// Errors: invalid_argument for p < 1, more than 2^40 keys, or 2^31 - 1 of C, and a block that is not among them.
[[nodiscard]] std::vector<std::int32_t> generated_keys(
    key_distribution distribution, std::uint64_t elements, int processors, value_block block,
    std::source_location where = std::source_location::current());
/// The former name of `generated_keys`.
[[nodiscard]] inline std::vector<std::int32_t> made_keys(key_distribution distribution,
                                                         std::uint64_t elements, int processors) {
  return generated_keys(distribution, elements, processors);
}

}  // namespace lockstep
