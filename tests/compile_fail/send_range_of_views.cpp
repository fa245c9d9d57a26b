// A view of memory cannot be an element of a message.
#include <span>
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  std::vector<int> const values{1, 2};
  me.send(1, std::span<int const>(values));  // a span of elements is sent as its elements
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  me.send(1, std::vector<std::span<int const>>{values});
#endif
}
