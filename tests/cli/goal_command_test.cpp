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

TEST_CASE("goal: a trace of ours tells its machine, and an option that is given wins") {
  scratch_directory const scratch;
  auto const file = scratch.file("run.goal").string();
  auto const json = [&](std::string const& arguments) {
    auto const run = lockstep_with(arguments + " --json");
    INFO(arguments << '\n' << run.err);
    REQUIRE(run.status == 0);
    return nlohmann::json::parse(run.out);
  };
  // Ports that an algorithm has without being asked, packets, and cut-through on a hypercube.
  for (std::string const what :
       {"merge --on hypercube:3", "matrix-product --on crossbar:8 --n 6 --packet 5",
        "cannon --on torus:2x2 --n 6 --packet 4", "greedy-route --on hypercube:4",
        "random-access-read --on hypercube:3"}) {
    INFO(what);
    auto const first = json("run " + what + " --trace " + file);
    auto const again = json("run goal --input " + file);
    CHECK(again["topology"] == first["topology"]);
    CHECK(again["counts"] == first["counts"]);
    CHECK(again["note"].get<std::string>().starts_with(
        "taken from the file: " + first["topology"].get<std::string>() + ", ports "));
  }
  static_cast<void>(json("run cannon --on torus:2x2 --n 6 --packet 4 --trace " + file));
  auto const note = [](nlohmann::json const& of) { return of["note"].get<std::string>(); };
  auto const taken = json("run goal --input " + file);
  CHECK(
      note(taken) ==
      "taken from the file: torus:2x2, ports one, switching cut-through, packet 4, 8 bytes a word");
  CHECK(taken["parameters"]["packet"] == 4);
  auto const packet = json("run goal --packet 5 --input " + file);
  CHECK(note(packet) ==
        "taken from the file: torus:2x2, ports one, switching cut-through, 8 bytes a word");
  CHECK(packet["parameters"]["packet"] == 5);
  CHECK(taken["counts"]["words"] == 4 * 12);  // 9 words in whole packets
  CHECK(packet["counts"]["words"] == 4 * 15);
  auto const ports = json("run goal --ports all --on torus:2x2 --input " + file);
  CHECK(note(ports) == "taken from the file: switching cut-through, packet 4, 8 bytes a word");
  static_cast<void>(json("run prefix --on hypercube:2 --trace " + file));
  auto const network = json("run goal --on crossbar:5 --input " + file);
  CHECK(network["topology"] == "crossbar:5");
  CHECK(note(network) ==
        "taken from the file: ports one, packet 1, 8 bytes a word; 1 of 5 processors have no rank, "
        "and idle");
  CHECK(
      contains(lockstep_with("run goal --input " + file).out, "note       taken from the file: "));
}

TEST_CASE("goal: a file tells ports, switching and bytes of a word that no other default has") {
  scratch_directory const scratch;
  std::string const ranks = "num_ranks 4\nrank 0 {\nsend 8b to 3\n}\nrank 3 {\nrecv 8b from 0\n}\n";
  auto const run = [&](std::string const& machine, std::string const& options = "") {
    auto const file =
        scratch.write("run.goal", "// lockstep: machine " + machine + "\n" + ranks).string();
    return lockstep_with("run goal --json --input " + file + options);
  };
  auto const words = nlohmann::json::parse(
      run("ports one switching cut-through packet 1 word 2 on line:4").out)["counts"];
  CHECK(words["words"] == 4);
  CHECK(words["hops"] == 3);
  auto const near = run("ports one switching neighbour packet 1 word 8 on line:4");
  CHECK(near.status == 1);
  CHECK(contains(near.err, "run.goal, line 4, tag 0: "));
  CHECK(contains(near.err, "with neighbour switching only adjacent processors may talk"));
  // The switching goes with the network.
  CHECK(run("ports one switching neighbour packet 1 word 8 on torus:2x2", " --on line:4").status ==
        lockstep_with("run goal --on line:4 --json --input " +
                      scratch.write("plain.goal", ranks).string())
            .status);
  auto const own = run("ports one switching neighbour packet 1 word 8 on my own network");
  CHECK(own.status == 2);
  CHECK(contains(own.err, "run.goal: \"my own network\" is not a topology"));
  CHECK(contains(own.err, "give another by --on"));
  CHECK(run("ports one switching neighbour packet 1 word 8 on my own network", " --on crossbar:4")
            .status == 0);
  auto const small = run("ports one switching neighbour packet 1 word 8 on crossbar:3");
  CHECK(small.status == 2);
  CHECK(contains(small.err, "has 4 ranks, and crossbar:3 has 3 processors"));
}

TEST_CASE("goal: without a machine in the file the network is asked for, also of a pipe") {
  scratch_directory const scratch;
  auto const text = "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n";
  auto const plain = scratch.write("plain.goal", text).string();
  auto const without = lockstep_with("run goal --input " + plain);
  CHECK(without.status == 2);
  CHECK(contains(without.err, "give a topology: lockstep run goal --on torus:4x4"));
  auto const told =
      scratch
          .write("told.goal",
                 std::string("// lockstep: machine ports one switching neighbour packet 9 word 8 "
                             "on crossbar:2\n") +
                     text)
          .string();
  auto const piped =
      in_shell("cat " + told +
               " | '" LOCKSTEP_BINARY "' run goal --json --on crossbar:2 --input /dev/stdin");
  INFO(piped.err);
  REQUIRE(piped.status == 0);
  CHECK(nlohmann::json::parse(piped.out)["counts"]["words"] == 1);
  auto const wrong = scratch.write("wrong.goal", "// lockstep: machine torus:4x4\nnum_ranks 2\n");
  for (std::string const on : {"", " --on crossbar:2 --ports one --packet 1"}) {
    auto const refused = lockstep_with("run goal --input " + wrong.string() + on);
    CHECK(refused.status == 2);
    CHECK(contains(refused.err,
                   "wrong.goal, line 1: \"// lockstep: machine torus:4x4\" is not a comment that "
                   "lockstep writes"));
    CHECK(lines_of(refused.err) == 1);
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
  for (std::string const on : {"", " --on crossbar:2"}) {
    auto const missing = lockstep_with("run goal --input nowhere.goal" + on);
    CHECK(missing.status == 2);
    CHECK(contains(missing.err, "nowhere.goal: cannot be read: No such file or directory"));
    CHECK(contains(lockstep_with("run goal --input /tmp" + on).err, "/tmp: is a directory"));
  }
}
