// A vector<bool> holds no bools that could be copied.
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  me.send(1, std::vector<char>{1, 0});
  me.send(1, true);
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  me.send(1, std::vector<bool>{true, false});
#endif
}
