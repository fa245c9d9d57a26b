#include <lockstep/processor.hpp>

long from_opposite(lockstep::processor& /*me*/, long own) { return own; }
