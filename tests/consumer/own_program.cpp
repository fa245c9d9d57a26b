#include <lockstep/main.hpp>

long sum_of_all(lockstep::processor& me) {
  long sum = me.rank();
  for (int bit = 1; bit < me.size(); bit *= 2) sum += me.exchange(me.rank() ^ bit, sum);
  return sum;
}

int main(int argc, char** argv) { return lockstep::main(argc, argv, "sum", sum_of_all); }
