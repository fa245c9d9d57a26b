// A message is data: a pointer means nothing in another processor's memory.

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  int value = 1;
  me.send(1, &value);
}
