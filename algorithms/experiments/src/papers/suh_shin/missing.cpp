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
      {"section 1", "[16] is better than the quadrant exchange [1] where nodes are asynchronous",
       not_run_because::no_program_in_texts, "it is shown in [16]"},
      {"section 1", "the direct exchange [18] on tori", not_run_because::no_program_in_texts,
       "the order of its start-ups is told alone"},
      {"section 1", "Scott's a^3/4 steps of any direct exchange, for odd a",
       not_run_because::no_program_stated,
       "for even a it follows from the links of the middle, and stands beside a run of "
       "`all-to-all-direct`; for odd a these give a(a^2 - 1)/4, less than a^3/4; for a = 3 the 8 "
       "blocks that each node takes in are more than 6.75, and from a = 5 on we can neither prove "
       "nor "
       "refute it"},
      {"Figure 1b", "three steps without contention on a 2 x 4 mesh",
       not_run_because::no_program_in_texts,
       "it is a drawing, of other steps than the paper's algorithm, with 12 units of time and four "
       "blocks in each step; the errata have such a schedule, under Fig. 1b"},
      {"Figures 2 to 4 and 7 to 12", "drawings of groups, arrays and steps",
       not_run_because::no_program_stated,
       "our text lacks them but for Fig. 4 (g) to (k), which a test compares with a run (number "
       "11); "
       "pages of `all-to-all` draw each step"},
      {"sections 1 and 6", "destinations remain fixed over a larger number of steps",
       not_run_because::no_program_stated,
       "in a ring phase a node sends to one node, in every step, as pages of `all-to-all` show"},
      {"sections 2 and 6",
       "the algorithms apply to virtual cut-through, packet and circuit switching as well",
       not_run_because::no_program_stated,
       "no two messages of a step share a link, so that the counts are those of any switching"},
      {"section 3.1.5, Figure 6", "a message goes round a subring in B/2 - 1 steps",
       not_run_because::no_program_stated,
       "phase \"ring 1\" of a torus of one dimension, as torus:16, has these steps"},
      {"section 5",
       "[13] is better for small blocks, with cross-overs that fall with the network's size and "
       "rise with "
       "t_s/t_c; [19] is much worse for large blocks",
       not_run_because::no_program_in_texts,
       "of [13] and [19] there are the formulas of Table 2, which `figure suh-shin-13` to 16 "
       "price, with "
       "their cross-overs, beside runs of the proposed algorithm: priced so, each of these is so"},
      {"section 5",
       "by Table 2: start-ups and words as many as [19] has, less rearrangement and propagation, "
       "lower in all but start-ups than [13]; meshes very similar",
       not_run_because::no_program_in_texts,
       "they compare formulas, which rows of Table 2 have side by side, but for the exceptions of "
       "numbers 13 and 14"},
      {"sections 5 and 6",
       "better than existing algorithms on square tori with sides of powers of two, and than [19] "
       "and "
       "[16]; [13] may do worse where sizes are not powers of two; best on "
       "such "
       "sizes, or where blocks are large",
       not_run_because::no_program_in_texts,
       "of [19] and [13] there are formulas alone, by which [13] is faster for small blocks, as "
       "section "
       "5 says itself; [13] has no formula for other sizes; [16] is run as lockstep reads it, with "
       "the start-ups, "
       "words, hops and barriers of Table 2"},
      {"abstract, sections 1, 5 and 6",
       "the first message-combining exchange for n dimensions and sizes that are not powers of "
       "two, "
       "nor square; substantial savings of rearrangement",
       not_run_because::no_program_stated,
       "which work there is, no run tells; rows of Table 2 have the words rearranged of each"},
      {"section 5",
       "start-ups dominate where blocks are small, start-ups and words are the two dominant costs, "
       "and "
       "rearrangement counts for more as blocks grow",
       not_run_because::shown_by_runs,
       "`all-to-all` with `--model paragon` prices a run; by the printed prices the barriers of a "
       "16 x "
       "16 torus, 9 of 895 us, or of 391 with d of the side, cost more than its start-ups, 10 of "
       "75 us "
       "(number 15)"},
      {"sections 1 and 2",
       "software overhead, and not contention, is the main concern on the Paragon, and makes up "
       "most of "
       "a start-up",
       not_run_because::measured_on_machines,
       "a run counts start-ups and contention; a model has no price of overhead apart from t_s"},
      {"section 1", "message combining gives longer messages and fewer start-ups",
       not_run_because::shown_by_runs,
       "on mesh:2x4 `all-to-all-direct` has 7 start-ups of a block, and `all-to-all` 4 of 4 "
       "blocks"},
      {"section 3.1.1",
       "four groups of a line cannot send along two directions in parallel without contention",
       not_run_because::no_program_stated,
       "N messages over 4 links each take 2N links twice; number 12 runs such steps"},
      {"section 5", "t_s/t_c is about 7,000, and 20,000", not_run_because::measured_on_machines,
       "`--model paragon` has both prices: 75 and 220 us over 0.011"},
      {"section 3.1.4",
       "N^4/4 blocks cross the 2N links of the bisection of an N x N torus, so that an exchange "
       "takes "
       "words of the order of N^3",
       not_run_because::no_program_stated,
       "an order of growth; the rows' words stand beside the strongest bound on any exchange, that "
       "of the bisection (N^3/8 words) among them"},
      {"section 3.1.4",
       "a broadcast without contention takes ceil(log2 N) steps a dimension, so that start-ups of "
       "the order of log2 N^2 are a lower bound, difficult to achieve",
       not_run_because::no_program_stated,
       "`all-to-all` has steps beside the distance and ceil(log2 p)"},
      {"abstract, sections 3.1.4 and 5",
       "orders: O(C) start-ups and O(RC^2) words; most exchanges take O(N) start-ups, and [13] "
       "O(log2 N^2); rearrangement, propagation and start-ups of the rivals by d",
       not_run_because::no_program_stated,
       "they follow from the formulas of Tables 1 and 2; those of the proposed algorithm are equal "
       "to counts on all sizes"},
      {"section 3.1.4, 3.2.3, 4.1 and 4.2",
       "the words of each step of a ring phase, R(C - 4p) and the like, and the hops of each step",
       not_run_because::no_program_stated,
       "rows have their sum; `all-to-all` prints the words of each phase, and with a table of "
       "steps of each "
       "step"},
      {"section 6", "any number of nodes in a dimension, by virtual nodes",
       not_run_because::no_program_stated,
       "which node does the work of a virtual one, and what that costs, is not said; `all-to-all` "
       "with "
       "`--scheme virtual` has a choice of ours, with more steps where a node serves two partners"},
      {"section 3.1.5", "the proof that the blocks end where they belong",
       not_run_because::no_program_stated,
       "each run compares all blocks with a sequential transposition"},
      {"Table 2", "the rival [19] on 2^d x 2^d tori", not_run_because::no_program_in_texts,
       "section 1 says that four groups of nodes exchange within themselves and then with one "
       "another; which nodes are a group, how blocks go within one, and in how many of the "
       "2^(d-1) + 2 steps of Table 2, it does not"},
      {"Table 2", "the rival [13] on 2^d x 2^d tori and meshes",
       not_run_because::no_program_in_texts,
       "section 1 has only O(d) start-ups and O(2^(3d)) words (2D; O(2^(4d)) in 3D), and nothing "
       "of its "
       "steps"},
      {"Figures 13 to 16", "the times of the rivals", not_run_because::no_program_in_texts,
       "they are priced by their formulas, [16] too, and the proposed algorithm by a run"},
      {"section 5", "the parameters of the Paragon", not_run_because::measured_on_machines,
       "the model has the values that the paper prints"},
  };
}

}  // namespace lockstep
