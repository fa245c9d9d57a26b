#include <lockstep/algorithms/affine_cost.hpp>

#include "catch.hpp"

using Catch::Matchers::WithinAbs;
using lockstep::affine_cost;
using lockstep::break_even_block_size;

TEST_CASE("a line is what does not depend on the block size, and what does") {
  lockstep::counts measured;
  measured.startups = 10;
  measured.words = 1280;
  measured.hops = 30;
  measured.barriers = 9;
  measured.rearranged = 768;
  // 10 x 75 + 30 x 0.02 + 9 x (126 x 8 - 113), and 1280 x 0.011 + 768 x 0.014
  auto const line = lockstep::line_of(measured, lockstep::paragon(), 256);
  CHECK_THAT(line.fixed_us, WithinAbs(8805.6, 1e-9));
  CHECK_THAT(line.us_per_byte, WithinAbs(24.832, 1e-9));
  CHECK_THAT(line.at(10), WithinAbs(9053.92, 1e-9));
  // The same with t_b of 4 dimensions: 9 x 391 instead of 9 x 895.
  CHECK_THAT(lockstep::line_of(measured, lockstep::paragon(), 16).fixed_us,
             WithinAbs(8805.6 - 9 * 504, 1e-9));
}

TEST_CASE("the one with the higher start and the lesser slope is faster for large blocks") {
  CHECK(break_even_block_size({100, 2}, {40, 5}) == 20);
  CHECK(break_even_block_size({40, 2}, {100, 5}) == 0);
  CHECK(break_even_block_size({40, 2}, {100, 2}) == 0);
  CHECK(break_even_block_size({40, 2}, {40, 5}) == 0);
  CHECK_FALSE(break_even_block_size({40, 5}, {100, 2}));
  CHECK_FALSE(break_even_block_size({100, 2}, {40, 2}));
  CHECK_FALSE(break_even_block_size({40, 2}, {40, 2}));
}
