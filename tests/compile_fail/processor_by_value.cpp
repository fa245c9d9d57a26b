// A program takes its processor by reference: it cannot be copied and kept. The message says how a
// program is called.

#include <lockstep/machine.hpp>

void start(lockstep::machine const& machine) {
  machine.run([](lockstep::processor me) { me.barrier(); });
}
