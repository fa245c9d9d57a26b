#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "../cli/sample_outcome.hpp"
#include "../cli/sample_paper.hpp"
#include "../cli/shell.hpp"
#include "report/paper_report.hpp"
#include "report/report.hpp"

// What is printed, compared with the files in this directory. Where a difference is meant, look at
// it and change the file. Wall time is left out.

namespace {

std::string golden(std::string_view name) {
  return read_file(std::filesystem::path(LOCKSTEP_GOLDEN_DIRECTORY) / name);
}

/// The text without its line on wall time.
std::string without_wall_time(std::string text) {
  auto const start = text.find("wall time");
  REQUIRE(start != std::string::npos);
  auto const end = text.find('\n', start);
  REQUIRE(end != std::string::npos);
  return text.erase(start, end + 1 - start);
}

/// The object without its wall time, laid out as it is printed.
std::string without_seconds(std::string const& text) {
  auto json = nlohmann::ordered_json::parse(text);
  REQUIRE(json.at("seconds").is_number());
  json.erase("seconds");
  return json.dump(2) + '\n';
}

lockstep::cli::report sample(bool priced) {
  lockstep::cli::report made{.algorithm = "all-to-all",
                             .topology = "torus:2x2",
                             .processors = 4,
                             .result = sample_outcome(),
                             .seconds = 0.25};
  if (priced)
    made.time = lockstep::cli::priced_run{.model = "paragon",
                                          .unit = "us",
                                          .value = 507.512,
                                          .shared = 507.512,
                                          .phases = {151.584, 75.792},
                                          .shared_phases = {151.584, 75.792}};
  return made;
}

std::string output_of(std::string const& arguments) {
  auto const done = lockstep_with(arguments);
  INFO(done.err);
  REQUIRE(done.status == 0);
  return done.out;
}

}  // namespace

TEST_CASE("a report with claims of each kind, for people", "[golden]") {
  CHECK(without_wall_time(as_text(sample(true), true)) == golden("sample.txt"));
}

TEST_CASE("a report with claims of each kind, for programs", "[golden]") {
  CHECK(without_seconds(as_json(sample(true)).dump()) == golden("sample.json"));
}

TEST_CASE("a paper's tables with cells of each kind, for people", "[golden]") {
  lockstep::cli::paper_report const report{
      .name = "sample", .source = "Somebody 2001", .tables = wrong_tables(), .seconds = 0.25};
  CHECK(without_wall_time(as_text(report)) == golden("paper.txt"));
}

TEST_CASE("the complete exchange on a 12x12 torus, for people", "[golden]") {
  CHECK(without_wall_time(output_of("run all-to-all --on torus:12x12 --model paragon --table")) ==
        golden("all_to_all_torus_12x12.txt"));
}

TEST_CASE("the complete exchange on a 12x12 torus, for programs", "[golden]") {
  CHECK(without_seconds(output_of("run all-to-all --on torus:12x12 --model paragon --json")) ==
        golden("all_to_all_torus_12x12.json"));
}

TEST_CASE("the complete exchange on a 4x6 mesh, for people", "[golden]") {
  CHECK(without_wall_time(output_of("run all-to-all --on mesh:4x6 --words 2")) ==
        golden("all_to_all_mesh_4x6.txt"));
}

TEST_CASE("the in-ports of pipelined prefixes on a tree, for people", "[golden]") {
  CHECK(without_wall_time(output_of("explain pipelined-prefix --on tree:5 --k 8")) ==
        golden("explain_pipelined_prefix_tree_5.txt"));
}

TEST_CASE("the trace of prefixes on a hypercube, in each format", "[golden]") {
  scratch_directory const scratch;
  for (std::string const ending : {".json", ".csv", ".goal", ".dot"}) {
    auto const trace = scratch.file("t" + ending);
    output_of("run prefix --on hypercube:2 --trace " + trace.string());
    CHECK(read_file(trace) == golden("trace_prefix_hypercube_2" + ending));
  }
}
