#pragma once

#include <string>
#include <utility>

#include <lockstep/machine.hpp>

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

}  // namespace reference
