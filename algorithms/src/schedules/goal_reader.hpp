#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include <lockstep/algorithms/schedules/goal_schedule.hpp>

namespace lockstep::detail {

/// The operations of each rank, in the order in which they run, and how many ranks leave some of that
/// order to the file.
struct read_goal {
  std::vector<std::vector<goal_operation>> ranks;
  int partly_ordered = 0;
};

/// Reads GOAL. Errors: invalid_argument, with the file and the line.
[[nodiscard]] read_goal read_goal_text(std::istream& in, std::string const& file);

}  // namespace lockstep::detail
