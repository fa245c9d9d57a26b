// A program says which type it receives.

#include <lockstep/machine.hpp>

void start(lockstep::machine const& machine) {
  machine.run([](lockstep::processor& me) { return me.receive(1); });
}
