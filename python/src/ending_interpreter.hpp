#pragma once

#include <cxxabi.h>
#include <unistd.h>

namespace lockstep::python {

/// Calls Python from a run.
///
/// While the interpreter ends, CPython unwinds the stack of each other thread that wants its lock. Those of a run
/// lie on stacks of greenlets and of the machine, and are not unwound: such a thread waits here until the process
/// ends, as CPython itself has them do from 3.14 on. g++ binds the reference to no object, which its
/// UndefinedBehaviorSanitizer would report.
template <class Call>
__attribute__((no_sanitize("null"))) decltype(auto) kept_from_unwinding(Call call) {
  try {
    return call();
  } catch (abi::__forced_unwind const&) {
    for (;;) ::pause();
  }
}

}  // namespace lockstep::python
