#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/catalog.hpp>
#include <lockstep/topologies/parse.hpp>

#include "../catch.hpp"
#include "commands/commands.hpp"
#include "commands/usage_error.hpp"
#include "printed.hpp"
#include "sample_outcome.hpp"
#include "shell.hpp"

namespace {

using namespace lockstep;
using cli::execute;
using cli::exit_status;

experiment_result run_well(experiment_request const& asked) {
  for (auto* const watching : asked.observers) watching->message({.step = 1, .sent = 1, .to = 3});
  return sample_outcome();
}

experiment_result run_wrongly(experiment_request const&) {
  auto result = sample_outcome();
  result.correct = false;
  return result;
}

experiment_result miss_a_claim(experiment_request const&) {
  auto result = sample_outcome();
  result.claims.push_back({.figure = "steps", .formula = "4", .value = 4, .source = "nowhere"});
  return result;
}

experiment_result refuse(experiment_request const&) {
  throw invalid_argument("give at least one word");
}

algorithm algorithm_that(experiment_result (*runs)(experiment_request const&)) {
  algorithm made;
  made.name = "sample";
  made.run = runs;
  return made;
}

printed execute(experiment const& what, cli::run_command asked) {
  asked.what = &what;
  asked.on = "torus:2x2";
  std::ostringstream out;
  auto const status = cli::execute(asked, out);
  return {status, out.str()};
}

}  // namespace

TEST_CASE("a run that is all right ends with status 0", "[run_command]") {
  auto const [status, out] = execute(algorithm_that(run_well), {});
  CHECK(status == exit_status::all_right);
  CHECK(out.starts_with("sample on torus:2x2: 4 processors"));
}

TEST_CASE("a wrong result or a missed claim ends with status 1, and is printed", "[run_command]") {
  CHECK(execute(algorithm_that(run_wrongly), {}).status == exit_status::wrong);
  CHECK(execute(algorithm_that(run_wrongly), {}).out.find("NO") != std::string::npos);
  CHECK(execute(algorithm_that(miss_a_claim), {}).status == exit_status::wrong);
  auto const json = nlohmann::json::parse(execute(algorithm_that(run_wrongly), {.json = true}).out);
  CHECK(json.at("correct") == false);
}

TEST_CASE("a model prices the run and its phases", "[run_command]") {
  cli::run_command asked;
  asked.model = std::string("bdm:tau_words=100");
  asked.json = true;
  auto const json = nlohmann::json::parse(execute(algorithm_that(run_well), asked).out);
  CHECK(json.at("time").at("value") == 3 * 100 + 216);
  CHECK(json.at("time").at("unit") == "words");
  asked.json = false;
  CHECK(execute(algorithm_that(run_well), asked).out.find("time       516 words") !=
        std::string::npos);
}

TEST_CASE("a model that is not there is refused before the run", "[run_command]") {
  cli::run_command asked;
  asked.model = std::string("xyzzy");
  CHECK_THROWS_AS(execute(algorithm_that(run_into_deadlock), asked), cli::usage_error);
}

TEST_CASE("a machine error is thrown on, and printed for programs, too", "[run_command]") {
  auto const failing = algorithm_that(run_into_deadlock);
  cli::run_command asked;
  asked.what = &failing;
  asked.on = "torus:2x2";
  std::ostringstream silent;
  CHECK_THROWS_AS(cli::execute(asked, silent), deadlock);
  CHECK(silent.str().empty());
  asked.json = true;
  std::ostringstream out;
  CHECK_THROWS_AS(cli::execute(asked, out), deadlock);
  auto const json = nlohmann::json::parse(out.str());
  CHECK(json.at("error").at("kind") == "deadlock");
  CHECK(json.at("error").at("rank") == 2);
}

TEST_CASE("bad usage prints no object", "[run_command]") {
  auto const failing = algorithm_that(refuse);
  std::ostringstream out;
  CHECK_THROWS_AS(
      cli::execute(cli::run_command{.what = &failing, .on = "torus:2x2", .json = true}, out),
      invalid_argument);
  CHECK_THROWS_AS(
      cli::execute(cli::run_command{.what = &failing, .on = "turos:2x2", .json = true}, out),
      invalid_topology);
  CHECK(out.str().empty());
}

TEST_CASE("the trace gets the messages", "[run_command][sanitize]") {
  scratch_directory const scratch;
  cli::run_command asked;
  asked.trace = scratch.file("trace.csv");
  CHECK(execute(algorithm_that(run_well), asked).status == exit_status::all_right);
  CHECK(read_file(*asked.trace) == "step,sent,from,to,words,hops,pass,phase\n1,1,0,3,0,0,0,\n");
}

