#include "papers/jaja_ryu/errata.hpp"

namespace lockstep {

erratum slots_have_destinations() {
  return {5,
          "Lemma 3.5 sums over p slices; each has p destinations, so that p^2 slots may overflow"};
}

erratum packets_divide_shares() {
  return {
      6,
      "sent straight, a source's shares take (p - 1)m ceil(n/(pm)) words, which can exceed "
      "Theorem 4.1 where pm does not divide n; a tree, which Corollary 3.1 has too, can keep it"};
}

erratum slots_are_rounded_up() {
  return {8,
          "slots are rounded up to elements and packets, which Theorem 3.4 leaves out: up to 2pm "
          "words more"};
}

erratum packets_divide_tau() {
  return {9,
          "the paper assumes that m divides tau; elsewhere k = floor(tau/m) + 1 exceeds the bound"};
}

}  // namespace lockstep
