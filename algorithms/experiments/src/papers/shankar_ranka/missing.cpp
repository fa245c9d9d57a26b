#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_shankar_ranka() {
  return {
      {"abstract", "monotonic reads, with smaller constants, optimal for smaller n",
       not_run_because::no_program_stated,
       "section 7 does not return to them; `generalize` is the sorted case that is run"},
      {"sections 1 and 9",
       "time independent of hot spots, where elements sent as in a permutation take O(n) mu",
       not_run_because::no_program_stated,
       "`figure shankar-ranka-hot-spots` has the words of both, with hot spots and without"},
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
      {"section 4.1", "counts of elements by buckets, and messages coalesced, in passes over n/p",
       not_run_because::local_work, ""},
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
       "the hybrid's second stage sends at most n/p less the traffic of sparse buckets, and little "
       "where few buckets are hot",
       not_run_because::no_program_stated,
       "whether sparse elements that a processor sends are meant or takes in is open; the tables "
       "of "
       "sections 4 and 5 have the words of both second stages, for each pattern"},
      {"section 5", "the optimizations of dynamic permutations in the first stage of the hybrid",
       not_run_because::no_program_in_texts, "they stand in its companion paper"},
      {"section 6", "concentrate and distribute on a coarse-grained machine",
       not_run_because::no_program_in_texts,
       "their algorithms and times stand in its companion paper; lockstep's own programs are run"},
      {"section 6", "delta n/p of the segmented scans of a monotonic write and of generalize",
       not_run_because::local_work, ""},
      {"section 7",
       "reads with limited hot spots, without communication, by a complete exchange or a "
       "transportation",
       not_run_because::not_programmed, "writes have them, in the table of section 3"},
      {"section 7", "3p tau + 3 mu m n/p for a write of elements of m words",
       not_run_because::not_programmed, "elements of a write have one word here (number 11)"},
      {"section 8", "vectors of p words in O(tau log p + mu p) on meshes, both at once",
       not_run_because::no_program_in_texts,
       "it stands in a report that the paper names; rows of the section have 2 log2 p start-ups by "
       "trees, or O(p) words in parts along lines"},
      {"section 8", "time proportional to traffic on hypercubes with multiport communication",
       not_run_because::no_program_in_texts, "how, its companion paper describes"},
      {"section 8",
       "what monotonic writes gain on the crossbar does not carry over directly to hypercubes and "
       "meshes",
       not_run_because::no_program_stated,
       "`random-access-write` with `--variant monotonic` runs on these networks, with claims of "
       "its "
       "own"},
      {"section 8", "monotonic permutations within the time of dynamic ones",
       not_run_because::no_program_in_texts, "both stand in its companion paper"},
      {"section 9", "earlier work takes time proportional to the readers or writers of a location",
       not_run_because::no_program_in_texts,
       "it is cited, for a PRAM; `figure shankar-ranka-hot-spots` has elements that go straight"},
  };
}

}  // namespace lockstep
