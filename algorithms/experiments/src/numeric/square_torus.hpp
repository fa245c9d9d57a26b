#pragma once

#include <cstddef>

#include <lockstep/algorithms/numeric/detail/square_torus_side.hpp>

#include "harness/arguments.hpp"
#include "numeric/product_problem.hpp"

namespace lockstep {

/// Deals out a block to each processor of a torus of q x q.
/// Errors: invalid_argument for another network.
[[nodiscard]] inline block_grid blocks_of_torus(arguments const& given, std::size_t inner_parts) {
  auto const side = detail::side_of_square_torus(given.network());
  return {side, inner_parts, [](int rank) { return rank; }, side / 2};
}

}  // namespace lockstep
