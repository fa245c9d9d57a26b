#include <string>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "shell.hpp"

// Schedules in GOAL, as a shell runs `lockstep run goal`.

TEST_CASE("goal: our own trace read back takes the same steps, words and hops") {
  scratch_directory const scratch;
  auto const file = scratch.file("run.goal").string();
  auto const first = nlohmann::json::parse(
      lockstep_with("run pipelined-prefix --on hypercube:3 --k 4 --json --trace " + file).out);
  auto const run = lockstep_with("run goal --on hypercube:3 --json --input " + file);
  REQUIRE(run.status == 0);
  auto const again = nlohmann::json::parse(run.out);
  CHECK(again["correct"] == true);
  for (auto const* const figure : {"steps", "volume", "messages", "hops", "contention"})
    CHECK(again["counts"][figure] == first["counts"][figure]);
}

TEST_CASE("goal: local work of a schedule is timed by a clock") {
  scratch_directory const scratch;
  auto const file =
      scratch
          .write("two.goal",
                 "num_ranks 2\nrank 0 {\nl1: calc 100\nl2: send 8b to 1\nl2 requires l1\n}\n"
                 "rank 1 {\nl1: recv 8b from 0\n}\n")
          .string();
  auto const run =
      lockstep_with("run goal --on crossbar:2 --json --input " + file +
                    " --model loggp-clock:latency_us=5,overhead_us=1,operation_us=0.5");
  REQUIRE(run.status == 0);
  auto const json = nlohmann::json::parse(run.out);
  CHECK(json["counts"]["operations"] == 100);
  CHECK(json["figures"]["partly_ordered_ranks"] == 0);
  CHECK(json["time"]["value"].get<double>() >= 50 + 5 + 2);
}

TEST_CASE("goal: files that cannot be played are refused in one line") {
  scratch_directory const scratch;
  auto const check = [&](std::string const& text, std::string const& part, int status = 2) {
    auto const file = scratch.write("wrong.goal", text).string();
    auto const refused = lockstep_with("run goal --on crossbar:2 --input " + file);
    INFO(text << '\n' << refused.err);
    CHECK(refused.status == status);
    CHECK(contains(refused.err, part));
  };
  check("num_ranks 3", "has 3 ranks, and crossbar:2 has 2 processors");
  check("num_ranks 2\nrank 0 { jump }", "line 2: \"jump\" is not GOAL");
  check("num_ranks 2\nrank 0 { recv 8b from 1 }", "nobody can go on", 1);
  check("num_ranks 2\nrank 0 { send 8b to 1 }", "receive it, or do not send it", 1);
  auto const missing = lockstep_with("run goal --on crossbar:2 --input nowhere.goal");
  CHECK(missing.status == 2);
  CHECK(contains(missing.err, "nowhere.goal"));
}
