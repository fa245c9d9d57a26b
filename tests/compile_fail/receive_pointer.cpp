// A pointer cannot be received, either.

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  static_cast<void>(me.receive_value<int>(1));
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  static_cast<void>(me.receive_value<int*>(1));
#endif
}
