// Clocks on the command line (docs/clocks.md), and what processors compute.

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/timeline.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "shell.hpp"

namespace {

nlohmann::json json_by_clock(std::string const& arguments) {
  auto const run = lockstep_with(arguments + " --json");
  INFO(run.err);
  REQUIRE(run.status == 0);
  return nlohmann::json::parse(run.out);
}

void check_refused_clock(std::string const& arguments, std::string const& part) {
  auto const refused = lockstep_with(arguments);
  INFO(refused.err);
  CHECK(refused.status == 2);
  CHECK(lines_of(refused.err) == 1);
  CHECK(contains(refused.err, part));
}

}  // namespace

TEST_CASE("clock: the time of a run is the one that the library computes", "[clock]") {
  lockstep::machine const star(lockstep::crossbar{16}, {.clocked = true});
  auto const run = star.run([](lockstep::processor& me) {
    std::vector<long> block(3, me.rank());
    lockstep::broadcast(me, std::span(block));
  });
  auto const times = run.timeline(lockstep::loggp_clock{
      .latency_us = 5, .overhead_us = 1, .gap_us = 2, .gap_us_per_byte = 0.01});
  auto const json = json_by_clock(
      "run broadcast --on crossbar:16 --words 3 --model "
      "loggp-clock:latency_us=5,overhead_us=1,gap_us=2,gap_us_per_byte=0.01");
  CHECK(json["time"]["value"] == times.makespan);
  CHECK(json["time"]["unit"] == "us");
  CHECK(json["time"]["critical_path"].size() == times.critical_path.size());
  CHECK(json["time"]["processors"][0]["overhead"] == times.processors[0].overhead);
}

TEST_CASE("clock: the text has the makespan, the busy share and the critical path", "[clock]") {
  auto const run = lockstep_with("run broadcast --on crossbar:8 --model hockney-clock");
  CHECK(run.status == 0);
  CHECK(contains(run.out, "us (hockney-clock); processors are busy for"));
  CHECK(contains(run.out, "critical path\nfrom"));
}

TEST_CASE("clock: without a price of an operation it is said that work is not priced", "[clock]") {
  std::string const run = "run reduce --on crossbar:8 --summands 10 --model ";
  for (std::string const model : {"loggp-clock", "hockney-clock", "loggp"}) {
    INFO(model);
    CHECK(contains(lockstep_with(run + model).out, "which has no price of the "));
    CHECK(json_by_clock(run + model)["time"]["unpriced"] == nlohmann::json::array({"work"}));
    auto const priced = model + ":operation_us=0.5";
    CHECK_FALSE(contains(lockstep_with(run + priced).out, "no price"));
    CHECK_FALSE(json_by_clock(run + priced)["time"].contains("unpriced"));
  }
  CHECK_FALSE(
      json_by_clock("run all-to-all-binary --on mesh:4x4 --model loggp-clock")["time"].contains(
          "unpriced"));
}

TEST_CASE("clock: a sweep's speed-up is over the makespan", "[clock]") {
  auto const sweep = nlohmann::json::parse(
      lockstep_with("sweep reduce --on crossbar:8 --summands 100 --model "
                    "loggp-clock:operation_us=0.5 --sequential 'p summands' --json")
          .out);
  auto const& row = sweep["rows"][0];
  auto const speedup = 0.5 * 800 / row["time"]["value"].get<double>();
  CHECK(std::abs(row["figures"]["speedup"].get<double>() - speedup) < 1e-9);
  CHECK(std::abs(row["figures"]["efficiency"].get<double>() - speedup / 8) < 1e-9);
}

TEST_CASE("clock: shared links take turns, and in-ports are free, where that is asked for",
          "[clock]") {
  std::string const exchange = "run all-to-all-binary --on mesh:4x4 --model hockney-clock";
  auto const apart = json_by_clock(exchange)["time"]["value"].get<double>();
  auto const shared = json_by_clock(exchange + " --sharing links")["time"]["value"].get<double>();
  CHECK(shared > apart);
  std::string const gather = "run random-access-read --on crossbar:8 --model loggp-clock";
  auto const one = json_by_clock(gather)["time"]["value"].get<double>();
  auto const free = json_by_clock(gather + " --in-port free")["time"]["value"].get<double>();
  CHECK(free <= one);
}

TEST_CASE("clock: wrong input is refused in a line", "[clock]") {
  check_refused_clock("run broadcast --on crossbar:8 --model paragon --sharing links",
                      "--sharing goes with a clock");
  check_refused_clock("run broadcast --on crossbar:8 --in-port free",
                      "--in-port goes with a clock");
  check_refused_clock("run broadcast --on crossbar:8 --model loggp-clock --sharing some",
                      "'some' is not one of none, links");
  check_refused_clock("run broadcast --on crossbar:8 --model loggp-clok", "did you mean");
}

TEST_CASE("clock: list names the clocks, with their parameters", "[clock]") {
  CHECK(contains(lockstep_with("list").out, "max-rate-clock"));
  bool found = false;
  auto const list = nlohmann::json::parse(lockstep_with("list --json").out);
  for (auto const& one : list["models"]) found = found || one["name"] == "loggp-clock";
  CHECK(found);
}
