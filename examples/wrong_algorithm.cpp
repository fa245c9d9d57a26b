// A mistake that no result shows. An all-gather on a ring should pass the blocks on, by one link in
// each step. The wrong one sends its own block farther and farther instead: all processors end up
// with all blocks, in the same number of steps, but messages share links. Asserted counts find it,
// and the report says in which step, on which link, and by which messages.
#include <cstdint>
#include <iostream>
#include <vector>

#include <lockstep/lockstep.hpp>

using block = std::vector<int>;

/// The blocks of all processors, each passed on to the right as it comes in.
std::vector<block> all_gather(lockstep::processor& me, block mine, bool with_mistake) {
  int const p = me.size();
  std::vector<block> blocks(static_cast<std::size_t>(p));
  block const own = mine;
  for (int step = 1; step < p; ++step) {
    int const offset = with_mistake ? step : 1;  // 1 is right
    int const left = (me.rank() + p - offset) % p;
    int const right = (me.rank() + offset) % p;
    mine = me.exchange(right, with_mistake ? own : mine, left);
    blocks[static_cast<std::size_t>((me.rank() + p - step) % p)] = mine;
  }
  blocks[static_cast<std::size_t>(me.rank())] = own;
  return blocks;
}

bool is_as_expected(bool with_mistake) {
  constexpr int p = 8;
  constexpr int m = 4;
  lockstep::machine ring{lockstep::torus{{p}}};
  auto run = ring.run([&](lockstep::processor& me) {
    auto const blocks = all_gather(me, block(m, me.rank()), with_mistake);
    for (int rank = 0; rank < p; ++rank)
      if (blocks[static_cast<std::size_t>(rank)] != block(m, rank)) return 0;
    return 1;
  });
  for (int const is_right : run.results())
    if (is_right == 0) std::cout << "a result is wrong\n";

  using namespace lockstep;
  auto const expected =
      takes(steps(p - 1)).words(std::uint64_t{p - 1} * m).hops(p - 1).contention_free();
  auto const found = expected.check(run);
  std::cout << expected.text() << '\n' << (found ? "as expected\n" : found.report) << '\n';
  return found.holds;
}

int main() {
  bool const right = is_as_expected(false);
  bool const wrong = is_as_expected(true);
  return right && !wrong ? 0 : 1;
}

// prints: takes steps = 7, words = 28, hops = 7, contention <= 1
// prints: as expected
// prints: takes steps = 7, words = 28, hops = 7, contention <= 1
// prints: counted on torus:8: steps 7, rounds 7, startups 7, words 28,
// prints: hops: 16, instead of 7
// prints:   step 4 takes hops from 6 to 10:
// prints:     0 -> 4: 4 words over 0 -> 1 -> 2 -> 3 -> 4
// prints: contention: 4, more than 1
// prints:   in step 2 the link 0 -> 1 carries 2 messages:
// prints:     7 -> 1: 4 words over 7 -> 0 -> 1
// prints:     0 -> 2: 4 words over 0 -> 1 -> 2
