#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_bader_helman_jaja() {
  return {
      {"section 2", "the communication library's primitives on each machine",
       not_run_because::measured_on_machines, "transpose, bcast, gather, scatter run on the model"},
      {"sections 1, 3 and 4",
       "asymptotically optimal for h >= p^2, and the sorts for p^3 = O(n), by the lower bounds tau "
       "+ (h + "
       "n/p) sigma and Omega(n/p + tau + (n/p) sigma)",
       not_run_because::no_program_stated,
       "orders of growth; each run's words stand beside those that a processor has to take in or "
       "send (number 10)"},
      {"Eqs. 6, 10 and 11, section 4.2", "the times of all steps, as orders of growth",
       not_run_because::no_program_stated,
       "runs stand beside the words of Eqs. 4 and 5, from which they come"},
      {"section 1",
       "simpler, with less overhead and a tighter bound on blocks than the routings of others",
       not_run_because::no_program_in_texts, "of those it has no step and no bound"},
      {"section 3", "O(h) operations of a processor that routes an h-relation",
       not_run_because::local_work,
       "a price for each of the 2n/p + h elements that the steps handle is fitted to seconds of "
       "Tables I and II, beside guesses without counts"},
      {"section 3.3", "the dynamic data redistribution that comes first for h1 much larger than h2",
       not_run_because::no_program_in_texts,
       "it is cited as [8, 9], without a word on how it goes; `h-relation` with `--balanced` has "
       "JaJa and Ryu's balance in its place"},
      {"section 3.1", "for h = n/p the input of a benchmark moves data as the transpose does",
       not_run_because::no_program_stated,
       "`h-relation-direct` and `transpose` take the same words then"},
      {"section 3.2", "permutation strategies do not differ significantly in time",
       not_run_because::measured_on_machines,
       "words of PEX and LP do: `h-relation-direct` with `--order`"},
      {"Appendix B", "the sizes of the arrays in memory", not_run_because::no_program_stated,
       "the program's own memory is another"},
      {"Figures 2 and 6", "seconds of the routing on machines, whose drawings our text lacks",
       not_run_because::measured_on_machines,
       "`figure bader-helman-jaja-2` and `figure bader-helman-jaja-6` price counts instead"},
      {"Tables I and II", "seconds of one and of two phases on CM-5 and T3D",
       not_run_because::measured_on_machines,
       "they stand beside priced counts, those of two phases also beside a prediction by those of "
       "one"},
      {"section 4.1 and 4.2", "O(n/p + R) operations of counting sort, in each pass of radix sort",
       not_run_because::local_work, ""},
      {"Figures 4 and 5", "seconds of radix sort on the machines",
       not_run_because::measured_on_machines, "the figures are drawn from priced counts"},
      {"Table III", "the sort of Alexandrov and others (AIS)", not_run_because::no_program_in_texts,
       "section 5.3 says that it is in Split-C, made fast for the CS-2, and based on a version by "
       "Dusseau; no step, no radix and no count of it is told"},
  };
}

}  // namespace lockstep
