#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include <lockstep/algorithms/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

/// What the command line asks for when nothing but a topology is given.
lockstep::request default_request(lockstep::algorithm const& which) {
  lockstep::request asked{.network = lockstep::parse(which.example)};
  asked.options.ports = which.default_ports;
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  return asked;
}

}  // namespace

TEST_CASE("every algorithm is listed once and found by name") {
  std::set<std::string> names;
  for (auto const& which : lockstep::algorithms()) {
    INFO(which.name);
    CHECK(names.insert(which.name).second);
    CHECK(lockstep::find_algorithm(which.name) == &which);
    CHECK_FALSE(which.summary.empty());
    CHECK_FALSE(which.topologies.empty());
    CHECK_FALSE(which.source.empty());
    for (auto const& taken : which.parameters) CHECK_FALSE(taken.help.empty());
  }
  CHECK(names.contains("all-to-all"));
  CHECK(lockstep::find_algorithm("all-to-none") == nullptr);
  CHECK(lockstep::find_algorithm("") == nullptr);
}

TEST_CASE("every algorithm runs on its example, is right, and keeps its claims") {
  for (auto const& which : lockstep::algorithms())
    for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads}) {
      auto asked = default_request(which);
      asked.options.engine = engine;
      auto const result = which.run(asked);
      INFO(which.name << " on " << which.example << ", engine " << static_cast<int>(engine));
      CHECK(result.correct);
      CHECK_FALSE(result.claims.empty());
      for (auto const& taken : which.parameters) CHECK(result.parameters.contains(taken.name));
      for (auto const& claimed : result.claims) {
        INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                            << claimed.value << ", measured " << measured_for(claimed, result));
        CHECK_FALSE(claimed.formula.empty());
        CHECK_FALSE(claimed.source.empty());
        CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
      }
    }
}

TEST_CASE("a claim is about counts, about what is measured besides, or about a time") {
  lockstep::outcome result{.record = lockstep::run_record({.startups = 3, .words = 20}, {}, {}, {}),
                           .figures = {{"bin1", std::int64_t{7}}, {"load", 0.5}, {"on", true}}};
  auto const about = [&](std::string const& figure) {
    lockstep::claim claimed;
    claimed.figure = figure;
    return measured_for(claimed, result);
  };
  CHECK(about("words") == 20);
  CHECK(about("bin1") == 7);
  CHECK(about("load") == 0.5);
  CHECK_THROWS_AS(about("on"), lockstep::invalid_argument);
  CHECK_THROWS_AS(about("time"), lockstep::invalid_argument);
  lockstep::claim priced;
  priced.figure = "time";
  priced.model = lockstep::block_distributed_model{.tau_words = 10};
  CHECK(measured_for(priced, result) == 50);
}
