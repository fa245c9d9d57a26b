#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_shankar_ranka() {
  return {
      {"section 2", "a message of m words takes tau + mu m, wherever it goes",
       not_run_because::no_program_stated,
       "it defines the model's price, `--model two-level`; section 8's networks are run with their "
       "links"},
      {"section 2", "the CM-5's control network makes combines of short vectors much faster",
       not_run_because::measured_on_machines, ""},
      {"section 2", "vectors by hypercube algorithms on meshes with cut-through routing",
       not_run_because::no_program_in_texts,
       "they stand in a report that the paper names; halving and doubling between ranks that "
       "differ in "
       "a bit has 2 log2 p start-ups and fewer than 2p words, but up to sqrt(p)/2 messages of a "
       "step on "
       "one link"},
      {"section 4", "even elements sent straight need n of the order of p^2 tau/mu",
       not_run_because::no_program_stated,
       "it weighs p start-ups against the words of n/p elements, as an order"},
      {"section 4.3", "kp + n/p operations of a reshuffling, and 2 log kp of a search",
       not_run_because::local_work, ""},
      {"section 4.5", "O(n/p + n/(kp) + kp) operations of a processor that writes",
       not_run_because::local_work, ""},
      {"section 4.5",
       "k near 1 makes the scan of kp words short and that of n/(kp) long, k near n/p the opposite",
       not_run_because::no_program_stated,
       "phases of `random-access-write` with `--k` show both; rows take the k of the shortest "
       "vectors"},
      {"section 5",
       "the hybrid's second stage has less traffic in practice, the less the fewer buckets are hot",
       not_run_because::no_program_stated,
       "the tables of sections 4 and 5 have the words of both second stages, for each pattern"},
      {"section 5", "the optimizations of dynamic permutations in the first stage of the hybrid",
       not_run_because::no_program_in_texts, "they stand in its companion paper"},
      {"section 6", "delta n/p of the segmented scans of a monotonic write and of generalize",
       not_run_because::local_work, ""},
      {"section 8", "vectors of p words in O(tau log p + mu p) on meshes, both at once",
       not_run_because::no_program_in_texts,
       "it stands in a report that the paper names; rows of the section have 2 log2 p start-ups by "
       "trees, or O(p) words in parts along lines"},
      {"section 8",
       "what monotonic writes gain on the crossbar does not carry over directly to hypercubes and "
       "meshes",
       not_run_because::no_program_stated,
       "rows of sorted pointers on these networks have what lockstep's programs take there"},
      {"section 9", "earlier work takes time proportional to the readers or writers of a location",
       not_run_because::no_program_in_texts,
       "it is cited, for a PRAM; `figure shankar-ranka-hot-spots` has elements that go straight"},
      {"section 8", "time proportional to traffic on hypercubes with multiport communication",
       not_run_because::no_program_in_texts, "how, its companion paper describes"},
  };
}

}  // namespace lockstep
