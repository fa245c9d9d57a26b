#pragma once

#include <string>

#include "../catch.hpp"
#include "contains.hpp"
#include "shell.hpp"

/// Checks that a command was refused: status 2, nothing printed, and one line that begins with the name
/// of the program and has `part`.
inline void check_refusal(finished const& refused, std::string const& part,
                          std::string const& program = "lockstep: ") {
  INFO(refused.err);
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK(lines_of(refused.err) == 1);
  CHECK(refused.err.starts_with(program));
  CHECK(contains(refused.err, part));
}
