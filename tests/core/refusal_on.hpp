#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <lockstep/machine.hpp>

#include "catch.hpp"

namespace reference {

/// Runs a program that has to end by that error. Result: its text, or that there was none.
template <class Error, class Program>
std::string refusal_on(lockstep::machine const& of, Program&& program) {
  try {
    static_cast<void>(of.run(std::forward<Program>(program)));
  } catch (Error const& refused) {
    return refused.what();
  }
  return "no such error";
}

/// The step in which an error arose, and whose it was.
using step_and_rank = std::pair<std::uint64_t, int>;

/// Runs a program that has to end by that error. Result: where it arose.
template <class Error, class Program>
step_and_rank error_place(lockstep::machine const& of, Program const& program) {
  try {
    static_cast<void>(of.run(program));
  } catch (Error const& caught) {
    return {caught.step(), caught.rank()};
  }
  FAIL("the run ends without the error");
  return {};
}

}  // namespace reference
