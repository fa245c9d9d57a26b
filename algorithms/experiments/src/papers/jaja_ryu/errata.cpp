#include "papers/jaja_ryu/errata.hpp"

namespace lockstep {

erratum slots_have_destinations() {
  return {5,
          "Lemma 3.5 sums over p slices; each has p destinations, so that p^2 slots may overflow"};
}

erratum packets_divide_shares() {
  return {6,
          "Theorem 4.1 needs pm to divide n, not p alone: a source sends (p - 1)m ceil(n/(pm)) "
          "words, whatever the route"};
}

erratum slots_are_rounded_up() {
  return {8,
          "slots are rounded up to elements and packets, which Theorem 3.4 leaves out: up to 2pm "
          "words more"};
}

erratum packets_divide_tau() {
  return {9, "the bound needs m to divide tau: with k = floor(tau/m) + 1 it fails"};
}

}  // namespace lockstep
