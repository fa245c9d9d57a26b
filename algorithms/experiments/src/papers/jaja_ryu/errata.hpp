#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// What explains cells of JaJa and Ryu's tables, by the numbers of docs/errata.
[[nodiscard]] erratum slots_have_destinations();  ///< 5: p^2 of them, not p
[[nodiscard]] erratum packets_divide_shares();    ///< 6: Theorem 4.1 is for n that pm divides
[[nodiscard]] erratum slots_are_rounded_up();     ///< 8: to elements and packets
[[nodiscard]] erratum packets_divide_tau();       ///< 9: k = tau/m + 1 is a whole number

}  // namespace lockstep
