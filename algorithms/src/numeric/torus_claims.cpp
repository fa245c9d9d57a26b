#include "numeric/torus_claims.hpp"

#include <fmt/format.h>

#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

claim_list claims_on_torus(int side, std::uint64_t packet, std::size_t n) {
  if (side < 1 || packet == 0)
    throw invalid_argument(fmt::format(
        "a torus of {0} x {0} and packets of {1} words: give at least 1 of both", side, packet));
  constexpr int most = 46340;  // whose square is less than 2^31
  if (side > most)
    throw invalid_argument(
        fmt::format("a torus of {0} x {0} has 2^31 processors or more; give a side of at most {1}",
                    side, most));
  auto const q = static_cast<std::size_t>(side);
  auto const b = detail::quotient_up(n, q);
  return claim_list({{{"p", static_cast<double>(q * q)},
                      {"q", side},
                      {"n", static_cast<double>(n)},
                      {"b", static_cast<double>(b)},
                      {"m", static_cast<double>(packet)}}});
}

double packets_of(std::size_t elements, std::uint64_t packet) {
  return static_cast<double>(detail::in_whole_packets(elements, packet));
}

void add_steps(claim_list& claims, torus_steps const& of) {
  // An empty block takes its turn, and counts as a round alone.
  auto const half = of.steps / 2;
  auto const full = (of.left_words > 0 ? half : 0) + (of.right_words > 0 ? half : 0);
  claims.equal("rounds", of.formula, of.steps)
      .equal("startups", full == of.steps ? of.formula : "steps with words", full)
      .equal("hops", full == of.steps ? of.formula : "steps with words", full)
      .at_most("contention", "1")
      .equal("words", of.words, half * (of.left_words + of.right_words));
}

}  // namespace lockstep
