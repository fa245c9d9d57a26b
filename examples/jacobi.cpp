// The temperature of a plate whose edges are held at fixed values: Jacobi's method on a mesh of 3 x 4 processors,
// each with a block of 4 x 3 points. Checked against one processor's computation.
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <utility>
#include <vector>

#include <lockstep/lockstep.hpp>

namespace {

constexpr std::size_t rows = 4, columns = 3, sweeps = 50;  // of a block

/// The mean of the four neighbours of each point of a plate, but of those at its edges.
std::vector<double> relaxed(std::vector<double> const& plate, std::size_t width) {
  auto next = plate;
  for (std::size_t at = width; at + width < plate.size(); ++at)
    if (at % width != 0 && at % width != width - 1)
      next[at] = (plate[at - width] + plate[at + width] + plate[at - 1] + plate[at + 1]) / 4;
  return next;
}

/// 100 degrees on the first row, 0 elsewhere.
double begins_at(std::size_t row) { return row == 0 ? 100 : 0; }

std::vector<double> plate_of(std::size_t first_row, std::size_t height, std::size_t width) {
  std::vector<double> plate;
  for (std::size_t row = 0; row < height; ++row)
    plate.insert(plate.end(), width, begins_at(first_row + row));
  return plate;
}

}  // namespace

int main() {
  lockstep::machine machine{"mesh:3x4", {.strict = true}};
  auto const run = machine.run([](lockstep::processor& me) {
    auto const place = me.topology().coordinates(me.rank());
    auto mine = plate_of(static_cast<std::size_t>(place[0]) * rows, rows + 2, columns + 2);
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
      lockstep::exchange_halo(me, {{rows, columns}}, mine);
      mine = relaxed(mine, columns + 2);
    }
    return mine;
  });

  auto const width = 4 * columns + 2;
  auto whole = plate_of(0, 3 * rows + 2, width);
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) whole = relaxed(whole, width);
  std::size_t equal = 0;
  for (std::size_t rank = 0; rank < 12; ++rank)
    for (std::size_t row = 1; row <= rows; ++row)
      for (std::size_t column = 1; column <= columns; ++column)
        if (run.results()[rank][row * (columns + 2) + column] ==
            whole[(rank / 4 * rows + row) * width + rank % 4 * columns + column])
          ++equal;
  std::cout << equal << " of " << 12 * rows * columns << " points as one processor computes them\n"
            << run.summary();
  return equal == 12 * rows * columns ? 0 : 1;
}

// prints: 144 of 144 points as one processor computes them
// prints: steps              200
