// A program takes its processor by reference: it is not to be copied and kept.

#include <lockstep/machine.hpp>

void start(lockstep::machine const& machine) {
  machine.run([](lockstep::processor& me) { me.barrier(); });
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  machine.run([](lockstep::processor me) { me.barrier(); });
#endif
}
