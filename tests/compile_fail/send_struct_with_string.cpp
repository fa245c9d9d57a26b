// A struct is sent byte by byte: none of its members may hold memory of its own.
#include <string>

#include <lockstep/processor.hpp>

struct plain {
  char label[8] = {};
  int value = 0;
};

struct labelled {
  std::string label;
  int value = 0;
};

void program(lockstep::processor& me) {
  me.send(1, plain{});
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  me.send(1, labelled{});
#endif
}
