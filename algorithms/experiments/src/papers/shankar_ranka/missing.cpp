#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_shankar_ranka() {
  return {
      {"section 2", "vectors by hypercube algorithms on meshes with cut-through routing",
       not_run_because::no_program_in_texts,
       "they stand in a report that the paper names; halving and doubling between ranks that "
       "differ in "
       "a bit has 2 log2 p start-ups and fewer than 2p words, but up to sqrt(p)/2 messages of a "
       "step on "
       "one link"},
      {"section 4.3", "kp + n/p operations of a reshuffling, and 2 log kp of a search",
       not_run_because::local_work, ""},
      {"section 4.5", "O(n/p + n/(kp) + kp) operations of a processor that writes",
       not_run_because::local_work, ""},
      {"section 5", "the optimizations of dynamic permutations in the first stage of the hybrid",
       not_run_because::no_program_in_texts, "they stand in its companion paper"},
      {"section 6", "delta n/p of the segmented scans of a monotonic write and of generalize",
       not_run_because::local_work, ""},
      {"section 8", "vectors of p words in O(tau log p + mu p) on meshes, both at once",
       not_run_because::no_program_in_texts,
       "it stands in a report that the paper names; rows of the section have 2 log2 p start-ups by "
       "trees, or O(p) words in parts along lines"},
      {"section 8", "time proportional to traffic on hypercubes with multiport communication",
       not_run_because::no_program_in_texts, "how, its companion paper describes"},
  };
}

}  // namespace lockstep
