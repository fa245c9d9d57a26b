#include <lockstep/processor.hpp>

#include <cmath>

long product(lockstep::processor& me, long a, long b) {
  int const q = static_cast<int>(std::lround(std::sqrt(me.size())));
  int const row = me.rank() / q;
  int const column = me.rank() % q;
  auto const at = [q](int i, int j) { return (i + q) % q * q + (j + q) % q; };
  // Afterwards processor (i, j) has a_ik and b_kj with k = i + j.
  if (row != 0) a = me.exchange(at(row, column - row), a, at(row, column + row));
  if (column != 0) b = me.exchange(at(row - column, column), b, at(row + column, column));
  long sum = a * b;
  for (int k = 1; k < q; ++k) {
    a = me.exchange(at(row, column - 1), a, at(row, column + 1));
    b = me.exchange(at(row - 1, column), b, at(row + 1, column));
    sum += a * b;
  }
  return sum;
}
