#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Makes a remark on cells of JaJa and Ryu's tables, by the numbers of docs/errata.
[[nodiscard]] erratum packets_divide_shares();    ///< 6: how our shares are sent
[[nodiscard]] erratum slots_are_padded();         ///< 8: to elements and packets
[[nodiscard]] erratum shifts_in_whole_packets();  ///< 8: of column sort
[[nodiscard]] erratum slices_are_longer();        ///< 3: in turns that processors share
[[nodiscard]] erratum roots_are_outside();        ///< 15: of blocks, where trees begin
[[nodiscard]] erratum ranks_are_counted();        ///< 14: by counts of digits of all processors

}  // namespace lockstep
