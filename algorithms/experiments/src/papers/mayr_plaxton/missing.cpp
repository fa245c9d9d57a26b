#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_mayr_plaxton() {
  return {
      {"abstract, section 4",
       "k prefixes in O(k + log p) on all three networks; MultiWayMerge in as much",
       not_run_because::shown_by_runs,
       "an order of growth, which each scheme keeps, with at most 12k + 10d steps; the tables "
       "judge "
       "the constants of sections 2 and 4"},
      {"section 1, Remarks 1 to 4; section 3",
       "the operator of segments, and that of Copy extended by a bit, is associative, not "
       "commutative, has an "
       "identity, and has "
       "segmented "
       "prefixes as its prefixes",
       not_run_because::no_program_stated,
       "it is algebra; `segmented-prefix` runs with that operator, and tests compare each result "
       "with "
       "one operand after another (Remark 2: number 7)"},
      {"section 1", "the first component says whether a processor is in an undefined interval",
       not_run_because::no_program_stated,
       "the program carries it, and its results leave it out: the first interval begins at "
       "processor "
       "0 whatever a_0 is, as the section says"},
      {"section 3", "only the values matter at which an interval begins",
       not_run_because::shown_by_runs,
       "that of processor 0 does, too, where the first interval is undefined, as section 1 says; "
       "`data-distribution` sends it"},
      {"section 4, Merge", "that values are distinct is an avoidable assumption",
       not_run_because::shown_by_runs,
       "`merge` and `multiway-merge` take equal keys, in the order of lists and places (number "
       "15)"},
      {"section 4, MergeSort", "each processor sorts its k values first",
       not_run_because::shown_by_runs,
       "no cost is stated of it, and the paper's sum does not count it; a row has its comparisons, "
       "of the "
       "order of k log k"},
      {"section 2.2",
       "the hypercube's Prefix leaves the sum of all at every processor; of the embedded tree "
       "processor p "
       "- 1 can receive the sum of all others",
       not_run_because::shown_by_runs,
       "`prefix` carries the former, and its results leave it out; pages show both, of `prefix` "
       "and of "
       "`pipelined-prefix` with `--scheme inorder`"},
      {"section 2.3",
       "the inorder tree has no embedding of constant dilation in the shuffle-exchange",
       not_run_because::no_program_stated,
       "it is about graphs; the two trees that the section takes in its place are run"},
      {"section 3",
       "bits of the operands may go out as they come in (bit pipelining), for any single-pass "
       "operator",
       "the machine has no bits",
       "a packet is one word, as section 2 says, and takes one step whole"},
      {"sections 2.1 to 2.3, Figures 1 to 4",
       "the inorder tree of 15 processors, and trees embedded in a hypercube and a "
       "shuffle-exchange "
       "of 16",
       not_run_because::no_program_stated,
       "our texts lack the drawings; programs run on such trees: on tree:4, and `--scheme inorder` "
       "and `--scheme relay` of "
       "`pipelined-prefix`"},
      {"section 4",
       "the pipelined hypercube is a restricted form of all ports, whose strict definition is in "
       "[17]",
       not_run_because::no_program_in_texts,
       "its definition is not in our texts; the tables let a processor use all its ports, so that "
       "their verdicts are of that machine"},
      {"section 4",
       "a lower bound of the order of k sqrt(log p) on one port for k monotone routes, "
       "concentrations "
       "and inverse concentrations",
       not_run_because::no_program_stated,
       "an order of growth; rows of routes on one port have bounds with their constants, "
       "lockstep's"},
      {"abstract, section 4", "asymptotically faster than Batcher's bitonic sort, for n = p",
       not_run_because::no_program_stated,
       "an order of growth; `figure mayr-plaxton-sorting` has the sizes from which on"},
      {"section 4, Merge step 7",
       "the operations on the sets that a processor has can be done in between steps 5 and 6 at no "
       "extra "
       "cost",
       not_run_because::no_program_stated,
       "it is the paper's definition of a step, in which local work takes no time; rows have the "
       "O(k) "
       "comparisons, which take no step here either"},
      {"sections 3 and 4, broadcasts and sums",
       "other implementations than by Prefix are simpler, for one value too, and more efficient by "
       "a constant factor",
       not_run_because::shown_by_runs,
       "rows of k broadcasts by binomial trees have k + log p steps, those of k segmented "
       "broadcasts by prefixes 2k and more"},
      {"section 4",
       "merging and MergeSort are optimal to within a constant factor for k of the order of log p "
       "or "
       "more",
       not_run_because::no_program_stated,
       "it compares orders of growth; the runs stand beside the bounds of distance, spreading and "
       "ports"},
      {"section 4",
       "the rank of z_j in Z is between jk and (j + 1)k - 1, and Z_j lies in the union of a few "
       "sets",
       not_run_because::no_program_stated,
       "both are why Merge is right; each run compares its result with a sequential merge"},
      {"section 4", "a sort leaves floor(n/p) or ceil(n/p) values at each processor",
       not_run_because::no_program_stated,
       "`multiway-merge-sort` does; where p does not divide n, `merge-sort` leaves k at the first "
       "processors, and fewer at the last"},
      {"section 4",
       "the time of MultiWayMergeSort is least, to within a constant factor, for k = log p, where "
       "step 3 dominates; lower "
       "order terms are O(log p), and O((log p / log log p)^2) for n = p",
       not_run_because::no_program_stated,
       "they are orders of growth over sizes that no machine here has; the tables have the "
       "dominant "
       "terms beside the steps, in which the local sort of step 2 does not count"},
      {"section 4",
       "neither pipelined concentration routes nor inverse concentrations with copy are required",
       not_run_because::no_program_stated,
       "step 4 of our MultiWayMerge is a concentration (number 14); sets are copied by Prefix' and "
       "by "
       "broadcasts, so that no run has the route with copy"},
      {"section 4",
       "the sorts that are cited for one port and for other models, but for [10], and [17], whose "
       "sort "
       "is MergeSort",
       not_run_because::no_program_in_texts,
       "that of Nassimi and Sahni is `nassimi-sahni-sort`, as the paper's merge with k = 1, beside "
       "MultiWayMergeSort in a table; their O(log^2 p/log (p/n)) is an order of growth"},
      {"section 5",
       "permutations in O(log^2 p/log log p), by redistributions of O(log p) on the pipelined "
       "hypercube",
       not_run_because::no_program_stated,
       "they are orders of growth; `greedy-route` is such a program, and claims its steps itself: "
       "to redistribute up to k packets of a processor takes 3k + 3 log p - 2 at most"},
      {"section 5", "some coefficients may be improved with minor changes",
       not_run_because::no_program_stated, "`--fused` and the scheme halving are such changes"},
  };
}

}  // namespace lockstep
