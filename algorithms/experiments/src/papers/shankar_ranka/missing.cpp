#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_shankar_ranka() {
  return {
      {"section 2", "the machine's overheads and bandwidths by name",
       not_run_because::measured_on_machines, ""},
      {"sections 3 to 7", "O(n/p + p) operations of a processor in each access",
       not_run_because::local_work, ""},
      {"Figures 5 to 9",
       "how buckets lie in source, intermediate and destination processors, as drawings",
       not_run_because::not_programmed, "the program has these steps; their words are counted"},
      {"Figure 10 and Figure 11", "segments of a monotonic write, and its steps",
       not_run_because::not_programmed,
       "the program is run and judged; the drawing is not made from it"},
      {"Figure 13", "the movements of the write and the read, as a drawing",
       not_run_because::not_programmed, ""},
      {"section 8",
       "several intermediate stages, and O(p sqrt(p ln p)) in place of p^2 with high probability",
       not_run_because::not_programmed, ""},
  };
}

}  // namespace lockstep
