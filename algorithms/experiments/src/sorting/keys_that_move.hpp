#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/lower_bounds.hpp>

namespace lockstep {

/// Says what every program needs that sorts k keys of each processor: a processor takes in the keys
/// of its sorted block that it does not have. `own`, `sorted`: one processor's keys after the
/// other's.
[[nodiscard]] traffic_requirement keys_that_move(std::vector<std::int64_t> own,
                                                 std::vector<std::int64_t> const& sorted,
                                                 std::size_t k);

}  // namespace lockstep
