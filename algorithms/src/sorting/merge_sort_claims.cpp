#include <cmath>
#include <string>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/sorting/merge_sort.hpp>
#include <lockstep/claim_list.hpp>

#include "sorting/written_steps.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::string merge_sort_steps(merge_options const& how) {
  if (how.prefix == pipelined_scheme::fft) return detail::steps_of_merge_sort(how.fused);
  std::string const prefixes = " + 4 (sum of (d - i + 1) ceil(k/2^i), i = 1 .. d)";
  return (how.fused ? "kd + d(d - 1)/2" : "2kd + 2d^2") + prefixes;
}

}  // namespace

std::vector<claim> merge_sort_claims(int d, merge_options const& how) {
  detail::require_dimensions("merge_sort_claims", d);
  detail::require_scheme_of_merge("merge sort", how.prefix);
  bool const any = d > 0 && how.k > 0;
  claim_list claims({{{"k", static_cast<double>(how.k)}, {"d", d}, {"p", std::exp2(d)}}});
  auto const steps = any ? merge_sort_steps(how) : "0";
  claims.from("lockstep, the program's own steps").equal("steps", steps);
  if (!any) return claims;
  std::string const bound = "sum of 6k + 12i, i = 0 .. log p - 1";
  bool const is_within_a_constant = detail::may_take_more_for_one_element(how);
  return claims.from("Mayr and Plaxton 1989, 4")
      .compare("steps", is_within_a_constant ? comparison::about : comparison::at_most, bound)
      .erratum(detail::takes_more_for_one_element(d, how) ? detail::why_more_for_one_element : "");
}

}  // namespace lockstep
