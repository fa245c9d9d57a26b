// Prices of local operations, as a shell runs `lockstep calibrate`.

#include <cstdint>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "shell.hpp"

TEST_CASE("calibrate: counts are exact, and each operation takes some time") {
  auto const run = lockstep_with("calibrate --elements 1000 --json");
  REQUIRE(run.status == 0);
  auto const json = nlohmann::json::parse(run.out);
  CHECK(json["elements"] == 1000);
  std::map<std::string, std::uint64_t> operations;
  for (auto const& one : json["prices"]) {
    operations[one["work"].get<std::string>()] = one["operations"].get<std::uint64_t>();
    CHECK(one["nanoseconds_each"].get<double>() > 0);
    CHECK(one["operation_us"].get<double>() < one["nanoseconds_each"].get<double>());
  }
  REQUIRE(operations.size() == 4);
  CHECK(operations["add"] == 1000);
  CHECK(operations["multiply-add"] == 2000);
  CHECK(operations["merge"] >= 500);
  CHECK(operations["merge"] < 1000);
  CHECK(operations["sort"] > 5000);  // n log2 n is 9966
  CHECK(operations["sort"] < 20000);
}

TEST_CASE("calibrate: the table names what to give a model, which takes it") {
  auto const run = lockstep_with("calibrate --elements 1000");
  REQUIRE(run.status == 0);
  auto const at = run.out.find("--model loggp:operation_us=");
  REQUIRE(at != std::string::npos);
  auto const option = run.out.substr(at, run.out.find('\n', at) - at);
  CHECK(lockstep_with("run prefix --on hypercube:3 " + option).status == 0);
}

TEST_CASE("calibrate: bad usage is refused in one line") {
  for (auto const* const words : {"--elements 10", "--elements many", "--elements 999999999999"}) {
    auto const refused = lockstep_with(std::string("calibrate ") + words);
    INFO(words << '\n' << refused.err);
    CHECK(refused.status == 2);
    CHECK(refused.err.find("--elements") != std::string::npos);
  }
  CHECK(lockstep_with("calibrate more").status == 2);
}
