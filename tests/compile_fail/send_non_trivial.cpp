// Elements are trivially copyable: a string holds memory of its own.
#include <string>
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  std::string const text = "abc";
  me.send(1, text);  // as its characters
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  me.send(1, std::vector<std::string>{text});
#endif
}
