#include <lockstep/processor.hpp>

// In step k the processors that have the value, those that differ from the root in the first k
// dimensions only, send it across the next one.
long broadcast(lockstep::processor& me, int root, long value) {
  int const relative = me.rank() ^ root;
  for (int bit = 1; bit < me.size(); bit *= 2) {
    int const partner = me.rank() ^ bit;
    if (relative < bit) me.send(partner, value);
    if (relative >= bit && relative < 2 * bit) value = me.receive_value<long>(partner);
  }
  return value;
}
