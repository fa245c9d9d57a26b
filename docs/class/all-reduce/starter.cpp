#include <lockstep/processor.hpp>

#include <vector>

// An all-reduce of vectors on a ring: everybody returns the sum of all vectors, word by word. The
// vectors have p pieces of m words. At most 2(p - 1) steps, and 2(p - 1)m words: p - 1 steps in
// which pieces are added, and p - 1 in which the sums are handed on.
std::vector<long> all_reduce(lockstep::processor& me, std::vector<long> own) {
  int const p = me.size();
  int const right = (me.rank() + 1) % p;
  int const left = (me.rank() + p - 1) % p;
  auto sums = own;
  for (int step = 1; step < p; ++step) {  // right, but whole vectors go round
    own = me.exchange(right, own, left);
    for (std::size_t i = 0; i < own.size(); ++i) sums[i] += own[i];
  }
  return sums;
}
