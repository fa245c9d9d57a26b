#include <lockstep/processor.hpp>

// Each processor keeps the sum of its subcube, which it sends, and the prefix in it.
long prefix(lockstep::processor& me, long own) {
  long sum = own;
  long prefix = own;
  for (int bit = 1; bit < me.size(); bit *= 2) {
    long const arrived = me.exchange(me.rank() ^ bit, sum);
    if ((me.rank() & bit) != 0) prefix += arrived;  // the other half comes before
    sum += arrived;
  }
  return prefix;
}
