#include <lockstep/processor.hpp>

#include <algorithm>

// Subcubes of 2, 4, 8, ... processors are merged, every second one downwards, so that two
// neighbouring ones are a bitonic sequence for the next merge.
long sort(lockstep::processor& me, long key) {
  for (int size = 2; size <= me.size(); size *= 2) {
    bool const upwards = (me.rank() & size) == 0;
    for (int bit = size / 2; bit > 0; bit /= 2) {
      long const other = me.exchange(me.rank() ^ bit, key);
      bool const is_lower = (me.rank() & bit) == 0;
      key = is_lower == upwards ? std::min(key, other) : std::max(key, other);
    }
  }
  return key;
}
