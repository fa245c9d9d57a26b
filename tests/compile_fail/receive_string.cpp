// What cannot be sent cannot be received: a string comes as its characters.
#include <string>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  static_cast<void>(me.receive<char>(1));
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  static_cast<void>(me.receive<std::string>(1));
#endif
}
