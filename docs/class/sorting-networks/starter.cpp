#include <lockstep/processor.hpp>

#include <algorithm>

// A sort on a hypercube, a key on each processor: processor i returns the i-th smallest key.
// Bitonic merges take d(d + 1)/2 steps.
long sort(lockstep::processor& me, long key) {
  for (int bit = me.size() / 2; bit > 0; bit /= 2) {
    long const other = me.exchange(me.rank() ^ bit, key);
    bool const keeps_smaller = (me.rank() & bit) == 0;
    key = keeps_smaller ? std::min(key, other) : std::max(key, other);
  }
  return key;  // this merges a bitonic sequence; what makes one?
}
