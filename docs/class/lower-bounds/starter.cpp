#include <lockstep/processor.hpp>

#include <algorithm>

// Everybody returns the largest value of all, on a crossbar of any number of processors. Reach the
// lower bound: after k steps a processor can know of 2^k values at most, so that ceil(log2 p) steps
// are needed.
long largest(lockstep::processor& me, long own) {
  for (int bit = 1; bit < me.size(); bit *= 2) {
    int const partner = me.rank() ^ bit;
    if (partner < me.size())  // and those that have no partner?
      own = std::max(own, me.exchange(partner, own));
  }
  return own;
}
