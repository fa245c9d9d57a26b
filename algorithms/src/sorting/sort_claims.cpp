#include <cmath>
#include <string>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/algorithms/sorting/detail/digit_ranks.hpp>
#include <lockstep/algorithms/sorting/radix.hpp>
#include <lockstep/claim_list.hpp>

namespace lockstep {

namespace {

/// Claims what sorts by digits of that range cost. `times`: the number of sorts, before a formula;
/// b in it is `key_bits`.
[[nodiscard]] std::vector<claim> claims_of(std::string const& times, int key_bits,
                                           std::uint64_t elements, int processors,
                                           std::uint64_t range, block_rule blocks) {
  static_cast<void>(name_of(blocks));  // refuses any other number
  detail::require_processors("claims of sorts", processors);
  detail::require_range(range);
  constexpr char const* page = "lockstep, of Bader, Helman and JaJa 1996, section 4 and Appendix C";
  auto const p = static_cast<std::uint64_t>(processors);
  bool const padded = blocks != block_rule::real;
  auto const counted = padded ? comparison::equal : comparison::at_most;
  // With n > p elements, dealt out evenly, some processor has two, and one leaves it; and one
  // that comes to an intermediate processor leaves that.
  auto const started = padded || elements > p ? comparison::equal : comparison::at_most;
  std::string const slot = padded ? " + 2" : "";  // for the number of a bin's elements, both times
  auto const words = times + "(3q + 2 floor(ceil(n/p)/p + (p-1)/2)" + slot + ")(p - 1)";
  claim_list claims({{{"p", processors},
                      {"n", static_cast<double>(elements)},
                      {"q", static_cast<double>(detail::digits_each(range, processors))},
                      {"b", key_bits},
                      {"r", std::log2(static_cast<double>(range))}}});
  claims.from(page)
      .equal("rounds", times + "4(p - 1)")
      .compare("startups", started, p == 1 ? "0" : times + "4")
      .from("lockstep, messages of the program counted")
      .compare("words", counted, words);
  claims.from("lockstep, increments, additions and moves counted")
      .equal("operations", times + "(4n + 3p^2 q)")
      .at_most("work", times + "(3 ceil(n/p) + 3pq + p floor(ceil(n/p)/p + (p-1)/2))")
      .from("lockstep, messages of the program counted");
  if (padded) claims.equal("volume", words + "p").equal("messages", times + "4p(p - 1)");
  // The paper's blocks are n/p^2 + p/2; those of `bound` are the same where that is a whole number.
  if (!padded || (p % 2 == 0 && elements % (p * p) == 0))
    claims.from(page).compare("words", counted, times + "(3q + 2(n/p^2 + p/2))(p - 1)");
  return claims;
}

}  // namespace

std::vector<claim> counting_sort_claims(std::uint64_t elements, int processors, std::uint64_t range,
                                        block_rule blocks) {
  return claims_of("", 0, elements, processors, range, blocks);
}

std::vector<claim> radix_sort_claims(std::uint64_t elements, int processors, int key_bits,
                                     std::uint64_t radix, block_rule blocks) {
  static_cast<void>(radix_passes(key_bits, radix));  // refuses a number that is not a radix
  return claims_of("ceil(b/r) ", key_bits, elements, processors, radix, blocks);
}

}  // namespace lockstep
