#include "report/figure_text.hpp"
#include "contains.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "../catch.hpp"
#include "sample_figure.hpp"

namespace {

/// Counts the fields of a line of CSV: commas within quotes part none.
int fields_in(std::string const& line) {
  int fields = 1;
  bool is_quoted = false;
  for (char const c : line) {
    if (c == '"') is_quoted = !is_quoted;
    if (c == ',' && !is_quoted) ++fields;
  }
  return fields;
}

}  // namespace

TEST_CASE("the curves are rows of CSV", "[figure_text]") {
  auto const csv = lockstep::cli::curves_as_csv(sample_figure());
  CHECK(
      csv.starts_with("network,reading,algorithm,basis,block_bytes,us\n"
                      "torus:16x16,cube,proposed,measured counts,1,120.5\n"
                      "torus:16x16,cube,proposed,measured counts,2,121\n"));
  CHECK(csv.ends_with("torus:16x16,side,[13],formulas,4,143\n"));
}

TEST_CASE("the cross-overs are rows of CSV", "[figure_text]") {
  CHECK(lockstep::cli::cross_overs_as_csv(sample_figure()) ==
        "network,reading,rival,block_bytes,us\n"
        "torus:16x16,cube,[13],2,121\n"
        "torus:16x16,cube,[16],0.5,120.25\n"
        "torus:16x16,side,[19],0,120\n"
        "torus:16x16,side,[0],,\n");
}

TEST_CASE("each row of CSV has as many fields as the header, whatever the names are",
          "[figure_text]") {
  auto figure = sample_figure();
  for (auto& panel : figure.panels) {
    panel.name = "a \"small\" torus";
    panel.curves[0].name = "exact, run";
    panel.cross_overs[0].rival = "direct, in turn";
  }
  auto const curves = lockstep::cli::curves_as_csv(figure);
  CHECK_THAT(curves, has_text("\n\"a \"\"small\"\" torus\",cube,\"exact, run\",measured"));
  for (auto const& csv : {curves, lockstep::cli::cross_overs_as_csv(figure)}) {
    std::istringstream lines(csv);
    std::string header;
    REQUIRE(std::getline(lines, header));
    for (std::string row; std::getline(lines, row);) CHECK(fields_in(row) == fields_in(header));
  }
}

TEST_CASE("the cross-overs are listed for people", "[figure_text]") {
  auto const text = lockstep::cli::as_text(sample_figure());
  CHECK(text.starts_with("sample-1: It's a figure\nhow d is read\n"));
  CHECK(contains(text, "measured with blocks of one word"));
  CHECK(text.ends_with(
      "network      reading  rival  proposed is faster from (bytes)  time there (us)\n"
      "torus:16x16  cube     [13]                             2.000            121.0\n"
      "torus:16x16  cube     [16]                             0.500            120.2\n"
      "torus:16x16  side     [19]                            always\n"
      "torus:16x16  side     [0]             never for large blocks\n"));
}

TEST_CASE("a figure without cross-overs has checks instead", "[figure_text]") {
  auto figure = sample_figure();
  for (auto& panel : figure.panels) panel.cross_overs.clear();
  using enum lockstep::claim_verdict;
  figure.checks = {
      {"all sizes", "2.00 times", {holds}, "section 5, \"twice the time\""},
      {"all sizes", "3 times", {our_program_exceeds, "a mistake", true}, "section 6, \"once\""},
      {"as many words", "8 and 8", {holds}}};
  figure.basis.clear();
  CHECK(lockstep::cli::as_text(figure) ==
        "sample-1: It's a figure\n"
        "how d is read\n"
        "\n"
        "the paper says                                 found\n"
        "section 5, \"twice the time\": all sizes  holds  2.00 times\n"
        "section 6, \"once\": all sizes            WRONG  3 times; a mistake\n"
        "\n"
        "lockstep says         found\n"
        "as many words  holds  8 and 8\n");
  CHECK_FALSE(all_right(figure));
  figure.checks[1].judged = {outside_the_claim, "made for p > 8"};
  CHECK(contains(lockstep::cli::as_text(figure), "outside the claim  3 times; made for p > 8\n"));
  CHECK(all_right(figure));
}

TEST_CASE("columns are called as the figure says", "[figure_text]") {
  auto figure = sample_figure();
  figure.x = {
      .quantity = "elements n", .unit = "", .column = "elements", .has_binary_prefixes = true};
  figure.columns = {.panel = "machine", .reading = "blocks", .curve = "input"};
  figure.marks.clear();
  figure.time = "routing time";
  figure.panels[0].curves[1].basis = "measured counts";
  CHECK(lockstep::cli::curves_as_csv(figure).starts_with(
      "machine,blocks,input,basis,elements,us\ntorus:16x16,cube,proposed,measured "
      "counts,1,120.5\n"));
  CHECK(
      lockstep::cli::cross_overs_as_csv(figure).starts_with("machine,blocks,rival,elements,us\n"));
}

TEST_CASE("a figure of ratios has no unit", "[figure_text]") {
  auto figure = sample_figure();
  figure.y = {.column = "ratio", .is_time = false};
  figure.panels[0].curves[0].points = {{0.25, 3}, {16, 0.5}};
  CHECK_THAT(lockstep::cli::curves_as_csv(figure), has_text(",ratio\n"));
  CHECK_THAT(lockstep::cli::curves_as_csv(figure), has_text(",16,0.5\n"));
}
