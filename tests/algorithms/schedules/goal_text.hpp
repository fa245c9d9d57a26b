#pragma once

#include <sstream>
#include <string>

#include <lockstep/algorithms/schedules/goal_schedule.hpp>

namespace reference {

/// Reads a schedule, as from a file "s.goal".
inline lockstep::goal_schedule schedule_of(std::string const& text) {
  std::istringstream in(text);
  return lockstep::goal_schedule::read(in, "s.goal");
}

}  // namespace reference
