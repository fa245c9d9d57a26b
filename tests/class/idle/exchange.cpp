#include <lockstep/processor.hpp>

#include <vector>

std::vector<long> exchange(lockstep::processor& /*me*/, std::vector<long> blocks) { return blocks; }
