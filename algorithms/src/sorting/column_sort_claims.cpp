#include <algorithm>
#include <string>

#include <lockstep/algorithms/sorting/column_sort.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/detail/checked_counts.hpp>

#include "sorting/supposed_sizes.hpp"

namespace lockstep {

std::vector<claim> column_sort_claims(bdm_machine const& on, std::size_t n, std::size_t rows) {
  detail::require_machine_of_claims("column_sort_claims", on);
  auto const p = static_cast<std::size_t>(on.p);
  auto const q = std::max<std::size_t>(rows, detail::quotient_up(n, p));
  bool const travels = p > 1 && q > 0;
  bool const even = q % p == 0;  // all messages of steps 2 and 4 are of one length
  auto const words =
      travels ? std::string("2(p - 1)m ceil(q/(pm)) + 2m ceil(floor(q/2)/m)") : std::string("0");
  claim_list claims({{{"p", on.p},
                      {"tau", static_cast<double>(on.tau)},
                      {"m", static_cast<double>(on.packet)},
                      {"n", static_cast<double>(n)},
                      {"q", static_cast<double>(q)}}});
  claims.from("JaJa and Ryu 1994, Theorem 5.1")
      .at_most("startups", p > 1 ? "4" : "0")
      .where(detail::length_of_columns)
      .where("p divides q")
      .at_most("time", n % p == 0 && q == n / p ? "4 tau + 3n/p + 2pm" : "4 tau + 3q + 2pm")
      .priced_by(block_distributed_model{static_cast<double>(on.tau)})
      .where(detail::length_of_columns)
      .where("p divides q")
      .from("lockstep, the schedule counted")
      .equal("rounds", travels ? "2(p - 1) + 2" : "0")
      .compare("words", even ? comparison::equal : comparison::at_most, words)
      .at_most("words", "3q + 2pm - 2q/p");
  if (even && travels)
    claims.equal("volume", "2p(p - 1)m ceil(q/(pm)) + 2(p - 1)m ceil(floor(q/2)/m)")
        .equal("messages", "2(p - 1)(p + 1)");
  return claims;
}

}  // namespace lockstep
