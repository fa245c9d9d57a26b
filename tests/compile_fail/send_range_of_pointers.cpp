// Nor can pointers travel inside a range.
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  me.send(1, std::vector<long>{1, 2});
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  me.send(1, std::vector<long*>{nullptr, nullptr});
#endif
}
