#pragma once

#include <string>
#include <vector>

#include <lockstep/experiments/experiment.hpp>

namespace lockstep::memory_test {

/// A run whose memory is estimated and measured.
struct memory_row {
  char const* algorithm;
  char const* on;
  std::vector<std::pair<char const*, std::int64_t>> parameters{};
};

/// The estimate and the measurement of a run, in bytes beside what the process had before.
struct memory_of_run {
  std::uint64_t estimate = 0;
  std::uint64_t peak = 0;
  double seconds = 0;
  std::string error{};  ///< why there is none of it

  [[nodiscard]] double ratio() const {
    return static_cast<double>(estimate) / static_cast<double>(peak);
  }
};

/// Runs it in a process of its own.
[[nodiscard]] memory_of_run measured(memory_row const& row, stacks kind);

}  // namespace lockstep::memory_test
