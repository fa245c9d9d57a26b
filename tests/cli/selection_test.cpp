#include "commands/selection.hpp"

#include <string>
#include <vector>

#include "../catch.hpp"
#include "commands/usage_error.hpp"

namespace {

using namespace lockstep::cli;

template <class Reader>
std::string refusal_of(Reader reader, std::string const& text) {
  try {
    static_cast<void>(reader("--option", text));
  } catch (usage_error const& refused) {
    return refused.what();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("ranks are read one by one and in ranges, each once, in order", "[selection]") {
  CHECK(ranks_from("--processors", "5") == std::vector<int>{5});
  CHECK(ranks_from("--processors", "8-10,0,3,9") == std::vector<int>{0, 3, 8, 9, 10});
  CHECK(ranks_from("--processors", "0-63").size() == most_processors_shown);
  CHECK(ranks_from("--processors", "2147483640-2147483647").back() == 2147483647);
}

TEST_CASE("what is not a list of ranks, or is too long, is refused", "[selection]") {
  for (auto const* text : {"", ",", "1,", "x", "-1", "3-", "9-3", "1.5", "2147483648", " 1"}) {
    INFO(text);
    CHECK(refusal_of(ranks_from, text) ==
          "--option: '" + std::string(text) +
              "' is not a list of ranks; write, for example, 0,3,8-15");
  }
  for (auto const* text : {"0-64", "0-2147483647", "0-40,100-140"}) {
    INFO(text);
    CHECK(refusal_of(ranks_from, text) == "--option: at most 64 processors are shown at a time");
  }
}

TEST_CASE("steps are one, a range, or as many as can be shown", "[selection]") {
  CHECK(steps_from("--steps", "7") == step_range{7, 7});
  CHECK(steps_from("--steps", "1-2000") == step_range{1, 2000});
  CHECK(steps_from("--steps", "100-") == step_range{100, 2099});
  CHECK(steps_from("--steps", "100-").count() == most_steps_shown);
  CHECK(step_range{5, 4}.count() == 0);
}

TEST_CASE("what is not a range of steps, or is too long, is refused", "[selection]") {
  for (auto const* text : {"", "0", "0-5", "x", "5-4", "1-x", "-5", "1,3"}) {
    INFO(text);
    CHECK(refusal_of(steps_from, text) ==
          "--option: '" + std::string(text) +
              "' is not a range of steps; write, for example, 1-40 or 100-");
  }
  CHECK(refusal_of(steps_from, "1-2001") == "--option: at most 2000 steps are shown at a time");
}