TEST_CASE("a trace that cannot be opened is refused before the run", "[run_command]") {
  cli::run_command asked;
  asked.trace = "/nowhere/trace.csv";
  CHECK_THROWS_AS(execute(algorithm_that(run_into_deadlock), asked), cli::usage_error);
}

TEST_CASE("a trace that cannot be written costs no results", "[run_command]") {
  scratch_directory const scratch;
  auto const trace = scratch.file("trace.csv");
  std::filesystem::create_symlink("/dev/full", trace);
  auto const well = algorithm_that(run_well);
  cli::run_command const asked{.what = &well, .on = "torus:2x2", .trace = trace};
  std::ostringstream out;
  CHECK_THROWS_WITH(cli::execute(asked, out),
                    Catch::Matchers::StartsWith("the trace is incomplete: " + trace.string() +
                                                ": cannot be written: No space left on device"));
  CHECK(out.str().starts_with("sample on torus:2x2"));
}

TEST_CASE("the trace of a run that ends in an error is whole", "[run_command][sanitize]") {
  scratch_directory const scratch;
  cli::run_command asked;
  asked.trace = scratch.file("trace.json");
  CHECK_THROWS_AS(execute(algorithm_that(run_into_deadlock), asked), deadlock);
  auto const json = nlohmann::json::parse(read_file(*asked.trace));
  CHECK(json.at("otherData").at("processors") == 4);
}

TEST_CASE("an ending that names no format is refused before the run", "[run_command]") {
  scratch_directory const scratch;
  cli::run_command asked;
  for (auto const* const name : {"trace", "trace.svg", ".json", "trace.JSON", "trace.csv.gz"}) {
    INFO(name);
    asked.trace = scratch.file(name);
    CHECK_THROWS_WITH(
        execute(algorithm_that(run_into_deadlock), asked),
        has_text(".json") && has_text(".csv") && has_text(".goal") && has_text(".dot"));
    CHECK_FALSE(std::filesystem::exists(*asked.trace));
  }
}

TEST_CASE("an algorithm refuses a network on which it does not run, and names one on which it does",
          "[run_command]") {
  auto const kind_of = [](std::string_view spec) { return spec.substr(0, spec.find(':') + 1); };
  for (auto const& one : experiments())
    for (auto const& kind : topology_kinds()) {
      if (one.topologies == "any network") continue;
      auto const runs_on = [&](std::string_view spec) {
        return std::ranges::any_of(
            one.examples, [&](auto const& example) { return kind_of(example) == kind_of(spec); });
      };
      std::string const spec(kind.examples[1]);
      if (runs_on(spec)) continue;
      INFO(one.name << " on " << spec);
      std::string refusal;
      try {
        (void)one.run({.network = parse(spec)});
      } catch (invalid_argument const& refused) {
        refusal = refused.what();
      }
      CHECK(refusal.find(spec) != std::string::npos);
      CHECK(std::ranges::any_of(one.examples, [&](auto const& example) {
        return refusal.find(kind_of(example)) != std::string::npos;
      }));
    }
}

TEST_CASE("list and help tell the range and the names of a parameter", "[run_command]") {
  std::ostringstream out;
  CHECK(cli::execute(cli::list_command{.json = true}, out) == exit_status::all_right);
  auto const json = nlohmann::json::parse(out.str());
  for (auto const& one : json.at("algorithms"))
    for (auto const& parameter : one.at("parameters")) {
      if (one.at("name") == "bitonic-sort" && parameter.at("name") == "k") {
        CHECK(parameter.at("least") == 1);
        CHECK(parameter.at("most") == 50'000);
      }
      if (one.at("name") == "reduce" && parameter.at("name") == "scheme")
        CHECK(parameter.at("names") == nlohmann::json{"automatic", "k-ary", "transpose", "direct",
                                                      "binomial", "ring", "bucket",
                                                      "halving-doubling", "rabenseifner", "tree"});
    }
}

TEST_CASE("list names every algorithm, topology and cost model", "[run_command]") {
  std::ostringstream text;
  CHECK(cli::execute(cli::list_command{}, text) == exit_status::all_right);
  for (auto const* name : {"all-to-all", "paragon", "loggp", "bsp"}) {
    INFO(name);
    CHECK(text.str().find(name) != std::string::npos);
  }
  for (auto const& kind : topology_kinds()) {
    INFO(kind.name);
    CHECK(text.str().find(fmt::format("  {}  ", kind.examples.front())) != std::string::npos);
    CHECK(text.str().find(kind.summary) != std::string::npos);
  }
  std::ostringstream out;
  CHECK(cli::execute(cli::list_command{.json = true}, out) == exit_status::all_right);
  auto const json = nlohmann::json::parse(out.str());
  CHECK(json.at("algorithms").size() == experiments().size());
  CHECK(json.at("algorithms").at(0).at("name") == experiments()[0].name);
  CHECK(json.at("topologies").size() == topology_kinds().size());
}
