#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_bader_helman_jaja() {
  return {
      {"abstract", "the algorithms seem to outperform all similar ones known to the authors",
       not_run_because::measured_on_machines, ""},
      {"section 1", "the communication library's primitives on each machine",
       not_run_because::measured_on_machines,
       "transpose, bcast, gather, scatter run on the model, whose algorithms suppose nothing of "
       "how they "
       "are made"},
      {"section 1",
       "earlier routings and sorts depend on a network or machine, are not efficient on others, "
       "and "
       "vary with the input",
       not_run_because::no_program_in_texts, "they are cited"},
      {"section 1", "the time is invariant over the distributions of inputs",
       not_run_because::measured_on_machines,
       "words are: of `h-relation` with `--blocks padded` they depend on n, p and h alone"},
      {"sections 1 and 3",
       "MPI's primitives are regular; MPI_Alltoallv is for elements that are sorted by destination",
       not_run_because::no_program_stated, "it is said of an interface"},
      {"section 2", "a block permutation takes tau + sigma m; what tau and sigma count",
       not_run_because::no_program_stated, "they define the model's price, `--model tau-sigma`"},
      {"section 2", "the model is close to BSP, LogP and LogGP, and easier to use",
       not_run_because::no_program_stated, "an opinion; `--model` has tau-sigma, BSP and LogGP"},
      {"section 2", "computation and communication overlap, and T_comp is to be O(T_seq/p)",
       not_run_because::no_program_stated,
       "an aim; the paper's times are sums of both, and these programs do not count their local "
       "work"},
      {"abstract, sections 3 and 4",
       "asymptotically optimal for h >= p^2, and the sorts for R = O(n/p), p^3 = O(n) and, by "
       "radix, "
       "keys up to a polynomial in n, by the lower bounds tau + (h + n/p) sigma, Omega(n/p + "
       "tau + "
       "(n/p) sigma) and, of radix sort's communication, tau + (n/p) sigma",
       not_run_because::no_program_stated,
       "orders of growth; each run's words stand beside those that a processor has to take in or "
       "send (number 10)"},
      {"Eqs. 6, 10 and 11, sections 3.3 and 4.2", "the times of all steps, as orders of growth",
       not_run_because::no_program_stated,
       "they come from T_comm of section 3 and, of Eq. 11, from the blocks of R/p and 2R/p of "
       "section "
       "4.1; runs stand beside those"},
      {"section 3, related work",
       "simpler, with less overhead and a tighter bound on blocks than the routings of others",
       not_run_because::no_program_in_texts,
       "of [31] no text has a step or a bound; [37] may be the transportation of Shankar and "
       "Ranka, "
       "which `transportation` runs: its stage 2 has blocks of floor(c/p) + p - 1, where Step 4 "
       "has "
       "h/p + (p - 1)/2"},
      {"section 3, lower bound", "tau + (h + n/p) sigma in the worst case",
       not_run_because::no_program_stated,
       "it is of sums of words sent and received, where T_comm is of one direction (number 10); "
       "rows have the words that any program has to send or take in"},
      {"section 3", "O(h) operations of an h-relation for h < p^2",
       not_run_because::as_printed_in_tests,
       "the bound fails there in general (number 9); rows have the operations for h >= p^2, and a "
       "price for "
       "each of the 2n/p + h elements that the steps handle is fitted to seconds of Tables I and "
       "II, beside "
       "guesses without counts"},
      {"section 3.3", "the dynamic data redistribution that comes first for h1 much larger than h2",
       not_run_because::no_program_in_texts,
       "it is cited as [8, 9], without a word on how it goes; `h-relation` with `--balanced` has "
       "JaJa and Ryu's balance in its place"},
      {"section 3", "a minimum of (q/2)(q + 1) additional elements, in the proof of Eqs. 1 to 3",
       not_run_because::no_program_stated, "rows of bins have the bounds that follow from it"},
      {"section 3",
       "for every single-phase schedule there are inputs whose messages vary much in size",
       not_run_because::no_program_stated,
       "`--pattern orth` is such an input for PEX; the tables of the g-groups have the words of "
       "both, for the inputs of section 3.2"},
      {"abstract, sections 1, 3.1, 4 and 5.2",
       "results are consistent with the analysis: times scale inversely with p, and grow linearly "
       "with "
       "h and n",
       not_run_because::measured_on_machines, "figures draw priced counts"},
      {"section 3.1",
       "for h = n/p the input of a benchmark moves data as the transpose does; the routing is more "
       "general, without contiguous buffers of regular sizes",
       not_run_because::shown_by_runs,
       "`h-relation-direct` and `transpose` have the same words, volume and messages then"},
      {"section 3.2", "permutation strategies do not differ significantly in time",
       not_run_because::measured_on_machines,
       "words of PEX and LP do: `h-relation-direct` with `--order`"},
      {"section 3.1", "an element is two integers, of which the destination routes it",
       not_run_because::no_program_stated,
       "formulas count elements, and so does lockstep: an element is a word (number 13)"},
      {"section 3, footnote", "an integer has 4 bytes, and 8 on the T3D",
       not_run_because::measured_on_machines,
       "it tells nothing of counts; a price of a word fitted to the T3D's seconds is of 8 bytes"},
      {"sections 3.2.1 and 5.2",
       "results on the SP-2 and the CS-2, and sorts on other machines, are similar",
       not_run_because::measured_on_machines,
       "those of the routing are left out of the paper; Table III has seconds of sorts on three "
       "machines"},
      {"section 3.2", "the single-phase algorithm's Steps 1 to 3: counts of all, and offsets",
       not_run_because::not_programmed,
       "how long their blocks are is not said (number 8); `h-relation-direct` is Steps 4 and 5, "
       "whose messages tell their sources, so that no offset has to travel"},
      {"section 3.2", "in general single phases are comparable with two",
       not_run_because::measured_on_machines,
       "on the inputs of Eq. 7 one phase takes no more words in any count; of the g-groups the "
       "tables have "
       "both"},
      {"section 3.2", "single phases are faster in some cases, as where h is known beforehand",
       not_run_because::no_program_stated,
       "no such algorithm is told; Table II has three cases, and the pipelined count of the "
       "g-groups "
       "is never more than two phases"},
      {"Appendices B and C", "Algorithms 1 and 2 as printed", not_run_because::as_printed_in_tests,
       "`h-relation` with `--blocks appendix` is Algorithm 1 with Step 5, which it lacks (number "
       "6), "
       "and `counting-sort` is Algorithm 2 with exclusive scans and with n/p for p in its labels "
       "(numbers 1 and 2)"},
      {"Appendix B", "the sizes of the arrays in memory", not_run_because::no_program_stated,
       "the program's own memory is another"},
      {"Figures 2 and 6", "seconds of the routing on machines, whose drawings our text lacks",
       not_run_because::measured_on_machines,
       "`figure bader-helman-jaja-2` and `figure bader-helman-jaja-6` price counts instead"},
      {"Tables I and II", "seconds of one and of two phases on CM-5 and T3D",
       not_run_because::measured_on_machines,
       "they stand beside priced counts, those of two phases also beside a prediction by those of "
       "one"},
      {"section 4.1", "counting sort is stable", not_run_because::shown_by_runs,
       "each run of it is compared with a stable sequential sort"},
      {"section 4.1", "R is expected to be about n/p", not_run_because::no_program_stated,
       "rows of section 4.2 have R = n/p, those of Table III the typical R = 1024"},
      {"section 5.1", "entropies of 31 and 6.2 bits of the inputs",
       not_run_because::no_program_stated,
       "`--distribution` makes the inputs; their entropies are not counted"},
      {"section 4.1 and 4.2",
       "the computation of radix sort is optimal, since sequential radix sort takes Theta(n); "
       "O(n/p + R) of a "
       "counting sort for n of the order of p^2",
       not_run_because::no_program_stated,
       "rows have the operations of counting sort for n >= p^3; for n of the order of p^2 its "
       "routing handles "
       "more (number 9)"},
      {"Figures 4 and 5", "seconds of radix sort on the machines, whose drawings our text lacks",
       not_run_because::measured_on_machines,
       "the figures are drawn from priced counts; Figure 5 without its panel of the T3D, since "
       "Table III has no seconds of it"},
      {"Table III", "the sort of Alexandrov and others (AIS)", not_run_because::no_program_in_texts,
       "section 5.3 says that it is in Split-C, made fast for the CS-2, and based on a version by "
       "Dusseau; no step, no radix and no count of it is told"},
  };
}

}  // namespace lockstep
