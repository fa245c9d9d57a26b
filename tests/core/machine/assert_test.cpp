// LOCKSTEP_ASSERT and its levels.

#include <string>
#include <utility>

#include <lockstep/assert.hpp>

#include "catch.hpp"

namespace {

int looked_at = 0;

bool holds(bool value) {
  ++looked_at;
  return value;
}

}  // namespace

// A condition is looked at, or not, as the level says where it stands.
#undef LOCKSTEP_ASSERT_LEVEL
#define LOCKSTEP_ASSERT_LEVEL LOCKSTEP_ASSERT_OFF

TEST_CASE("asserts that are off are not looked at", "[core][assert]") {
  looked_at = 0;
  CHECK_NOTHROW([] { LOCKSTEP_ASSERT(light, holds(false)); }());
  CHECK_NOTHROW([] { LOCKSTEP_ASSERT(heavy, holds(false)); }());
  CHECK(looked_at == 0);
}

#undef LOCKSTEP_ASSERT_LEVEL
#define LOCKSTEP_ASSERT_LEVEL LOCKSTEP_ASSERT_LIGHT

TEST_CASE("light asserts are looked at without heavy ones", "[core][assert]") {
  looked_at = 0;
  CHECK_NOTHROW([] { LOCKSTEP_ASSERT(light, holds(true)); }());
  CHECK_NOTHROW([] { LOCKSTEP_ASSERT(heavy, holds(false)); }());
  CHECK(looked_at == 1);
  CHECK_THROWS_AS([] { LOCKSTEP_ASSERT(light, holds(false)); }(), lockstep::broken_invariant);
}

#undef LOCKSTEP_ASSERT_LEVEL
#define LOCKSTEP_ASSERT_LEVEL LOCKSTEP_ASSERT_HEAVY

TEST_CASE("heavy asserts are checked with light ones, and report the condition and the place",
          "[core][assert]") {
  CHECK_THROWS_AS([] { LOCKSTEP_ASSERT(light, holds(false)); }(), lockstep::broken_invariant);
  try {
    LOCKSTEP_ASSERT(heavy, holds(1 < 2) && std::pair<int, int>{1, 2}.first == 2);
    FAIL("nothing was thrown");
  } catch (lockstep::broken_invariant const& thrown) {
    CHECK(thrown.message().find("holds(1 < 2) && std::pair<int, int>{1, 2}.first == 2") !=
          std::string::npos);
    CHECK(std::string(thrown.where().file_name()).find("assert_test.cpp") != std::string::npos);
  }
}
