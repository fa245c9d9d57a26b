#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/algorithms/schedules/goal_schedule.hpp>

namespace lockstep::detail {

/// The operations of each rank, in the order in which they run, and what that comes from.
struct read_goal {
  std::vector<std::vector<goal_operation>> ranks;
  std::vector<std::vector<int>> subsets;
  std::vector<std::string> phases;
  std::vector<std::string> exceptions;
  goal_order order;
  std::optional<goal_machine> machine;
};

/// Reads GOAL. Errors: invalid_argument, with the file and the line.
[[nodiscard]] read_goal read_goal_text(std::istream& in, std::string const& file);

/// Reads the machine that stands before the ranks, if one does. Errors: the same.
[[nodiscard]] std::optional<goal_machine> read_goal_machine(std::istream& in,
                                                            std::string const& file);

}  // namespace lockstep::detail
