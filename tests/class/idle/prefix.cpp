#include <lockstep/processor.hpp>

long prefix(lockstep::processor& /*me*/, long own) { return own; }
