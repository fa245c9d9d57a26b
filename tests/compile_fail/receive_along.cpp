// A processor receives from a rank.

#include <lockstep/machine.hpp>

void start(lockstep::machine const& machine) {
  machine.run([](lockstep::processor& me) { return me.receive<int>(lockstep::along{0, 1}); });
}
