#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_suh_shin() {
  return {
      {"section 1",
       "the cyclic exchange, the quadrant exchange and the other message-combining exchanges that "
       "are cited",
       not_run_because::no_program_in_texts, "the paper tells of them in a sentence or two"},
      {"section 1", "Scott's a^3/4 steps of any direct exchange, for odd a",
       not_run_because::no_program_stated,
       "for even a it follows from the middle's links, and stands beside a run of "
       "`all-to-all-direct`; for odd a these give a(a^2 - 1)/4"},
      {"section 3.1.5", "the proof that the blocks end where they belong",
       not_run_because::no_program_stated,
       "each run compares all blocks with a sequential transposition"},
      {"Table 2", "the rivals [13], [16] and [19] on tori and meshes of 2^d x 2^d nodes",
       not_run_because::no_program_in_texts,
       "their formulas are evaluated; how their blocks go stands in other papers"},
      {"Figures 13 to 16", "the times of these rivals", not_run_because::no_program_in_texts,
       "they are priced by their formulas, and the proposed algorithm by a run"},
      {"section 5", "the parameters of the Paragon", not_run_because::measured_on_machines,
       "the model has the values that the paper prints"},
  };
}

}  // namespace lockstep
