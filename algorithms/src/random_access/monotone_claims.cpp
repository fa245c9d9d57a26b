#include "random_access/monotone_claims.hpp"

#include <lockstep/algorithms/detail/size_checks.hpp>

namespace lockstep {

claim_list monotone_claims(int p, std::uint64_t n, std::uint64_t q, std::string const& source) {
  detail::require_processors("claims of messages in order", p);
  claim_list claims({{{"p", p}, {"n", static_cast<double>(n)}, {"q", static_cast<double>(q)}}});
  claims.from(source)
      .about("startups", "q + log2 p")
      .erratum(
          "\"(+ lower order terms)\"; each of our scans and all-gathers takes ceil(log2 p) "
          "start-ups")
      .at_most("sends_port_words", "ceil(n/p)")
      .from("lockstep, of Shankar and Ranka 1997, Figure 11")
      .equal("sends_steps", "q");
  return claims;
}

}  // namespace lockstep
