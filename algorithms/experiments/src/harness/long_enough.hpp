#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include <lockstep/claim.hpp>
#include <lockstep/experiments/experiment.hpp>

#include "harness/stages.hpp"

namespace lockstep {

/// Makes the same request with at least as many steps as the program claims to take: its input says
/// how many, and the limit is for programs that do not end.
[[nodiscard]] inline experiment_request long_enough(experiment_request asked,
                                                    std::span<claim const> claims) {
  expect_steps(claims);
  auto& most = asked.options.max_steps;
  for (auto const& claimed : claims)
    if (claimed.figure == "steps")
      most = std::max(most, static_cast<std::uint64_t>(claimed.value()) + 1);
  return asked;
}

}  // namespace lockstep
