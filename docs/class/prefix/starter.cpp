#include <lockstep/processor.hpp>

// Prefix sums on a hypercube: processor i returns the sum of the values of processors 0 to i.
// At most log2 p steps, each with messages of a single word.
long prefix(lockstep::processor& me, long own) {
  long sum = own;
  for (int bit = 1; bit < me.size(); bit *= 2) {
    long const arrived = me.exchange(me.rank() ^ bit, sum);
    sum += arrived;  // everybody gets the sum of all: which sum has to be kept apart?
  }
  return sum;
}
