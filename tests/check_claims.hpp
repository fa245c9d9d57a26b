#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/judgement.hpp>

#include "catch.hpp"

namespace reference {

/// The claims that are made for such a run: their hypotheses are met.
inline std::vector<lockstep::claim> claims_made(lockstep::experiment_result const& result) {
  auto made = result.claims;
  std::erase_if(made, [&](lockstep::claim const& one) {
    return judge(one, measured_for(one, result)).verdict ==
           lockstep::claim_verdict::outside_the_claim;
  });
  return made;
}

/// Checks that counts are as claimed, and otherwise for just those claims that are known as errata.
/// Result: how many these are.
inline std::ptrdiff_t check_claims(std::vector<lockstep::claim> const& claims,
                                   lockstep::counts const& counted) {
  CHECK_FALSE(claims.empty());
  lockstep::experiment_result const result{.record = lockstep::run_record(counted, {}, {}, {}),
                                           .claims = claims};
  auto const made = claims_made(result);
  for (auto const& claimed : made) {
    auto const measured = measured_for(claimed, result);
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured);
    CHECK(holds(claimed, measured) == claimed.erratum.empty());
  }
  return std::ranges::count_if(made, [](auto const& one) { return !one.erratum.empty(); });
}

/// Checks that a result is right and no claim fails, but for a known reason.
inline void check_result(lockstep::experiment_result const& result) {
  CHECK(result.correct);
  CHECK_FALSE(result.claims.empty());
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured_for(claimed, result));
    CHECK_FALSE(judge(claimed, measured_for(claimed, result)).is_fault);
  }
}

}  // namespace reference
