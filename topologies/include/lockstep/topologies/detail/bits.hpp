#pragma once

#include <span>
#include <string>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// Lists the lowest `count` bits of a rank, bit 0 first.
[[nodiscard]] std::vector<int> bits_of(int rank, int count);

/// Finds the rank with these bits, bit 0 first.
/// Errors: invalid_argument unless there are `count` of them, each 0 or 1.
[[nodiscard]] int rank_of_bits(topology const& network, std::span<int const> bits, int count);

/// Writes " 3 0011", for a chart: the rank and its lowest `count` bits, the highest first.
[[nodiscard]] std::string label_with_bits(topology const& network, int rank, int count);

}  // namespace lockstep::detail
