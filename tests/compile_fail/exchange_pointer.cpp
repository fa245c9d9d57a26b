// exchange carries what send carries, and no pointers.

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  int const value = 5;
  static_cast<void>(me.exchange(1, value));
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  static_cast<void>(me.exchange(1, &value));
#endif
}
