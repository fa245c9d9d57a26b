#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/random_access/transportation.hpp>

namespace lockstep {

/// How much every processor sends to every other.
enum class transportation_traffic : std::uint8_t {
  uniform,         ///< t elements to all, as many to each
  shift,           ///< t to the next processor
  doubled,         ///< t to processor 2i
  random,          ///< one to a processor in each of t permutations
  hot,             ///< t to the lower half of the processors
  gather,          ///< t to processor 0
  worst_rounding,  ///< so that the messages of stage 2 are rounded up as often as possible
};

/// "uniform", "shift", "double", "random", "hot", "gather", "adversary".
/// Errors: invalid_argument for another value.
[[nodiscard]] std::string_view name_of(transportation_traffic traffic);

/// Makes the numbers M(i, j) of elements from i to j, row by row: `uniform` floor(t/p) +
/// [(i + j) mod p < t mod p]; `shift` t to i + 1 mod p; `double` t to 2i mod p; `random` 1 to
/// processor P(i) of each of t permutations P, drawn one after another as `generated_pointers`
/// draws one; `hot` floor(t/floor(p/2)) to each j < floor(p/2); `gather` t to 0; `adversary`, with
/// h = floor(p/2) and x = floor(t/p): 1 to (u + i) mod h for each u = 0 .. (-i mod p) - 1, besides
/// floor(x/p)p to each j < h and 2 + floor(x/p)p to each j >= h.
///
/// Errors: invalid_argument for p < 1 or p > 2^14, `double` of an even p, where destinations would
/// coincide, `hot` of one processor, or `random` of more than 2^31 - 1 elements in all.
/// **Source** lockstep.
[[nodiscard]] std::vector<std::uint64_t> generated_traffic(
    transportation_traffic traffic, int p, std::uint64_t t, std::uint64_t seed,
    std::source_location where = std::source_location::current());

/// The loads of each stage of a transportation: in its rounds 1 to p - 1 the largest message.
struct transportation_loads {
  std::vector<std::uint64_t> stage_1;
  std::vector<std::uint64_t> stage_2;  ///< empty where elements go straight
};

/// Counts it for elements M(i, j), row by row. `seed`: as of `transportation_options`. Cost: O(p^3)
/// operations.
/// Errors: invalid_argument for p < 1, unless there are p * p numbers, where a processor sends 2^64
/// elements or more, and for a seed of elements that go straight.
[[nodiscard]] transportation_loads loads_of(
    std::vector<std::uint64_t> const& traffic, int p, transportation_route route,
    std::optional<std::uint64_t> seed = std::nullopt,
    std::source_location where = std::source_location::current());

}  // namespace lockstep
