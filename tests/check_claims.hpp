#pragma once

#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/judgement.hpp>

#include "catch.hpp"

namespace reference {

/// Checks that counts are as claimed, where that is claimed, and otherwise for just those claims that
/// are known as errata.
inline void check_claims(std::vector<lockstep::claim> const& claims,
                         lockstep::counts const& counted) {
  CHECK_FALSE(claims.empty());
  for (auto const& claimed : claims) {
    auto const measured = static_cast<double>(metric_value(counted, claimed.figure));
    if (judge(claimed, measured).verdict == lockstep::claim_verdict::outside_the_claim) continue;
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured);
    CHECK(holds(claimed, counted) == claimed.erratum.empty());
  }
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
