// An array of pointers cannot be received, either.
#include <array>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  static_cast<void>(me.receive_value<std::array<int, 2>>(1));
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  static_cast<void>(me.receive_value<std::array<int*, 2>>(1));
#endif
}
