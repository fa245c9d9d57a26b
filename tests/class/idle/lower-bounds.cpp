#include <lockstep/processor.hpp>

long largest(lockstep::processor& /*me*/, long own) { return own; }
