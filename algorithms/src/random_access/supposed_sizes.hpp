#pragma once

/// The sizes that Shankar and Ranka 1997 suppose for n elements of m words, in k buckets of each processor.
namespace lockstep::detail {

/// The sizes of sections 4.5 and 7, for elements of one word and of more.
inline constexpr char const* elements_of_accesses = "n >= p^3";
inline constexpr char const* words_of_accesses = "nm >= p^3";
/// The same for buckets.
inline constexpr char const* elements_of_buckets = "n >= kp^2";

/// The sizes of section 2, for a transportation in which a processor sends up to r elements and receives up
/// to c.
inline constexpr char const* elements_of_transportation = "max(r, c) >= p^2";

}  // namespace lockstep::detail
