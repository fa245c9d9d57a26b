#include <lockstep/algorithms/sorting/nassimi_sahni_sort.hpp>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

void detail::require_ways(topology const& network, int ways) {
  int const d = required_hypercube(network, "nassimi_sahni_sort").dimension();
  if (d == 0)
    throw invalid_argument(
        "nassimi_sahni_sort: hypercube:0 has one processor, and merging lists at a time needs at "
        "least two; take hypercube:1 or larger");
  if (ways < 1 || ways > d)
    throw invalid_argument(fmt::format(
        "nassimi_sahni_sort: 2^{} lists at a time cannot be merged on {}; take l from 1 to {}",
        ways, network.spec(), d));
}

void detail::throw_no_place_for_value(int rank, int values) {
  throw invalid_argument(
      fmt::format("nassimi_sahni_sort: processor {} has a value, and only processors 0 to {} have "
                  "one at first; "
                  "take fewer values, or a smaller l",
                  rank, values - 1));
}

std::vector<claim> nassimi_sahni_sort_claims(int d, int ways) {
  detail::require_dimensions("nassimi_sahni_sort_claims", d, 1);
  if (ways < 1 || ways > d)
    throw invalid_argument(fmt::format(
        "nassimi_sahni_sort_claims: merges of 2^{} lists on 2^{} processors; give 1 to {} ways",
        ways, d, d));
  return claim_list({{{"d", d}, {"l", ways}}})
      .from("lockstep, Nassimi and Sahni 1982 as MultiWayMerge of Mayr and Plaxton 1989, 4")
      .equal("steps, startups, words, hops", "5(d - l) + 2l ceil((d - l)/l)(ceil((d - l)/l) - 1)");
}

}  // namespace lockstep
