// A ring of three, of lockstep::core alone; and an error of the library's, caught outside of it.
#include <iostream>
#include <string>
#include <vector>

#include <lockstep/core.hpp>

#include "ring_of_three.hpp"

int main() {
  lockstep::machine ring{ring_of_three{}};
  auto const run = ring.run([](lockstep::processor& me) {
    return me.exchange((me.rank() + 1) % 3, me.rank(), (me.rank() + 2) % 3);
  });
  std::cout << run.counts() << '\n';
  if (run.counts().steps != 1 || run.counts().messages != 3 || run.results()[0] != 2) return 1;
  try {
    ring.run([](lockstep::processor& me) {
      static_cast<void>(me.receive_value<int>((me.rank() + 1) % 3));
    });
  } catch (lockstep::deadlock const& problem) {
    std::cout << problem.what() << '\n';
    return 0;
  }
  return 1;
}
