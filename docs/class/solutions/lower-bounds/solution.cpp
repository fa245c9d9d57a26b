#include <lockstep/processor.hpp>

#include <algorithm>

// After k steps a processor knows the largest of the 2^k values that end with its own, around the
// ring of ranks. At the end some are counted twice, which a maximum does not mind.
long largest(lockstep::processor& me, long own) {
  int const p = me.size();
  for (int distance = 1; distance < p; distance *= 2) {
    int const to = (me.rank() + distance) % p;
    int const from = (me.rank() + p - distance) % p;
    own = std::max(own, me.exchange(to, own, from));
  }
  return own;
}
