#include "report/isoefficiency.hpp"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "shell.hpp"

namespace {

using lockstep::cli::isoefficient_sizes;
using lockstep::cli::sweep_report;
using nlohmann::ordered_json;

ordered_json row_with(std::string const& on, int processors, int size, double efficiency) {
  return {{"given", {{"on", on}, {"n", std::to_string(size)}}},
          {"status", "right"},
          {"algorithm", "sort"},
          {"processors", processors},
          {"figures", {{"efficiency", efficiency}}}};
}

sweep_report sweep_with(std::vector<ordered_json> rows) {
  return {.version = "1", .command = "", .varied = {"on", "n"}, .rows = std::move(rows)};
}

ordered_json json_of_sweep(std::string const& arguments) {
  auto const run = lockstep_with("sweep " + arguments + " --json");
  INFO(run.err);
  REQUIRE(run.status == 0);
  return ordered_json::parse(run.out);
}

constexpr auto reductions =
    "reduce --on 'crossbar:{4,8,16}' --summands '16..65536*4' --model loggp:operation_us=0.01 "
    "--sequential '(p summands - 1) words' ";

}  // namespace

TEST_CASE("the least size is the one from which on all sizes of the sweep are as efficient") {
  auto const sizes = isoefficient_sizes(
      sweep_with({row_with("crossbar:4", 4, 10, 0.3), row_with("crossbar:4", 4, 100, 0.5),
                  row_with("crossbar:4", 4, 1000, 0.9), row_with("crossbar:8", 8, 10, 0.6),
                  row_with("crossbar:8", 8, 100, 0.4), row_with("crossbar:8", 8, 1000, 0.7),
                  row_with("crossbar:16", 16, 10, 0.1), row_with("crossbar:16", 16, 1000, 0.45)}),
      "n", 0.5);
  REQUIRE(sizes.size() == 3);
  CHECK(sizes[0].processors == 4);
  CHECK(sizes[0].size == 100);
  CHECK(sizes[0].efficiency == 0.5);
  CHECK(sizes[1].size == 1000);  // 10 is as efficient, but 100 is not
  CHECK_FALSE(sizes[2].size);
  CHECK(sizes[2].efficiency == 0.45);
  auto const text = isoefficiency_as_text(sizes, "n", 0.5);
  CHECK(contains(text, "isoefficiency, at least 0.5\n"));
  CHECK(contains(text, "not reached"));
  auto const curves = curves_of(sizes);
  REQUIRE(curves.size() == 1);
  CHECK(curves[0].points.measured.size() == 2);
  auto const json = isoefficiency_as_json(sizes, "n");
  CHECK(json[2]["n"].is_null());
  CHECK(json[0]["processors"] == 4);
}

TEST_CASE("a sweep has speed-up and efficiency over the sequential algorithm", "[binary]") {
  auto const json = json_of_sweep(reductions);
  for (auto const& row : json["rows"]) {
    auto const p = row["processors"].get<double>();
    auto const summands = row["parameters"]["summands"].get<double>();
    auto const words = row["parameters"]["words"].get<double>();
    auto const sequential = 0.01 * (p * summands - 1) * words;
    auto const speedup = sequential / row["time"]["value"].get<double>();
    CHECK(row["figures"]["speedup"].get<double>() == Approx(speedup));
    CHECK(row["figures"]["efficiency"].get<double>() == Approx(speedup / p));
  }
  CHECK(json["isoefficiency"].empty());
}

TEST_CASE("a sweep finds the least sizes that keep an efficiency, and draws them", "[binary]") {
  auto const json = json_of_sweep(std::string(reductions) + "--isoefficiency 0.5");
  auto const& sizes = json["isoefficiency"];
  REQUIRE(sizes.size() == 3);
  double before = 0;
  for (auto const& one : sizes) {
    CHECK(one["efficiency"].get<double>() >= 0.5);
    CHECK(one["summands"].get<double>() >= before);
    before = one["summands"].get<double>();
    for (auto const& row : json["rows"]) {
      if (row["processors"] != one["processors"]) continue;
      bool const is_large =
          row["parameters"]["summands"].get<double>() >= one["summands"].get<double>();
      CHECK((row["figures"]["efficiency"].get<double>() >= 0.5) == is_large);
    }
  }
  auto const text = lockstep_with("sweep " + std::string(reductions) + "--isoefficiency 0.5");
  CHECK(contains(text.out, "least summands"));
  CHECK(contains(text.out, "efficiency"));
  scratch_directory const scratch;
  auto const file = scratch.file("least.svg").string();
  CHECK(lockstep_with("sweep " + std::string(reductions) + "--isoefficiency 0.5 --plot '" + file +
                      "'")
            .status == 0);
  CHECK(contains(read_file(file), "least summands"));
}

TEST_CASE("an efficiency needs a sequential algorithm, a size and a price", "[binary]") {
  auto const refused = [](std::string const& arguments, std::string const& part) {
    auto const run = lockstep_with("sweep " + arguments);
    INFO(arguments << '\n' << run.err);
    CHECK(run.status == 2);
    CHECK(lines_of(run.err) == 1);
    CHECK(contains(run.err, part));
  };
  std::string const runs = "reduce --on 'crossbar:{4,8}' --summands 16,64 ";
  refused(runs + "--isoefficiency 0.5", "give --sequential");
  refused(runs + "--sequential 'p summands' --isoefficiency 1.5", "above 0, up to 1");
  refused(runs + "--sequential 'p summands' --isoefficiency half", "above 0, up to 1");
  refused("reduce --on 'crossbar:{4,8}' --sequential 'p words' --isoefficiency 0.5",
          "one number has to vary");
  refused(runs + "--words 1,2 --sequential 'p words' --isoefficiency 0.5", "summands and words do");
  refused(runs + "--sequential 'any number'", "is not a number of operations");
  refused(runs + "--sequential '0'", "is not a number of operations");
  refused(runs + "--sequential 'p summands' --model paragon", "no price of a local operation");
  refused(
      "all-gather --on 'crossbar:{4,16}' --words 16,64 --model loggp:operation_us=0.01 "
      "--sequential 'p words'",
      "all-gather counts no local work");
  refused(runs + "--sequential 'p summands' --model loggp-clock",
          "loggp-clock, which has no price of a local operation");
}
