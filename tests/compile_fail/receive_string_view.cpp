// A view cannot be received: there would be nothing for it to look at.
#include <string_view>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  static_cast<void>(me.receive<char>(1));
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  static_cast<void>(me.receive_value<std::string_view>(1));
#endif
}
