#include <lockstep/processor.hpp>

long total(lockstep::processor& me, long own) {
  int const next = (me.rank() + 1) % me.size();
  int const previous = (me.rank() + me.size() - 1) % me.size();
  long sum = own;
  for (int step = 1; step < me.size(); ++step) {
    me.send(next, sum);
    sum += me.receive_value<long>(previous);  // a sum in which values are more than once
  }
  return sum;
}
