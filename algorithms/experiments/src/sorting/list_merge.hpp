#pragma once

#include <cstdint>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

inline constexpr flag_parameter fused_merges{
    "fused", "in each merge sets follow their tokens, rather than tokens find the way back"};

/// Requires ports for k words at once.
/// Errors: invalid_argument.
inline void require_ports_for(arguments const& given, std::uint64_t k) {
  if (k <= 1 || given.request().options.ports == ports::all) return;
  throw invalid_argument(fmt::format(
      "{} elements of a processor at once need all its ports; take --ports all, or --k 1", k));
}

}  // namespace lockstep
