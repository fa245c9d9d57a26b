#pragma once

namespace lockstep::cli {

/// The status with which the command line ends.
enum class exit_status {
  all_right = 0,
  wrong = 1,     ///< a wrong result, a machine error, or a claim that unexpectedly does not hold
  bad_usage = 2  ///< bad usage or input
};

}  // namespace lockstep::cli
