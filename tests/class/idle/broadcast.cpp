#include <lockstep/processor.hpp>

long broadcast(lockstep::processor& /*me*/, int /*root*/, long value) { return value; }
