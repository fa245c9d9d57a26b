#pragma once

#include <cstdint>
#include <ostream>

#include <lockstep/experiments/experiment.hpp>

namespace lockstep {

/// The members of a problem whose input is generated and whose result no file gets.
struct problem_without_files {
  [[nodiscard]] static std::uint64_t pieces_to_check() { return 0; }
  [[nodiscard]] static std::uint64_t pieces_to_write() { return 0; }
  template <class Results>
  static void write(std::ostream& /*out*/, Results const& /*results*/) {}
  static void add_size_to(experiment_result& /*result*/) {}
};

}  // namespace lockstep
