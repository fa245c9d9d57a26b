#include <lockstep/processor.hpp>

long sort(lockstep::processor& /*me*/, long key) { return key; }
