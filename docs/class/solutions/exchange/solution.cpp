#include <lockstep/processor.hpp>

#include <vector>

// Slot j has a block that has to go to the processor whose rank differs in the bits of j. It
// crosses those dimensions, one after another, and always stands in slot j.
std::vector<long> exchange(lockstep::processor& me, std::vector<long> blocks) {
  int const p = me.size();
  std::vector<long> slots;
  for (int j = 0; j < p; ++j) slots.push_back(blocks[me.rank() ^ j]);
  for (int bit = 1; bit < p; bit *= 2) {
    std::vector<long> leaving;
    for (int j = 0; j < p; ++j)
      if ((j & bit) != 0) leaving.push_back(slots[j]);
    auto const arrived = me.exchange(me.rank() ^ bit, leaving);
    for (int j = 0, next = 0; j < p; ++j)
      if ((j & bit) != 0) slots[j] = arrived[next++];
  }
  for (int j = 0; j < p; ++j) blocks[me.rank() ^ j] = slots[j];
  return blocks;
}
