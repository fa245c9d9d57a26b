// Of fmt this includes what formats alone: that is enough for counts.
#include <lockstep/counts.hpp>

#include <string>

#include <fmt/core.h>

#include "catch.hpp"

TEST_CASE("counts are formatted as texts", "[counts]") {
  lockstep::counts const some{.steps = 12, .words = 34};
  auto const text = lockstep::to_string(some);
  CHECK(text.find("steps 12") == 0);
  CHECK(fmt::format("{}", some) == text);
  auto const width = text.size() + 3;
  CHECK(fmt::format("{:>{}}|", some, width) == "   " + text + "|");
}
