#include <lockstep/processor.hpp>

#include <vector>

// A complete exchange on a hypercube: blocks[j] is for processor j, and blocks[j] of what a
// processor returns comes from processor j. At most d = log2 p steps, and d p/2 words: half of the
// blocks cross each dimension.
std::vector<long> exchange(lockstep::processor& me, std::vector<long> blocks) {
  for (int bit = 1; bit < me.size(); bit *= 2) {
    std::vector<long> leaving;  // which blocks have to cross this dimension?
    auto const arrived = me.exchange(me.rank() ^ bit, leaving);
  }
  return blocks;
}
