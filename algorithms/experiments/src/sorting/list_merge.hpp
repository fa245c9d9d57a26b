#pragma once

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <lockstep/claim.hpp>
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

/// Says that Mayr and Plaxton's bounds of section 4 are of the pipelined hypercube, for which all ports stand.
inline void suppose_pipelined_hypercube(std::vector<claim>& claims, arguments const& given) {
  for (auto& one : claims)
    if (one.source.starts_with("Mayr and Plaxton"))
      one.where.push_back(
          {"the pipelined hypercube: not one port", given.request().options.ports == ports::all});
}

}  // namespace lockstep
