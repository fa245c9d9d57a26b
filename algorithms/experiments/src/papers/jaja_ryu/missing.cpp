#include "papers/entries.hpp"

#include "papers/reasons.hpp"

namespace lockstep {

std::vector<missing_statement> missing_of_jaja_ryu() {
  return {
      {"Lemma 3.3", "O(q) operations of a transposition", not_run_because::local_work, ""},
      {"Theorem 3.4", "O(n/p) operations of the routing", not_run_because::local_work, ""},
      {"section 4, step 2", "O(p) operations to find what each processor reads",
       not_run_because::local_work, "Theorem 4.1 says nothing of operations"},
      {"Theorems 5.1 to 5.3", "O(n log n / p) operations of the three sorts",
       not_run_because::local_work, ""},
      {"Corollary 5.1", "O(n/p) operations for whole numbers up to a power of p",
       not_run_because::local_work, ""},
      {"section 5.1, radix sort", "O((b/r) n/p) operations", not_run_because::local_work,
       "(b/r) T_comm is run, beside Corollary 5.1 (2)"},
      {"section 5.1, approximate median sort", "O(n log n / p) operations",
       not_run_because::local_work, ""},
      {"Theorem 5.4", "O(n log n / p) operations of the FFT", not_run_because::local_work, ""},
      {"Theorem 5.5", "O(n^3/p) operations of the matrix product", not_run_because::local_work,
       "our text ends before the theorem"},
  };
}

}  // namespace lockstep
