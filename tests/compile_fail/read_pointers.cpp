// What others read is data as well.
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  std::vector<int> const numbers(3);
  static_cast<void>(me.read(1, 0, 1, numbers));
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  std::vector<int*> const pointers(3);
  static_cast<void>(me.read(1, 0, 1, pointers));
#endif
}
