#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_jaja_ryu() {
  return {
      {"section 1",
       "most algorithms have optimal or near optimal communication, with an optimal speed-up in "
       "computation",
       not_run_because::no_program_stated,
       "counts stand beside the strongest lower bounds that lockstep computes; of operations see "
       "the "
       "lines of local work"},
      {"section 2",
       "a permutation of requests takes tau + m, k requests of different processors to one k(tau + "
       "m), "
       "k prefetched reads of one processor tau + km",
       not_run_because::no_program_stated,
       "they define the model's price, `--model bdm`; of pipelined requests that meet, each takes "
       "a "
       "start-up of its own (rule 10)"},
      {"Theorem 3.1, its proof", "(tau + (k - 1)m) ceil(log_k p) for any k",
       not_run_because::not_programmed,
       "rows have k = tau/m + 1, which the theorem takes, and trees with the best k in each phase"},
      {"Lemma 3.2, its proof; section 3, before Theorem 3.3",
       "two phases are for p much larger than m; the tree is for few elements, the transpositions "
       "for many, "
       "as for n > pm",
       not_run_because::no_program_stated,
       "rows have both ways of each; `figure jaja-ryu-start-ups` draws those of Theorem 3.3"},
      {"Lemma 3.3", "optimal whenever pm divides q", not_run_because::no_program_stated,
       "where it does, the rows' words are those of the bound on ports, which stands beside them"},
      {"section 4, step 1", "the sizes at all processors in at most 2 tau + m^2 + p",
       not_run_because::shown_by_runs,
       "`balance` has the phase \"sizes\"; rows of Lemma 3.2 have all-gathers of p words"},
      {"section 4, step 4", "a processor reads its m elements from at most m others",
       not_run_because::not_programmed, "rows have the words of phase 3, at most m^2"},
      {"section 3", "all algorithms but that of routing are deterministic",
       not_run_because::no_program_stated,
       "of section 3 `randomized-routing` alone draws; what else runs has the same counts each "
       "time"},
      {"section 4, step 2",
       "processors up to the t-th read n/p elements, the others n/p - m; blocks have km or (k - "
       "1)m",
       not_run_because::shown_by_runs, "`balance` has the words of its phases (number 7)"},
      {"section 5.1", "column, sample and rotate sort seem to perform best of all",
       not_run_because::no_program_stated,
       "`figure jaja-ryu-sorts` draws radix and median sort beside them, and median sort is often "
       "faster"},
      {"section 5.1, rotate sort", "the results can be generalized to other n and p",
       not_run_because::shown_by_runs,
       "`rotate-sort` takes any p, in blocks of a x b; rows of such p stand beside the bound, "
       "outside "
       "the claim"},
      {"section 5.1",
       "column sort is best for n >= 2p(p - 1)^2, sample sort and rotate sort are better for p^2 "
       "<= n < "
       "2p(p - 1)^2, where column sort is not practical: its constant term grows exponentially as "
       "n decreases",
       not_run_because::no_program_stated,
       "`figure jaja-ryu-sorts` checks the first part by counts; below that size it draws rotate "
       "sort, "
       "and not sample sort, whose theorem asks for more keys there on each p that is drawn"},
      {"section 5.1, rotate sort",
       "16 phases of rows and columns; at most two dirty columns after step 6, which one SHEAR "
       "removes; [18] has the proof",
       not_run_because::not_programmed,
       "rows have permutations, local sorts and the dirty rows after step 5; each run compares its "
       "result with a sequential sort"},
      {"section 5.2, remark", "the algorithm of [8] has the same bounds",
       not_run_because::no_program_in_texts, "no step of it is told"},
      {"Theorem 3.2", "O(n/p) operations whenever p log p <= n/tau", not_run_because::shown_by_runs,
       "rows from 64 processors on have the operations of `reduce` beside these orders (number "
       "11)"},
      {"Corollary 5.1",
       "O(n/p) operations of sample sort with a local radix sort, for whole numbers up to any "
       "power of p",
       not_run_because::not_programmed,
       "our sample sort finds the bucket of each element by log2 p comparisons; rows have column "
       "sort and "
       "rotate sort with local radix sorts of numbers below p^2, and a counting sort of numbers "
       "below p"},
      {"Lemma 5.2, its proof",
       "submatrices of n/k x n in each phase, and n/sqrt p x n/sqrt p in the end",
       not_run_because::no_program_stated,
       "our text has lost roots there; rows have sums of n^2 numbers in parts, for which sizes "
       "that k does not divide are rounded up"},
  };
}

}  // namespace lockstep
