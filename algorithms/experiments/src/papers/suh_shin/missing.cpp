#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_suh_shin() {
  return {
      {"section 1", "the quadrant exchange [1]", not_run_because::no_program_in_texts,
       "two sentences say that nodes exchange within 2 x 2 submeshes, which are interleaved; which "
       "exchange in which step, and what that costs, they do not, nor does Table 2"},
      {"section 1", "the cyclic exchange [16], step by step", not_run_because::no_program_in_texts,
       "`all-to-all` with `--scheme cyclic` has a schedule of ours, after a few sentences, which "
       "leave open the distances, the order and length of phases, and which pairs exchange in "
       "which step"},
      {"section 1", "the message-combining exchanges [12], [13] and [15]",
       not_run_because::no_program_in_texts,
       "their orders of start-ups and words are told, or that start-ups can be traded for words; "
       "no sentence says which blocks go where"},
      {"section 1", "the direct exchange [18] on tori", not_run_because::no_program_in_texts,
       "the order of its start-ups is told alone"},
      {"section 1", "Scott's a^3/4 steps of any direct exchange, for odd a",
       not_run_because::no_program_stated,
       "for even a it follows from the links of the middle, and stands beside a run of "
       "`all-to-all-direct`; for odd a these give a(a^2 - 1)/4, less than a^3/4, so that we can "
       "neither prove nor refute it"},
      {"section 3.1.5", "the proof that the blocks end where they belong",
       not_run_because::no_program_stated,
       "each run compares all blocks with a sequential transposition"},
      {"Table 2", "the rival [19] on 2^d x 2^d tori", not_run_because::no_program_in_texts,
       "section 1 says that four groups of nodes exchange within themselves and then with one "
       "another; which nodes are a group, how blocks go within one, and in how many of the "
       "2^(d-1) + 2 steps of Table 2, it does not"},
      {"Table 2", "the rival [13] on 2^d x 2^d tori and meshes",
       not_run_because::no_program_in_texts,
       "section 1 has only O(d) start-ups and O(2^(3d)) words, and nothing of its steps"},
      {"Figures 13 to 16", "the times of the rivals", not_run_because::no_program_in_texts,
       "they are priced by their formulas, [16] too, and the proposed algorithm by a run"},
      {"section 5", "the parameters of the Paragon", not_run_because::measured_on_machines,
       "the model has the values that the paper prints"},
  };
}

}  // namespace lockstep
