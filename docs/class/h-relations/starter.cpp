#include <lockstep/processor.hpp>

#include <vector>

// Everybody has a message for everybody else: messages[j] is for processor j. Processor i returns
// what came from processor j in place j, and nothing in place i. No more than p - 1 steps, on a
// strict machine: no message may queue at a hot spot.
std::vector<std::vector<long>> deliver(lockstep::processor& me,
                                       std::vector<std::vector<long>> messages) {
  std::vector<std::vector<long>> arrived(me.size());
  for (int to = 0; to < me.size(); ++to)  // all begin with processor 0
    if (to != me.rank()) me.send(to, messages[to]);
  for (int from = 0; from < me.size(); ++from)
    if (from != me.rank()) arrived[from] = me.receive<long>(from);
  return arrived;
}
