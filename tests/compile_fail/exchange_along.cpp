// A way names the processor that a message goes to, and not the one that a message comes from.

#include <lockstep/machine.hpp>

void start(lockstep::machine const& machine) {
  machine.run([](lockstep::processor& me) { return me.exchange(lockstep::along{1, 1}, 5); });
}
