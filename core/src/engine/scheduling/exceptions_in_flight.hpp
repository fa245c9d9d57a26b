#pragma once

#include <cxxabi.h>

namespace lockstep::detail {

/// The exceptions of a thread, as the Itanium C++ ABI lays them out.
struct exceptions_in_flight {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

/// Finds those of the thread that calls.
[[nodiscard]] inline exceptions_in_flight* exceptions_of_thread() noexcept {
  return reinterpret_cast<exceptions_in_flight*>(abi::__cxa_get_globals());
}

}  // namespace lockstep::detail
