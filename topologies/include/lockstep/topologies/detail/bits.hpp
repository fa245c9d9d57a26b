#pragma once

#include <span>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// The lowest `count` bits of a rank, bit 0 first.
[[nodiscard]] std::vector<int> bits_of(int rank, int count);

/// The rank with these bits, bit 0 first.
/// Errors: invalid_argument unless there are `count` of them, each 0 or 1.
[[nodiscard]] int rank_of_bits(topology const& network, std::span<int const> bits, int count);

}  // namespace lockstep::detail
