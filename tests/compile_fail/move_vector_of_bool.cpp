// A vector<bool> holds no bools that could be sent, moved or not.
#include <utility>
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  std::vector<char> bytes(3);
  me.send(1, std::move(bytes));
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  std::vector<bool> flags(3);
  me.send(1, std::move(flags));
#endif
}
