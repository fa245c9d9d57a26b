#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_shankar_ranka() {
  return {
      {"abstract", "monotonic reads and writes, with smaller constants, optimal for smaller n",
       not_run_because::no_program_stated,
       "an order; section 6's rows of monotonic writes begin at n = p^2, without p^2 of rounding; "
       "section 7 does not return to reads; `generalize` is the sorted case that is run"},
      {"abstract, section 4",
       "optimal and scalable in C mu n/p for n of the order of p^3 + p^2 tau/mu or more; C between "
       "3 and 4 for writes, slightly higher for reads",
       not_run_because::no_program_stated,
       "orders of growth, and up to a constant; the tables of sections 4, 5 and 7 have the totals, "
       "about 3n/p and 4n/p for writes, 3(m + 1)n/p and (3m + 2)n/p for reads, which for m = 1 are "
       "6 and 5 (number 12); `figure shankar-ranka-total` draws words over 3n/p"},
      {"section 1", "collisions: the same value or an error, one by a rule, or combined",
       not_run_because::shown_by_runs,
       "no cost is stated of them; `random-access-write` with `--operator` same, first, last, min, "
       "max and others has all three"},
      {"sections 1 and 9",
       "time independent of hot spots, where elements sent as in a permutation take O(n) mu",
       not_run_because::shown_by_runs,
       "`figure shankar-ranka-hot-spots` has both, with hot spots and without"},
      {"section 2",
       "a message of m words takes tau + mu m, wherever it goes, and a local operation delta",
       not_run_because::no_program_stated,
       "it defines the model's price, `--model two-level`, whose delta prices operations that "
       "programs count; section 8's networks are run with their links"},
      {"section 2",
       "distances, and links that messages share, matter little with wormhole routing, virtual "
       "channels and wide links",
       not_run_because::measured_on_machines,
       "rows on networks have the most messages on a link in a step"},
      {"section 2", "the CM-5's control network makes combines of short vectors much faster",
       not_run_because::measured_on_machines, ""},
      {"section 2", "vectors by hypercube algorithms on meshes with cut-through routing",
       not_run_because::no_program_in_texts,
       "they stand in a report that the paper names; halving and doubling between ranks that "
       "differ in "
       "a bit has 2 log2 p start-ups and fewer than 2p words, but up to sqrt(p)/2 messages of a "
       "step on "
       "one link"},
      {"section 2",
       "complete exchanges on hypercubes, in time proportional to traffic, and on meshes, by the "
       "cross-section",
       not_run_because::no_program_in_texts,
       "they stand in papers that it cites; stages of writes on these networks are made of "
       "lockstep's own exchanges"},
      {"section 4", "even elements sent straight need n of the order of p^2 tau/mu",
       not_run_because::no_program_stated,
       "it weighs p start-ups against the words of n/p elements, as an order"},
      {"section 4", "smaller n by more intermediate stages", not_run_because::shown_by_runs,
       "no cost is stated; a table has `transportation` with `--stages 4` and more, alone and not "
       "in "
       "a write"},
      {"sections 4.1 and 4.3", "a reshuffling of large elements can be avoided by pointers",
       not_run_because::not_programmed,
       "elements are moved whole here; rows have the operations of a reshuffling, one of each "
       "bucket and "
       "element, whatever its size"},
      {"section 4.3.2", "2 log kp operations of a search for partial buckets",
       not_run_because::not_programmed,
       "they are found in the pass over all kp buckets that gives these their places; the paper "
       "wants a "
       "search where that \"is not already available\""},
      {"section 4.3.1", "a sparse bucket takes b cells, a dense one ceil(n/(kp))",
       not_run_because::shown_by_runs,
       "it is of storage; each cell goes out of an intermediate processor as an element, and rows "
       "have these"},
      {"section 4.3.1, note 3", "sparse up to a constant times n/(kp)",
       not_run_because::not_programmed,
       "a bucket is sparse up to its own size here, at most ceil(n/(kp)) (number 9)"},
      {"section 4.3.2", "a processor has at most two partial buckets",
       not_run_because::no_program_stated,
       "Figure 7 is compared with it; in general it follows from buckets lying in order"},
      {"section 5",
       "the hybrid's second stage sends at most n/p less the traffic of sparse buckets",
       not_run_because::no_program_stated,
       "whether sparse elements that a processor sends are meant, or takes in, is open; "
       "`random-access-write` with `--variant hybrid` is run, and rows "
       "of "
       "section 5 have what goes out of and comes into its busiest processors"},
      {"section 5", "the optimizations of dynamic permutations in the first stage of the hybrid",
       not_run_because::no_program_in_texts, "they stand in its companion paper"},
      {"section 6", "concentrate and distribute on a coarse-grained machine",
       not_run_because::no_program_in_texts,
       "their algorithms and times stand in its companion paper; lockstep's own programs are run"},
      {"section 6", "generalize of r < n elements that are spread evenly, r/p on each processor",
       not_run_because::not_programmed,
       "rows have r = n, n/p on each, and about n/2 at random places (`--dots`); in Figure 12 the "
       "r "
       "elements are the first ones (number 14)"},
      {"section 8", "vectors of p words in O(tau log p + mu p) on meshes, both at once",
       not_run_because::no_program_in_texts,
       "it stands in a report that the paper names; rows of the section have 2 log2 p start-ups by "
       "trees, or O(p) words in parts along lines"},
      {"section 8",
       "dynamic permutations in time proportional to traffic on hypercubes with multiport "
       "communication, and to the cross-section on meshes",
       not_run_because::no_program_in_texts,
       "how, its companion paper describes; `transportation` is run on hypercubes that cut "
       "through, and on meshes"},
      {"section 8",
       "what monotonic writes gain on the crossbar does not carry over directly to hypercubes and "
       "meshes",
       not_run_because::no_program_stated,
       "no cost is stated; in the tables of sorted pointers on these networks elements go by way "
       "of "
       "all processors, with 2(p - 1) start-ups on a hypercube in the place of q"},
      {"section 8", "monotonic permutations within the time of dynamic ones",
       not_run_because::no_program_in_texts, "both stand in its companion paper"},
      {"section 9", "earlier work takes time proportional to the readers or writers of a location",
       not_run_because::no_program_in_texts,
       "it is cited, for a PRAM; `figure shankar-ranka-hot-spots` has elements that go straight"},
  };
}

}  // namespace lockstep
