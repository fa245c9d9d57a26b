#include <cstdint>

#include <lockstep/memory.hpp>

#include "catch.hpp"

TEST_CASE("the memory that is available is some, and no more than a computer has", "[core]") {
  CHECK(lockstep::available_memory() > 1'000'000);
  CHECK(lockstep::available_memory() < std::uint64_t{1} << 60U);
}
