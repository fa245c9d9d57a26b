#include <string>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "shell.hpp"

// Schedules in GOAL, as a shell runs `lockstep run goal`.

TEST_CASE("goal: our own trace read back has the same counts") {
  scratch_directory const scratch;
  auto const file = scratch.file("run.goal").string();
  for (std::string const what :
       {"pipelined-prefix --on hypercube:3 --k 4", "fft --on crossbar:8",
        "reduce --on crossbar:7 --summands 5", "bitonic-sort --on hypercube:3"}) {
    INFO(what);
    auto const first =
        nlohmann::json::parse(lockstep_with("run " + what + " --json --trace " + file).out);
    auto const run = lockstep_with("run goal --on " + first["topology"].get<std::string>() +
                                   " --json --input " + file);
    REQUIRE(run.status == 0);
    auto const again = nlohmann::json::parse(run.out);
    CHECK(again["correct"] == true);
    CHECK(again["counts"] == first["counts"]);
  }
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

TEST_CASE("goal: errors name the file, its line and the tag, and not lockstep's source") {
  scratch_directory const scratch;
  auto const far = scratch
                       .write("far.goal",
                              "num_ranks 3\nrank 0 {\nl1: send 8b to 2 tag 9\n}\nrank 2 {\nl1: "
                              "recv 8b from 0 tag 9\n}\n")
                       .string();
  auto const wrong = lockstep_with("run goal --on tree:2 --input " + far);
  INFO(wrong.err);
  CHECK(wrong.status == 1);
  CHECK(contains(wrong.err, "far.goal, line 3, tag 9: "));
  CHECK_FALSE(contains(wrong.err, "goal_schedule.cpp"));
  CHECK_FALSE(contains(lockstep_with("run goal --on crossbar:3 --strict --json --input " +
                                     scratch
                                         .write("two.goal",
                                                "num_ranks 3\nrank 0 { send 8b to 2 }\nrank 1 { "
                                                "send 8b to 2 }\nrank 2 { a: recv 8b from 0\nb: "
                                                "recv 8b from 1\nb requires a }")
                                         .string())
                           .err,
                       "goal_schedule.cpp"));
}

TEST_CASE("goal: fewer ranks than processors, and ranks that the file orders in part, are said") {
  scratch_directory const scratch;
  auto const file = scratch
                        .write("open.goal",
                               "num_ranks 2\nrank 0 {\nrecv 8b from 1\nsend 8b to 1\n}\nrank 1 "
                               "{\nrecv 8b from 0\nsend 8b to 0\n}\n")
                        .string();
  auto const run = lockstep_with("run goal --on crossbar:5 --input " + file);
  INFO(run.err);
  CHECK(run.status == 0);
  CHECK(contains(run.out,
                 "note       2 of 2 ranks are only partly ordered: their operations run in the "
                 "order of the file that the requirements allow, but for 2 in which that would be "
                 "a circle of receives, where other operations go first; 3 of 5 processors have "
                 "no rank, and idle\n"));
  auto const json =
      nlohmann::json::parse(lockstep_with("run goal --on crossbar:5 --json --input " + file).out);
  CHECK(json["figures"]["partly_ordered_ranks"] == 2);
  CHECK(json["figures"]["overtaken_ranks"] == 2);
  CHECK(json["note"].get<std::string>().starts_with("2 of 2 ranks"));
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
  check("num_ranks 2\nrank 1 {\ncalc 18446744073709551615 }", "wrong.goal, line 3: worked", 1);
  check("num_ranks 2\nrank 0 {\nsend 16b to 1 }\nrank 1 { recv 8b from 0 }",
        "wrong.goal: the receive of line 4 of 8 bytes from rank 0 with tag 0 gets 16");
  check("num_ranks 2\nrank 0 { jump }", "line 2: \"jump\" is not GOAL");
  check("num_ranks 2\nrank 0 { recv 8b from 1 }",
        "wrong.goal: nobody can go on: rank 0 waits for a message from rank 1 with tag 0 (line 2)",
        1);
  check("num_ranks 2\nrank 0 {\nsend 8b to 1 tag 4 }",
        "wrong.goal: there is no receive for the send from rank 0 to 1 with tag 4 (line 3)", 1);
  check("num_ranks 2\nrank 0 {\nsend 8b to 1 tag 4 }\nrank 1 { recv 8b from 0 tag 5 }",
        "wrong.goal: nobody can go on: rank 1 waits for a message from rank 0 with tag 5 (line 4)",
        1);
  auto const missing = lockstep_with("run goal --on crossbar:2 --input nowhere.goal");
  CHECK(missing.status == 2);
  CHECK(contains(missing.err, "nowhere.goal"));
}
