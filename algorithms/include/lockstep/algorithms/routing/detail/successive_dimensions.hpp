#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// Lists the dimensions first .. first + count - 1.
[[nodiscard]] inline dimensions successive_dimensions(int first, int count) {
  std::vector<int> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), first);
  return dimensions(std::move(list));
}

}  // namespace lockstep::detail
