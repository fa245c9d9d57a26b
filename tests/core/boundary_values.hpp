#pragma once

#include <cstdint>
#include <exception>
#include <limits>
#include <string>

#include "core/machines.hpp"

/// Values at the ends of ranges, and what comes of calls with them.
namespace boundary {

inline constexpr auto most = std::numeric_limits<std::uint64_t>::max();
inline constexpr int most_int = std::numeric_limits<int>::max();
inline constexpr int least_int = std::numeric_limits<int>::min();

constexpr std::uint64_t power(unsigned exponent) { return std::uint64_t{1} << exponent; }

/// "right", or the class of the error that came.
template <class Action>
std::string came_of(Action&& action) {
  try {
    action();
  } catch (lockstep::error const& refused) {
    return reference::kind_of(refused);
  } catch (std::exception const& foreign) {
    return foreign.what();
  }
  return "right";
}

}  // namespace boundary
