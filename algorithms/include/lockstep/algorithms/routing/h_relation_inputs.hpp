#pragma once

#include <cstdint>
#include <source_location>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// Which h-relation to make.
enum class h_pattern : std::uint8_t {
  family,       ///< fewer and fewer for higher ranks: the paper's Eq. (7)
  ramp,         ///< the same slope, for every h
  g_group,      ///< groups of g processors send to the same t: the paper's Eqs. (8) and (9)
  tight,        ///< meets the bounds on the bins of both phases
  lcg,          ///< to random processors
  skew,         ///< to random processors, most often to low ranks
  all_to_one,   ///< all to processor 0
  permutation,  ///< from each processor to the next
  general,      ///< from processors with fewer and fewer elements to such, in a mixed order
  orth          ///< one message in every round of pairwise exchange
};

/// "family", "ramp", "g-group", "tight", "lcg", "skew", "all-to-one", "permutation", "general",
/// "orth".
[[nodiscard]] std::string_view name_of(h_pattern pattern);

/// The size of an h-relation. 0 takes what fits the pattern; others are refused where they do not.
struct h_relation_size {
  int processors = 1;
  std::uint64_t elements = 0;  ///< n, on all processors together; at most 2^31 - 1
  /// Most elements for a processor: ceil(n/p) for family, ramp, g-group and general, which are made
  /// for it; of the others a bound, which is at least what they have.
  std::uint64_t received = 0;
  /// Most elements of a processor: ceil(n/p) for general, which is made for it; else a bound.
  std::uint64_t sent = 0;
  /// g of g-group, processors in a group: the largest power of 2 up to sqrt(h p^2/n).
  std::uint64_t group = 0;
  std::uint64_t targets = 0;  ///< t of g-group, to which a group sends: g n/(h p)
};

/// An h-relation.
struct h_relation_input {
  std::vector<std::vector<int>> destinations;  ///< of each processor's elements, in their order
  /// Positions at the destinations, in the same shape; empty but for g-group.
  std::vector<std::vector<std::uint64_t>> offsets{};
  h_relation_size size{};  ///< as it was used
  h_limits limits{};       ///< most elements from a processor, and for one
};

/// The h-relation of that pattern, element by element as in the paper.
///
/// family, ramp: the sequence of v_0 elements for processor 0, v_1 for 1, ... lies cyclically on
/// the processors. g-group: Eqs. (8) and (9), the latter with (k+1)/2 for odd k. lcg, skew: the
/// destination of element e is (x_{e+1} >> 15) mod p, or floor(p u^3) with u = (x_{e+1} >>
/// 15)/2^31, of `nas_random`. general: sizes by ramp(h1), destinations by ramp(h2); element e goes
/// to the (e q mod n)-th of the destinations in order, q the first number from 0.618 n on prime to
/// n. tight: n_ij = ((-i-j) mod p + 1) mod p + p a [i+j = 0 mod p]. orth: from i to alpha i in
/// GF(p). Where nothing else is said, processors have n/p elements, the first n mod p one more.
///
/// Errors: invalid_argument where the pattern is not defined, with an example for which it is; p < 1,
/// p > 2^25, and more than 2^31 - 1 elements.
///
/// **Source** Bader, Helman and JaJa 1996, sections 3.1 and 3.2.1; Eqs. (7) and (9) corrected;
/// tight, orth, lcg, skew, ramp and general are lockstep's.
[[nodiscard]] h_relation_input generated_h_relation(
    h_pattern pattern, h_relation_size const& size,
    std::source_location where = std::source_location::current());
/// The former name of `generated_h_relation`.
[[nodiscard]] inline h_relation_input made_h_relation(h_pattern pattern,
                                                      h_relation_size const& size) {
  return generated_h_relation(pattern, size);
}

/// Elements for each of p processors, v_i = h (2n - h - h i) div (2n - h), the last one's what is
/// left; h = n/p, or a divisor of 2n from 2n/p to n for which what is left is no more than h, as it
/// always is for n >= p^2.
/// Errors: invalid_argument for another h, with one that fits; p < 1, p > 2^25, and more than 2^31 - 1
/// elements.
/// Source: Bader, Helman and JaJa 1996, Eq. (7), whose last line is right only for h | 2n.
[[nodiscard]] std::vector<std::uint64_t> family_sizes(
    std::uint64_t elements, int processors, std::uint64_t most,
    std::source_location where = std::source_location::current());

/// The same slope for every n/p <= h <= n: with m = min(p, floor(2n/h)), v_i = S(i+1) - S(i), where
/// S(i) = floor(h i - (h m - n) i (i-1)/(m (m-1))), for i < m, and 0 above.
/// Errors: invalid_argument for another h, p < 1, p > 2^25, and more than 2^31 - 1 elements.
[[nodiscard]] std::vector<std::uint64_t> ramp_sizes(
    std::uint64_t elements, int processors, std::uint64_t most,
    std::source_location where = std::source_location::current());

/// Elements n_ij from i to j, row by row.
[[nodiscard]] std::vector<std::uint64_t> elements_between(h_relation_input const& input);

}  // namespace lockstep
