#include <lockstep/processor.hpp>

#include <vector>

std::vector<std::vector<long>> deliver(lockstep::processor& /*me*/,
                                       std::vector<std::vector<long>> messages) {
  return messages;
}
