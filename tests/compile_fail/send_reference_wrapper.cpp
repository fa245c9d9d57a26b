// A reference wrapper is a pointer in disguise.
#include <functional>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  int value = 5;
  me.send(1, std::ref(value).get());
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  me.send(1, std::ref(value));
#endif
}
