#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_shankar_ranka() {
  return {
      {"section 4.5", "O(n/p + n/(kp) + kp) operations of a processor that writes",
       not_run_because::local_work, ""},
      {"section 4", "fewer elements are enough with more intermediate stages",
       not_run_because::no_program_stated,
       "one sentence, \"can be brought down by transferring the data through more intermediate "
       "stages\": neither which processors are between which, nor how many elements are enough "
       "then"},
      {"section 8", "vectors of p words in O(tau log p + mu p) on meshes, too",
       not_run_because::not_programmed, "our scan on a mesh takes log p times as many words"},
      {"section 8", "multiport communication on hypercubes", not_run_because::not_programmed, ""},
  };
}

}  // namespace lockstep
