#include <lockstep/algorithms/nas_random.hpp>

#include "catch.hpp"

using lockstep::nas_random;

TEST_CASE("the NAS generator gives 5^13 x mod 2^46") {
  nas_random numbers;
  // By hand: 314159265 * 1220703125 = 383495196533203125, mod 2^46 (= 70368744177664).
  CHECK(numbers.next() == 383'495'196'533'203'125U % 70'368'744'177'664U);
  for (int k = 0; k < 1000; ++k) CHECK(numbers.next() < 70'368'744'177'664U);
}

TEST_CASE("the NAS generator begins anywhere") {
  nas_random from_the_start;
  for (std::uint64_t drawn = 0; drawn < 200; ++drawn) {
    nas_random from_there(drawn);
    CHECK(from_there.next() == from_the_start.next());
  }
}
