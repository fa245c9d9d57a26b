#pragma once

#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>

/// What the program's refusal of that type says; "not refused" if it ran through, or threw another.
template <class Refusal, class Program>
std::string refusal_of(lockstep::machine const& on, Program const& program) {
  try {
    on.run(program);
  } catch (lockstep::processor_failed const& failed) {
    try {
      std::rethrow_if_nested(failed);
    } catch (Refusal const& refused) {
      return refused.message();
    }
  }
  return "not refused";
}

/// The refusal, of arguments if nothing else is asked for, by a call outside of a machine; "not refused" if there is
/// none.
template <class Refusal = lockstep::invalid_argument, class Call>
std::string refusal_of_call(Call const& call) {
  try {
    static_cast<void>(call());
  } catch (Refusal const& refused) {
    return refused.message();
  }
  return "not refused";
}
