// A message is data: a pointer means nothing in another processor's memory. The message names the
// concept that says what a message can carry.

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  int value = 1;
  me.send(1, &value);
}
