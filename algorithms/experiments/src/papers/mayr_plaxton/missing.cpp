#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_mayr_plaxton() {
  return {
      {"section 1", "the operator of segments is associative, and has an identity",
       not_run_because::no_program_stated,
       "the operators are used with both; tests compare each result with one operand after "
       "another"},
      {"section 2.3",
       "the inorder tree has no embedding of constant dilation in the shuffle-exchange",
       not_run_because::no_program_stated,
       "it is about graphs; the two trees that the section takes in its place are run"},
      {"section 3", "bits of the operands may go out as they come in (bit pipelining)",
       "the machine has no bits",
       "a packet is one word, as section 2 says, and takes one step whole"},
      {"section 4, Merge step 7", "O(k) operations for the sets that a processor has",
       not_run_because::local_work, ""},
      {"section 4, MultiWayMergeSort step 2", "O(k log k) operations for k values in a processor",
       not_run_because::local_work, ""},
      {"section 4",
       "merging and MergeSort are optimal to within a constant for k of the order of log p or more",
       not_run_because::no_program_stated,
       "it compares orders of growth; the runs stand beside the bounds of distance, spreading and "
       "ports"},
      {"section 4", "the sorts that are cited for one port and for other models",
       not_run_because::no_program_in_texts, ""},
      {"section 5", "some coefficients may be improved with minor changes",
       not_run_because::no_program_stated, "`--fused` and the scheme halving are such changes"},
  };
}

}  // namespace lockstep
