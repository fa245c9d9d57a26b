#pragma once

#include <string>

#include "system/exit_status.hpp"

/// The status, and what was printed.
struct printed {
  lockstep::cli::exit_status status;
  std::string out;
};
