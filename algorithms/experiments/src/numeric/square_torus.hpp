#pragma once

#include <cstddef>
#include <numeric>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/torus.hpp>

#include "harness/arguments.hpp"
#include "network_kind.hpp"
#include "numeric/product_problem.hpp"

namespace lockstep {

/// Deals out a block to each processor of a torus of q x q.
/// Errors: invalid_argument for another network.
[[nodiscard]] inline block_grid blocks_of_torus(arguments const& given, std::size_t inner_parts) {
  auto const* const network = dynamic_cast<torus const*>(&given.network());
  if (network == nullptr || network->sizes().size() != 2 ||
      network->sizes().front() != network->sizes().back()) {
    int side = 1;
    while ((side + 1) * (side + 1) <= given.processors()) ++side;
    throw invalid_argument(
        fmt::format("{} is not a torus of q x q processors; take one, for example torus:{}x{}",
                    given.network().spec(), side, side));
  }
  auto const side = network->sizes().front();
  return {side, inner_parts, [](int rank) { return rank; }, side / 2};
}

}  // namespace lockstep
