// Eight processors in a ring: each greets the one to its right and hears from the one to its left.
#include <iostream>
#include <string>

#include <lockstep/lockstep.hpp>

int main() {
  lockstep::machine ring{lockstep::torus{{8}}};

  auto run = ring.run([](lockstep::processor& me) {
    int const left = (me.rank() + me.size() - 1) % me.size();
    auto const to_the_right = lockstep::along{.dimension = 0, .offset = +1};
    std::string const greeting = "Hello from processor " + std::to_string(me.rank());

    auto const heard = me.exchange(to_the_right, greeting, left);  // a message of 22 characters
    return std::string(heard.begin(), heard.end());
  });

  for (auto const& heard : run.results()) std::cout << heard << '\n';
  std::cout << '\n' << run.summary();
}

// prints: Hello from processor 7
// prints: Hello from processor 0
// prints: Hello from processor 6
// prints: steps               1
