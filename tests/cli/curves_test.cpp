#include "report/curves.hpp"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "../catch.hpp"

using namespace lockstep::cli;
using nlohmann::ordered_json;

namespace {

ordered_json row_with(std::string const& scheme, std::string const& words, int steps,
                      std::string const& on = "ring:4") {
  return {{"given", {{"on", on}, {"scheme", scheme}, {"words", words}}},
          {"status", "right"},
          {"algorithm", "all-reduce"},
          {"topology", on},
          {"processors", std::stoi(on.substr(on.find(':') + 1))},
          {"counts", {{"steps", steps}}},
          {"claims",
           {{{"figure", "steps"}, {"value", steps + 1}, {"relation", "<="}, {"verdict", "holds"}}}},
          {"bounds", {{{"figure", "steps"}, {"value", 2}}, {{"figure", "steps"}, {"value", 3}}}}};
}

sweep_report report_of(std::vector<ordered_json> rows) {
  return {.version = "0.1.0",
          .command = "lockstep sweep",
          .varied = {"on", "scheme", "words"},
          .rows = std::move(rows)};
}

sweep_report two_schemes() {
  return report_of({row_with("ring", "1", 9), row_with("ring", "4", 9), row_with("ring", "16", 10),
                    row_with("tree", "16", 12), row_with("tree", "4", 9),
                    row_with("tree", "1", 3)});
}

}  // namespace

TEST_CASE("runs that differ in x alone are a curve, sorted, with claims and bounds", "[curves]") {
  auto const curves = curves_of(two_schemes(), "words", "steps");
  REQUIRE(curves.size() == 2);
  CHECK(curves[0].points.name == "ring");
  CHECK(curves[1].points.name == "tree");
  CHECK(curves[1].points.measured == std::vector<plot_point>{{1, 3}, {4, 9}, {16, 12}});
  CHECK(curves[1].points.claimed == std::vector<plot_point>{{1, 4}, {4, 10}, {16, 13}});
  CHECK(curves[1].points.bound == std::vector<plot_point>{{1, 3}, {4, 3}, {16, 3}});
  CHECK(curves_of(two_schemes(), "words", "flops").empty());
}

TEST_CASE("along the processors a curve is of a kind of network, at its best", "[curves]") {
  auto const curves = curves_of(
      report_of({row_with("ring", "1", 9, "torus:16"), row_with("ring", "1", 8, "mesh:16"),
                 row_with("ring", "1", 7, "torus:16"), row_with("ring", "1", 3, "torus:4")}),
      "processors", "steps");
  REQUIRE(curves.size() == 2);
  CHECK(curves[0].points.name == "torus");
  CHECK(curves[0].points.measured == std::vector<plot_point>{{4, 3}, {16, 7}});
}

TEST_CASE("a cross-over is named with the interval in which it is", "[curves]") {
  auto const curves = curves_of(two_schemes(), "words", "steps");
  auto const crossings = crossings_of(curves);
  REQUIRE(crossings.size() == 1);  // equal values have no order
  CHECK(crossings[0].cheaper == 0);
  CHECK(crossings[0].after == 1);
  CHECK(crossings[0].from == 16);
  CHECK(crossings_as_text(crossings, curves, "words", "steps") ==
        "ring has fewer steps than tree from --words 16 on (changes between 1 and 16)\n");
  auto const json = crossings_as_json(crossings, curves, "words", "steps");
  CHECK(json[0]["cheaper"]["scheme"] == "ring");
  CHECK(json[0]["than"]["scheme"] == "tree");
  CHECK(json[0]["after"] == 1);
  CHECK(json[0]["from"] == 16);
}

TEST_CASE("programs on networks of their own are compared along the processors", "[curves]") {
  auto const row = [](std::string const& program, std::string const& on, int processors,
                      int steps) {
    ordered_json one = row_with("", "1", steps, on);
    one["given"] = {{"algorithm", program}, {"on", on}};
    one["algorithm"] = program;
    one["processors"] = processors;
    return one;
  };
  auto const of =
      report_of({row("prefix", "hypercube:2", 4, 9), row("prefix", "hypercube:4", 16, 10),
                 row("scan", "mesh:2x2", 4, 5), row("scan", "mesh:4x4", 16, 12)});
  auto const curves = curves_of(of, "processors", "steps");
  auto const crossings = crossings_of(curves);
  REQUIRE(crossings.size() == 1);
  CHECK(curves[crossings[0].cheaper].points.name == "prefix, hypercube");
  CHECK(crossings[0].after == 4);
  CHECK(crossings[0].from == 16);
  // Where one program runs on both networks, they are compared there.
  auto both = of;
  both.rows.push_back(row("scan", "hypercube:2", 4, 20));
  both.rows.push_back(row("scan", "hypercube:4", 16, 20));
  CHECK(crossings_of(curves_of(both, "processors", "steps")).empty());
}

TEST_CASE("networks of other numbers of processors are not compared", "[curves]") {
  auto const row = [](std::string const& program, std::string const& on, int processors,
                      std::string const& words, int steps) {
    ordered_json one = row_with("", words, steps, on);
    one["given"] = {{"algorithm", program}, {"on", on}, {"words", words}};
    one["processors"] = processors;
    return one;
  };
  auto const crossings = [&](int processors) {
    return crossings_of(curves_of(
        report_of({row("prefix", "hypercube:2", 4, "1", 9), row("prefix", "hypercube:2", 4, "2", 9),
                   row("scan", "mesh:9", processors, "1", 5),
                   row("scan", "mesh:9", processors, "2", 12)}),
        "words", "steps"));
  };
  CHECK(crossings(4).size() == 1);
  CHECK(crossings(9).empty());
}

TEST_CASE("schemes that go on networks of their own are compared, sizes are not", "[curves]") {
  auto const on = [](std::string const& network, ordered_json row) {
    row["given"]["on"] = row["topology"] = network;
    return row;
  };
  auto const schemes = report_of({row_with("ring", "1", 2), row_with("ring", "4", 9),
                                  on("hypercube:2", row_with("tree", "1", 5)),
                                  on("hypercube:2", row_with("tree", "4", 5))});
  auto const curves = curves_of(schemes, "words", "steps");
  auto const crossings = crossings_of(curves);
  REQUIRE(crossings.size() == 1);
  CHECK(curves[crossings[0].cheaper].points.name == "hypercube:2, tree");
  CHECK(crossings[0].from == 4);
  // More keys on one network beside fewer on another answer different questions.
  auto sizes = schemes;
  for (auto& row : sizes.rows)
    row["given"] = {{"on", row["topology"]},
                    {"keys", row["topology"] == "ring:4" ? "100" : "64"},
                    {"words", row["given"]["words"]}};
  CHECK(curves_of(sizes, "words", "steps").size() == 2);
  CHECK(crossings_of(curves_of(sizes, "words", "steps")).empty());
}

TEST_CASE("curves that differ in more than one value are not compared", "[curves]") {
  auto const of =
      report_of({row_with("ring", "1", 1), row_with("ring", "4", 9),
                 row_with("tree", "1", 5, "ring:8"), row_with("tree", "4", 5, "ring:8")});
  CHECK(crossings_of(curves_of(of, "words", "steps")).empty());
}
