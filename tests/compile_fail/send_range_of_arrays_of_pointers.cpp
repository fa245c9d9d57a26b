// Nor are arrays of them the elements of a message.
#include <array>
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  me.send(1, std::vector<std::array<int, 2>>(3));
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  me.send(1, std::vector<std::array<int*, 2>>(3));
#endif
}
