// A function's address is a pointer like any other.

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  void (*const action)() = nullptr;
  me.send(1, action == nullptr);
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  me.send(1, action);
#endif
}
