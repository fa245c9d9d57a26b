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
      "[16], the cyclic exchange, is run as lockstep reads section 1: interleaved 2 x 2 submeshes, "
      "a partner in the row and one in the column, some pairs with the row first. In which step a "
      "pair exchanges, and that a phase spans 2^k links and has 2^k steps, is lockstep's; four of "
      "the five formulas come out, but the fifth has a rearrangement between any two steps, so "
      "that theirs may have every processor send in every step"};
}

judgement no_program_of_rival() {
  return {claim_verdict::not_run, "a rival's formulas, whose program lockstep lacks"};
}

}  // namespace lockstep
