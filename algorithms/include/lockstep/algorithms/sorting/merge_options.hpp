#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/prefix/prefix_schedule.hpp>
#include <lockstep/claim.hpp>

namespace lockstep {

/// Which processors of a hypercube hold the two lists.
enum class merge_lists : std::uint8_t {
  half,  ///< all hold both: half as many as there are sets
  whole  ///< the lower half holds the first, the upper half the second: a set on each
};

/// "half", "whole".
[[nodiscard]] std::string_view name_of(merge_lists lists);

/// How two lists are merged.
struct merge_options {
  std::size_t k = 1;   ///< elements in each set, but for the last ones of a list
  bool fused = false;  ///< whether sets follow their tokens, rather than tokens find the way back
  /// How sets are spread among the processors that need them: fft, on all ports, or halving, on one.
  pipelined_scheme prefix = pipelined_scheme::fft;
};

namespace detail {

/// Requires a scheme that has a form for sets. `of`: the name of the algorithm, for messages.
/// Errors: invalid_argument for another scheme than fft or halving.
void require_scheme_of_merge(char const* of, pipelined_scheme scheme);

/// Whether merging takes more steps than the paper says on the whole of 2^d processors: one element
/// in a set, on two processors, with halving, and not fused.
[[nodiscard]] bool takes_more_for_one_element(int d, merge_options const& how);

/// Whether it does for some d and k, so that the paper's bound is claimed within a constant.
[[nodiscard]] bool may_take_more_for_one_element(merge_options const& how);

/// Why it does.
inline constexpr char const* why_more_for_one_element =
    "with one element in a set, on two processors, two prefixes on one port take 4 steps, and the "
    "paper's 6k + 12 log 1 leaves 4 for them and two for the rest, which takes 4: its times are "
    "accurate to within an additive constant";

}  // namespace detail

/// Makes the claims, the paper's and ours, about merging sets of k elements on 2^d processors.
/// Errors: invalid_argument for another scheme than fft or halving, and d not in 0 .. 30.
[[nodiscard]] std::vector<claim> merge_claims(int d, merge_lists lists, merge_options const& how);

}  // namespace lockstep
