#pragma once

#include <source_location>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

/// Calls `make`, whose checks stand in functions below. An invalid_argument of one of these names
/// `where`, the line of the program, and not the check.
template <class Make>
decltype(auto) errors_at(std::source_location where, Make const& make) {
  try {
    return make();
  } catch (invalid_argument const& thrown) {
    throw invalid_argument(thrown.message(), where);
  }
}

}  // namespace lockstep::detail
