// A string_view as an element would look at the sender's memory.
#include <string_view>
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  std::vector<std::string_view> const names(3);
  me.send(1, names.size());
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  me.send(1, names);
#endif
}
