#include "papers/suh_shin/errata.hpp"

namespace lockstep {

erratum orders_for_two_steps() {
  return {8,
          "our program orders the data array anew for every second exchange step, 2n - 1 times on "
          "tori; orders that also serve a send of the phase before or after can do with fewer"};
}

erratum program_of_16() {
  return {
      0,
      "[16], the cyclic exchange, is run as lockstep reads section 1: in each phase a partner in "
      "the row and one in the column, some pairs with the row first. That the partners are the 2 x "
      "2 "
      "submeshes of the quadrant exchange, with whose number of phases it agrees, their distances, "
      "the order and length of phases, and the step in which a pair exchanges, section 1 leaves "
      "open; "
      "these were chosen so that the formulas of start-ups, words, hops and barriers come out: "
      "`equal` "
      "shows that such a schedule exists, no more"};
}

judgement no_program_of_rival() {
  return {claim_verdict::not_run, "a rival's formulas, whose program lockstep lacks"};
}

}  // namespace lockstep
