#include <lockstep/algorithms/sorting/odd_even_merge_sort.hpp>

#include <cmath>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/claim_list.hpp>

namespace lockstep {

std::vector<claim> odd_even_merge_sort_claims(int d, std::uint64_t k) {
  detail::require_dimensions("odd_even_merge_sort_claims", d);
  bool const any = d > 0;
  return claim_list({{{"d", d}, {"k", static_cast<double>(k)}, {"p", std::exp2(d)}}})
      .from("lockstep, Batcher 1968 with merge-split on lines in Gray code")
      .equal("steps, startups, words, hops", any ? "k(d^2 + d - 1)" : "0")
      .from("lockstep, messages of the program counted")
      .equal("messages, volume", any ? "k p(2d^2 - 3d + 9)/2 - 6k" : "0");
}

}  // namespace lockstep
