#pragma once

/// The sizes that JaJa and Ryu 1994 suppose where processors draw at random.
namespace lockstep::detail {

/// The n of Theorems 3.4 and 5.2, as `has_room_with_high_probability` tells, too.
inline constexpr char const* room_with_high_probability = "p^2 < n/(6 ln n)";

/// The room of Theorem 3.4 in slots of c n/p^2 elements, in Step 1 and in Step 3, after which a processor
/// has up to alpha n/p.
inline constexpr char const* room_in_slots_of_step_1 = "c > 1 + 1/sqrt 2";
inline constexpr char const* room_in_slots_of_step_3 = "c > alpha + sqrt(alpha)/2";

}  // namespace lockstep::detail
