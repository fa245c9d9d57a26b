// A vector<bool> has no bools that could be written to.
#include <array>
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  std::array<bool, 2> bools{};
  me.receive_into(1, bools);
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  std::vector<bool> packed(2);
  me.receive_into(1, packed);
#endif
}
