#include "papers/suh_shin/errata.hpp"

namespace lockstep {

erratum orders_for_two_steps() {
  return {8,
          "our program orders the data array anew for every second exchange step, 2n - 1 times on "
          "tori; orders that also serve a send of the phase before or after can do with fewer"};
}

judgement no_program_of_rival() {
  return {claim_verdict::not_run, "a rival's formulas, whose program lockstep lacks"};
}

}  // namespace lockstep
