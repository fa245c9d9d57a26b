#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "harness/parameters.hpp"

namespace lockstep {

/// Small numbers, made from "seed".
[[nodiscard]] inline std::vector<std::int64_t> generated_numbers(experiment_request const& asked,
                                                                 std::size_t count) {
  std::mt19937_64 random(static_cast<std::uint64_t>(whole_number(asked, "seed", 1, 0)));
  std::vector<std::int64_t> numbers(count);
  for (auto& each : numbers) each = static_cast<std::int64_t>(random() % 2001) - 1000;
  return numbers;
}

}  // namespace lockstep
