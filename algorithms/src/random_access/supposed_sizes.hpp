#pragma once

/// The sizes that Shankar and Ranka 1997 suppose for n elements of m words, in k buckets of each processor.
/// The paper has most of them as orders, such as n >= O(p^3 + p^2 tau/mu); these are their terms in p, with a
/// constant of 1.
namespace lockstep::detail {

/// Orders of section 4.5, for elements of one word, and of section 7, for elements of m.
inline constexpr char const* elements_of_accesses = "n >= p^3";
inline constexpr char const* words_of_accesses = "nm >= p^3";
/// The restriction of section 4.5 on k, exact.
inline constexpr char const* elements_of_buckets = "n >= kp^2";

/// The order of section 2 for a transportation in which a processor sends up to r elements and receives up
/// to c.
inline constexpr char const* elements_of_transportation = "max(r, c) >= p^2";

}  // namespace lockstep::detail
