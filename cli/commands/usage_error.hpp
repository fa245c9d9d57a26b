#pragma once

#include <stdexcept>

namespace lockstep::cli {

/// Bad usage: one line that says what to do. The command line ends with status 2.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lockstep::cli
