#include "papers/jaja_ryu/errata.hpp"

namespace lockstep {

erratum packets_divide_shares() {
  return {
      6,
      "our shares are sent straight, in (p - 1)m ceil(n/(pm)) words of a single source; by a tree, "
      "which Corollary 3.1 has too, they can take fewer"};
}

erratum slots_are_padded() {
  return {
      8,
      "our slots are padded to whole elements and packets, up to 2pm words more; blocks of their "
      "real size take fewer"};
}

erratum shifts_in_whole_packets() {
  return {8, "a shift of less than a packet takes a whole one, in any program"};
}

erratum slices_are_longer() {
  return {3, "a turn inside slices that processors share takes a phase more, or longer ones"};
}

erratum roots_are_outside() {
  return {15,
          "made for roots that are in their groups: P_{j,k,0} is not among those that need its "
          "block"};
}

erratum ranks_are_counted() {
  return {
      14,
      "our passes route keys by ranks, for which each brings the counts of all processors' digits "
      "together before its keys move; a stable column sort of the digits needs none"};
}

}  // namespace lockstep
