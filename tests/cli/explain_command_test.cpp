#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/processor.hpp>

#include "../catch.hpp"
#include "commands/commands.hpp"
#include "commands/usage_error.hpp"
#include "contains.hpp"
#include "printed.hpp"
#include "sample_outcome.hpp"
#include "shell.hpp"

namespace {

using namespace lockstep;
using cli::exit_status;

/// Tells of three steps on a torus of 4.
experiment_result run_three_steps(experiment_request const& asked) {
  for (auto* const watching : asked.observers)
    for (std::uint64_t step = 1; step <= 3; ++step)
      watching->message({.step = step, .sent = step, .from = 1, .to = 0, .words = 1, .hops = 1});
  return sample_outcome();
}

experiment_result run_too_long(experiment_request const& asked) {
  auto result = run_three_steps(asked);
  result.claims.push_back({.figure = "steps", .formula = "2", .value = 2, .source = "nowhere"});
  return result;
}

printed explain(experiment_result (*runs)(experiment_request const&),
                cli::explain_command asked = {}) {
  algorithm made;
  made.name = "sample";
  made.run = runs;
  asked.run.what = &made;
  asked.run.on = "torus:2x2";
  std::ostringstream out;
  auto const status = cli::execute(asked, out);
  return {status, out.str()};
}

}  // namespace

TEST_CASE("explain shows the chart, the busiest in-port and the claims", "[explain_command]") {
  auto const [status, out] = explain(run_three_steps);
  CHECK(status == exit_status::all_right);
  CHECK(out.starts_with("sample on torus:2x2: 4 processors"));
  CHECK(contains(out, "\n> 0 (0,0)    <<<      3  100%\n"));
  CHECK(contains(out, "\nThe busiest in-port is that of processor 0: 3 words in 3 steps"));
  CHECK(contains(out, "C/2 + 1"));
  CHECK(contains(out, "decides nothing [2]"));
  CHECK(contains(out, "[2] hops: the formula counts"));
  CHECK_FALSE(contains(out, "serialised_steps"));  // nothing is claimed of it
  CHECK(contains(out, "correct    yes"));
}

TEST_CASE("explain begins with how the algorithm works", "[explain_command]") {
  algorithm made;
  made.name = "sample";
  made.explanation = "Every processor " + std::string(100, 'x') + " waits.";
  made.run = run_three_steps;
  std::ostringstream out;
  CHECK(cli::execute(cli::explain_command{.run = {.what = &made, .on = "torus:2x2"},
                                          .content = cli::cell_content::words},
                     out) == exit_status::all_right);
  CHECK(contains(out.str(), "\n\nEvery processor\nxxx"));
  CHECK(contains(out.str(), "xxx\nwaits.\n\nHow many words came in"));
  CHECK(contains(out.str(), "\n> 0 (0,0)     1 1 1"));
}

TEST_CASE("explain says how the algorithm works by the scheme that was taken",
          "[explain_command]") {
  algorithm made;
  made.name = "sample";
  made.explanation = "Usually so.";
  made.variants = {{.parameter = "scheme", .values = {"ring"}, .explanation = "In a ring."}};
  made.run = [](experiment_request const& asked) {
    auto result = run_three_steps(asked);
    result.parameters["scheme"] = std::string("automatic");
    result.figures["scheme"] = std::string("ring");
    return result;
  };
  std::ostringstream out;
  CHECK(cli::execute(cli::explain_command{.run = {.what = &made, .on = "torus:2x2"}}, out) ==
        exit_status::all_right);
  CHECK(contains(out.str(), "\n\nIn a ring.\n\n"));
  CHECK_FALSE(contains(out.str(), "Usually so."));
}

TEST_CASE("explain says how the algorithm works on the network of the run", "[explain_command]") {
  algorithm made;
  made.name = "sample";
  made.explanation = "Usually so.";
  made.variants = {{.networks = {"torus"}, .explanation = "Round and round."}};
  made.run = [](experiment_request const& asked) {
    auto result = run_three_steps(asked);
    result.record = machine(asked.network).run([](processor& me) { me.barrier(); });
    result.claims.clear();  // of other counts
    result.bounds.clear();
    return result;
  };
  auto const text_on = [&](char const* on) {
    std::ostringstream out;
    CHECK(cli::execute(cli::explain_command{.run = {.what = &made, .on = on}}, out) ==
          exit_status::all_right);
    return out.str();
  };
  CHECK(contains(text_on("torus:2x2"), "\n\nRound and round.\n\n"));
  CHECK_FALSE(contains(text_on("torus:2x2"), "Usually so."));
  CHECK(contains(text_on("crossbar:4"), "\n\nUsually so.\n\n"));
  made.run = run_three_steps;  // without the record of a machine
  CHECK(contains(text_on("torus:2x2"), "\n\nUsually so.\n\n"));
}

TEST_CASE("explain ends with the status of the run", "[explain_command]") {
  auto const [status, out] = explain(run_too_long);
  CHECK(status == exit_status::wrong);
  CHECK(contains(out, "WRONG"));
  CHECK(contains(out, "The claim (2; nowhere) allows 2 steps, too few for these 3"));
}

TEST_CASE("explain for programs has all of run, and the in-ports", "[explain_command]") {
  auto const json = nlohmann::json::parse(explain(run_three_steps, {.run = {.json = true}}).out);
  CHECK(json.at("counts").at("steps") == 3);
  CHECK(json.at("claims").size() == 4);
  CHECK(json.at("in_ports").at("rows").at(0).at("senders") ==
        nlohmann::json::parse("[[1], [1], [1]]"));
}

TEST_CASE("explain takes the trace, the model and the table that run takes",
          "[explain_command][sanitize]") {
  scratch_directory const scratch;
  cli::explain_command asked;
  asked.run.trace = scratch.file("trace.csv");
  asked.run.model = "bdm:tau_words=100";
  asked.run.table = true;
  auto const out = explain(run_three_steps, asked).out;
  CHECK(lines_of(read_file(*asked.run.trace)) == 1 + 3);
  CHECK(contains(out, "time       516 words"));
  CHECK(contains(out, "longest route"));
}

TEST_CASE("processors and steps that there are not are refused", "[explain_command]") {
  CHECK_THROWS_WITH(explain(run_into_deadlock, {.processors = {0, 4}}),
                    "--processors: there is no processor 4 on torus:2x2; give some of 0 to 3");
  CHECK_THROWS_AS(explain(run_three_steps, {.steps = {4, 9}}), cli::usage_error);
  CHECK_THROWS_WITH(explain(run_three_steps, {.steps = {4, 9}}),
                    "--steps: the last step is 3; begin with that or an earlier one");
  CHECK(contains(explain(run_three_steps, {.processors = {0}, .steps = {3, 9}}).out,
                 "> 0 (0,0)    <  "));
}

TEST_CASE("a machine error is thrown on, and printed for programs", "[explain_command]") {
  CHECK_THROWS_AS(explain(run_into_deadlock), deadlock);
  algorithm failing;
  failing.name = "sample";
  failing.run = run_into_deadlock;
  std::ostringstream out;
  CHECK_THROWS_AS(
      cli::execute(cli::explain_command{.run = {.what = &failing, .on = "torus:2x2", .json = true}},
                   out),
      deadlock);
  CHECK(nlohmann::json::parse(out.str()).at("error").at("rank") == 2);
}
