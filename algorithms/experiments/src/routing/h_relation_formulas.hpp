#pragma once

namespace lockstep {

/// Words of an h-relation by Bader, Helman and JaJa 1996, section 3: a processor has up to h1 elements and
/// gets up to h2.
inline constexpr char const* words_of_two_phases = "(p-1)(h1/p + p/2 + h2/p + p/2)";

/// The order of the words of one that is balanced first, section 3.3.
inline constexpr char const* words_after_balance = "h1 + h2 + p^2";

}  // namespace lockstep
