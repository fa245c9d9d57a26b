#include <lockstep/processor.hpp>

// A broadcast on a hypercube: `value` counts only at `root`, and every processor returns that one.
// At most log2 p steps; only neighbours may talk: me.rank() ^ 1, me.rank() ^ 2, me.rank() ^ 4, ...
long broadcast(lockstep::processor& me, int root, long value) {
  if (me.rank() == root && me.size() > 1) me.send(root ^ 1, value);
  if (me.rank() == (root ^ 1)) value = me.receive_value<long>(root);
  return value;  // two processors have it now
}
