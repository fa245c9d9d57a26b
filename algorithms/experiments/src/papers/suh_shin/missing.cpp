#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_suh_shin() {
  return {
      {"section 1",
       "the cyclic exchange, the quadrant exchange and the other message-combining exchanges that "
       "are cited",
       not_run_because::no_program_in_texts, "the paper tells of them in a sentence or two"},
      {"section 1", "Scott's a^3/4 steps of any direct exchange on an a x a mesh",
       not_run_because::not_programmed,
       "exchanges that combine messages are not direct; the runs stand beside "
       "the bound of the bisection"},
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
