#include <cmath>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/sorting/merge_options.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

/// The steps of two sequences of k prefixes, after others.
[[nodiscard]] std::string and_prefixes(std::string const& others_fft,
                                       std::string const& others_halving, pipelined_scheme scheme) {
  if (scheme == pipelined_scheme::fft) return others_fft;
  return others_halving + " + 4 (sum of ceil(k/2^i), i = 1 .. d)";
}

[[nodiscard]] std::string merge_steps(merge_lists lists, merge_options const& how) {
  if (lists == merge_lists::half)
    return how.fused ? and_prefixes("4k + 4d - 4", "2k + 2d - 2", how.prefix)
                     : and_prefixes("4k + 8d - 4", "2k + 6d - 2", how.prefix);
  return how.fused ? and_prefixes("3k + 3d - 3", "k + d - 1", how.prefix)
                   : and_prefixes("4k + 6d - 4", "2k + 4d - 2", how.prefix);
}

}  // namespace

void detail::require_scheme_of_merge(char const* of, pipelined_scheme scheme) {
  if (scheme == pipelined_scheme::fft || scheme == pipelined_scheme::halving) return;
  throw invalid_argument(
      fmt::format("{}: sets are spread by the schemes fft or halving; take one of them", of));
}

bool detail::takes_more_for_one_element(int d, merge_options const& how) {
  return d == 1 && how.k == 1 && may_take_more_for_one_element(how);
}

bool detail::may_take_more_for_one_element(merge_options const& how) {
  return how.prefix == pipelined_scheme::halving && !how.fused;
}

std::vector<claim> merge_claims(int d, merge_lists lists, merge_options const& how) {
  detail::require_dimensions("merge_claims", d);
  static_cast<void>(name_of(lists));  // refuses any other number
  detail::require_scheme_of_merge("merge", how.prefix);
  bool const is_half = lists == merge_lists::half;
  bool const any = d > 0 && how.k > 0;
  claim_list claims({{{"k", static_cast<double>(how.k)}, {"d", d}, {"p", std::exp2(d)}}});
  auto const steps = any ? merge_steps(lists, how) : "0";
  claims.from("lockstep, the program's own steps").equal("steps", steps);
  if (!any) return claims;
  std::string const bound = is_half ? "8k + 17 log p" : "6k + 12 log (p/2)";
  bool const is_exceeded = !is_half && detail::takes_more_for_one_element(d, how);
  bool const is_within_a_constant = !is_half && detail::may_take_more_for_one_element(how);
  return claims.from("Mayr and Plaxton 1989, 4")
      .compare("steps", is_within_a_constant ? comparison::about : comparison::at_most, bound)
      .erratum(is_exceeded ? detail::why_more_for_one_element : "");
}

}  // namespace lockstep
