#include <lockstep/processor.hpp>

#include <vector>

std::vector<long> all_reduce(lockstep::processor& /*me*/, std::vector<long> own) { return own; }
