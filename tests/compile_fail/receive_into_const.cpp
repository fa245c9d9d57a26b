// Messages are received into memory that can be written.
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  std::vector<int> const fixed(2);
  me.receive_into(1, fixed);
}
