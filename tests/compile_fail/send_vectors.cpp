// Elements are data: a vector of vectors has them elsewhere.
#include <vector>

#include <lockstep/machine.hpp>

void start(lockstep::machine const& machine) {
  machine.run([](lockstep::processor& me) {
    std::vector<std::vector<int>> const rows(3);
    me.send(1, rows);
  });
}
