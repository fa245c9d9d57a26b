// The type that is named is that of an element.
#include <vector>

#include <lockstep/machine.hpp>

void start(lockstep::machine const& machine) {
  machine.run([](lockstep::processor& me) { return me.receive<std::vector<int>>(1); });
}
