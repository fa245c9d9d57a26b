// A program of your own, with its costs asserted as a test would: a broadcast on a hypercube, which
// in step i doubles the processors that know the message, across dimension i.
#include <cstdint>
#include <iostream>
#include <string_view>
#include <vector>

#include <lockstep/lockstep.hpp>

/// Every processor returns with the values that processor 0 came with.
void broadcast(lockstep::processor& me, std::vector<double>& values) {
  for (int informed = 1; informed < me.size(); informed *= 2) {
    if (me.rank() < informed)
      me.send(me.rank() + informed, values);
    else if (me.rank() < 2 * informed)
      values = me.receive<double>(me.rank() - informed);
  }
}

bool check(std::string_view figure, std::uint64_t counted, std::uint64_t expected) {
  std::cout << figure << ' ' << counted << (counted == expected ? ", as expected\n" : ", WRONG\n");
  return counted == expected;
}

int main() {
  int const dimensions = 6;
  std::vector<double> const values(100, 3.14);

  lockstep::machine cube{lockstep::hypercube{dimensions}};
  auto run = cube.run([&](lockstep::processor& me) {
    auto mine = me.rank() == 0 ? values : std::vector<double>{};
    broadcast(me, mine);
    return mine == values;
  });

  bool all_right = true;
  for (bool const informed : run.results()) all_right = all_right && informed;

  auto const& counts = run.counts();
  all_right &= check("steps", counts.steps, dimensions);                  // log2 p
  all_right &= check("start-ups", counts.startups, dimensions);           // one a step
  all_right &= check("words", counts.words, dimensions * values.size());  // m log2 p
  all_right &= check("messages", counts.messages, 63);     // one to each but the first
  all_right &= check("contention", counts.contention, 1);  // nobody shares a link
  return all_right ? 0 : 1;
}

// prints: steps 6, as expected
// prints: contention 1, as expected
