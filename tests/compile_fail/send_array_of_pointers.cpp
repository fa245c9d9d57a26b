// An array of pointers is as little data as one of them.
#include <array>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  me.send(1, std::array<int, 2>{1, 2});
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  me.send(1, std::array<int*, 2>{});
#endif
}
