#include <lockstep/processor.hpp>

// The sum of all values, on every processor of a ring: each value goes once around it.
long total(lockstep::processor& me, long own) {
  int const next = (me.rank() + 1) % me.size();
  int const previous = (me.rank() + me.size() - 1) % me.size();
  long sum = own;
  long passing = own;
  for (int step = 1; step < me.size(); ++step) {
    me.send(next, passing);
    passing = me.receive_value<long>(previous);
    sum += passing;
  }
  return sum;
}
