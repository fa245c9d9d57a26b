#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/sorting/median_sort.hpp>
#include <lockstep/algorithms/sorting/sample_sort.hpp>

#include "routing/supposed_sizes.hpp"
#include "sorting/bucket_claims.hpp"
#include "sorting/supposed_sizes.hpp"

namespace lockstep {

namespace {

constexpr char const* median_sort_sentence =
    "JaJa and Ryu 1994, section 5.1, Other sorting algorithms";

/// Says why the paper's bound need not hold here; nothing if it has to.
[[nodiscard]] std::string erratum_of_bound(claim_list const& claims, bdm_machine const& on,
                                           bool is_direct) {
  if (on.packet != 1)
    return "our samples and sizes take m(p - 1)(ceil((p - 1)/m) + 1) words, for which p^2 has room "
           "only where m = 1, and our messages are whole packets";
  return is_direct ? "" : erratum_of_slots(claims, on);
}

/// Claims the paper's time. T_comm is that of "routing a general permutation on n elements (and hence
/// the bounds in the above corollary apply)": of Corollary 5.1 the first for a routing that draws
/// nothing, the third for one that does.
void claim_time(claim_list& claims, bdm_machine const& on, bool is_direct) {
  claims.from(fmt::format("{}, with T_comm of Corollary 5.1 ({})", median_sort_sentence,
                          is_direct ? 1 : 3));
  if (is_direct)
    claims.at_most("time", "3 tau + p^2 + 2n/p + (4 tau + 3n/p + 2pm)");
  else
    claims.at_most("time", "3 tau + p^2 + 2n/p + (3 tau + (p - 1)m ceil(5 ln n/m) + 6n/p)",
                   claims.value("3 tau + p^2 + 2n/p + (3 tau + (p - 1)m ceil(t/m) + 6n/p)"));
  priced(claims, on)
      .where(detail::elements_of_columns)
      .where("p divides n/p", claims.hypothesis_of("p^2 divides n").is_met());
  if (!is_direct) claims.where(detail::room_with_high_probability);
  claims.erratum(erratum_of_bound(claims, on, is_direct));
}

}  // namespace

std::vector<claim> median_sort_claims(bdm_machine const& on, std::uint64_t n,
                                      median_sort_options const& options,
                                      median_sort_outcome const& outcome) {
  static_cast<void>(name_of(options.way));  // refuses any other number
  bool const is_direct = options.way == median_sort_route::direct;
  int const attempts = is_direct ? 1 : outcome.attempts;
  auto claims = bucket_claims(on, n, options.c, attempts);
  auto const phases = written_phases(3, attempts);
  auto const routing =
      is_direct ? "m(p - 1) + 2p ceil(n/p^2) + (p - 1)(m - 1)" : words_of_slots(attempts);
  claims.from(source_of_bucket_counts)
      .equal("rounds", told_attempts(phases + "(p - 1)", attempts))
      .at_most("startups", on.p == 1 ? "0" : told_attempts(phases, attempts))
      .at_most("words", told_attempts("(p - 1)(m ceil((p - 1)/m) + m) + " + routing +
                                          " + 2p ceil(n/p^2) + (p - 1)(m - 1)",
                                      attempts));
  claims
      .from("lockstep, 1.5 n/p at both ends and 2n/p between, with the samples' distances rounded")
      .at_most("largest_bucket", "2p ceil(n/p^2)");
  claim_time(claims.with("t", static_cast<double>(samples_of(n))), on, is_direct);
  return claims;
}

}  // namespace lockstep
