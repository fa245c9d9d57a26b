#pragma once

#include <string>
#include <utility>

#include <lockstep/judgement.hpp>

namespace lockstep {

/// Judges what ought to be so in the runs of a figure.
[[nodiscard]] inline judgement holds_if(bool is_so) {
  if (is_so) return {claim_verdict::holds};
  return {claim_verdict::our_program_exceeds, "it ought to hold: a mistake of the program", true};
}

/// Says why the runs of a figure do not decide what the paper says.
[[nodiscard]] inline judgement undecided(std::string why) {
  return {claim_verdict::decides_nothing, std::move(why)};
}

}  // namespace lockstep
