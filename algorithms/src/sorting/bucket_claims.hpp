#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/cost_models.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

inline constexpr char const* source_of_bucket_counts = "lockstep, the schedule counted";

/// Begins claims of sorts by buckets, with the letters p, n, tau, m, c, slot and a, the attempts.
/// Errors: invalid_argument for p < 1, packets of 0 words, or a c that is not positive.
[[nodiscard]] inline claim_list bucket_claims(bdm_machine const& on, std::uint64_t n, double c,
                                              int attempts) {
  detail::require_machine_of_claims("claims of a sort", on);
  return claim_list({{{"p", on.p},
                      {"n", static_cast<double>(n)},
                      {"tau", static_cast<double>(on.tau)},
                      {"m", static_cast<double>(on.packet)},
                      {"c", c},
                      {"slot", static_cast<double>(randomized_slot(n, on.p, c))},
                      {"a", attempts}}});
}

/// Writes the phases of a sort: two of each attempt, and others.
[[nodiscard]] inline std::string written_phases(int others, int attempts) {
  return attempts == 1 ? fmt::format("{}", others + 2) : fmt::format("({} + 2a)", others);
}

/// Writes the words of random routing: two transpositions of slots in each attempt.
[[nodiscard]] inline std::string words_of_slots(int attempts) {
  return std::string(attempts == 1 ? "2" : "2a") + "(p - 1)m ceil(slot/m)";
}

/// Says what a is, after a formula that has it.
[[nodiscard]] inline std::string told_attempts(std::string const& formula, int attempts) {
  return attempts == 1 ? formula : fmt::format("{}, with a = {} attempts", formula, attempts);
}

/// Prices the last claim, of time.
inline claim_list& priced(claim_list& claims, bdm_machine const& on) {
  return claims.priced_by(block_distributed_model{static_cast<double>(on.tau)});
}

/// Says why a bound of routing in slots of 3 n/p^2 elements need not hold here; nothing if it has
/// to.
[[nodiscard]] inline std::string erratum_of_slots(claim_list const& claims, bdm_machine const& on) {
  if (claims.value("a") > 1)
    return "overflow in Step 3, which the theorem has with low probability, costs an attempt";
  if (claims.value("c") != 3) return "made for slots of 3 n/p^2 elements";
  if (on.packet != 1 || claims.value("2(p - 1) slot") > claims.value("6n/p"))
    return "our slots are padded to whole elements and packets";
  return {};
}

}  // namespace lockstep
