#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "../catch.hpp"
#include "commands/commands.hpp"
#include "commands/usage_error.hpp"
#include "contains.hpp"
#include "printed.hpp"
#include "report/paper_report.hpp"
#include "sample_paper.hpp"

namespace {

using namespace lockstep;
using cli::exit_status;

printed execute(paper_entry const& paper, bool json,
                std::optional<int> most_processors = std::nullopt) {
  std::ostringstream out;
  auto const status = cli::execute(
      cli::paper_command{.what = &paper, .most_processors = most_processors, .json = json}, out);
  return {status, out.str()};
}

printed execute(std::vector<paper_table> (*tables)(int), bool json,
                std::optional<int> most_processors = std::nullopt) {
  paper_entry const paper{.name = "sample", .source = "Somebody 2001", .tables = tables};
  return execute(paper, json, most_processors);
}

}  // namespace

TEST_CASE("values without a wrong one end with status 0", "[paper_command]") {
  auto const [status, out] = execute(sample_tables, false);
  CHECK(status == exit_status::all_right);
  CHECK(out.starts_with("sample: Somebody 2001\n"));
  CHECK(contains(out, "2 equal, 2 our program exceeds, 1 outside the claim, 1 not run, 0 WRONG"));
  CHECK(contains(out, "2 of 2 runs correct"));
}

TEST_CASE("a wrong value ends with status 1, and is shown", "[paper_command]") {
  auto const [status, out] = execute(wrong_tables, false);
  CHECK(status == exit_status::wrong);
  CHECK(contains(out, "1 equal, 2 our program exceeds, 1 outside the claim, 1 not run, 1 WRONG"));
  CHECK(contains(out, "verdict       WRONG"));
  auto const json = nlohmann::json::parse(execute(wrong_tables, true).out);
  CHECK(execute(wrong_tables, true).status == exit_status::wrong);
  CHECK(json.at("all_right") == false);
  auto const& cell = json.at("tables").at(0).at("rows").at(0).at("cells").at(0);
  CHECK(cell.at("verdict") == "our program exceeds");
  CHECK(cell.at("wrong") == true);
}

TEST_CASE("a wrong result ends with status 1, and is shown", "[paper_command]") {
  auto const [status, out] = execute(incorrect_tables, false);
  CHECK(status == exit_status::wrong);
  CHECK(contains(out, "WRONG RESULT"));
  CHECK(contains(out, "1 of 2 runs correct"));
  CHECK(nlohmann::json::parse(execute(incorrect_tables, true).out).at("all_right") == false);
}

TEST_CASE("larger networks of the tables can be left out, but not all", "[paper_command]") {
  CHECK(contains(execute(sample_tables, false, 64).out, "2 of 2 runs"));
  CHECK_THROWS_AS(execute(sample_tables, false, 63), cli::usage_error);
}

TEST_CASE("the object for programs has tables, rows and cells", "[paper_command]") {
  auto const json = nlohmann::json::parse(execute(sample_tables, true).out);
  CHECK(json.at("paper") == "sample");
  CHECK(json.at("source") == "Somebody 2001");
  CHECK(json.at("all_right") == true);
  CHECK(json.at("seconds").is_number());
  REQUIRE(json.at("tables").size() == 2);
  CHECK(json.at("tables").at(0).at("title") == "Table 1, sample");
  auto const measured = json.at("tables").at(0).at("rows").at(0);
  CHECK(measured == nlohmann::json::parse(R"json({
    "network": "torus:4x4x4", "algorithm": "proposed", "correct": true,
    "cells": [{"figure": "startups", "formula": "n(N1/4 + 1)", "claimed": 6, "measured": 6,
               "verdict": "equal", "relation": "=", "where": []},
              {"figure": "rearranged", "formula": "(n + 1)Am", "claimed": 256, "measured": 384,
               "verdict": "our program exceeds", "reason": "the paper counts too few",
               "relation": "=", "where": [],
               "erratum": {"number": 8, "text": "the paper counts too few"}}]
})json"));
  auto const claimed = json.at("tables").at(1).at("rows").at(0);
  CHECK(claimed.at("correct").is_null());
  CHECK(claimed.at("cells").at(0).at("verdict") == "not run");
  CHECK(claimed.at("cells").at(0).at("measured").is_null());
  CHECK(claimed.at("cells").at(1).at("claimed").is_null());
  CHECK(claimed.at("cells").at(1).at("verdict") == "outside the claim");
  CHECK(claimed.at("cells").at(1).at("where") ==
        nlohmann::json::parse(R"([{"text": "d >= 3", "met": false}])"));
}

TEST_CASE("a bound that breaks is shown with the step and the in-port", "[paper_command]") {
  auto const [status, out] = execute(bounded_tables, false);
  CHECK(status == exit_status::all_right);
  CHECK(contains(out, "proposed: steps <= 2k + 1; ours: = 3k"));
  CHECK(contains(out, "equal: the claim says \"=\", and that was measured."));
  CHECK(contains(out,
                 "network                  k = 1    k = 4\n"
                 "torus:4x4x4  at most         3        9\n"
                 "             measured        3       12\n"
                 "             verdict     holds  refuted\n"
                 "             bound                   10\n"
                 "             over it                1.2\n"
                 "             in step                 10\n"
                 "             over link             4->5\n"
                 "             most words           6: 12\n"));
  CHECK(contains(out, "1 holds, 1 refuted, 0 WRONG"));
  CHECK(contains(out, "2 of 2 runs correct"));
  auto const json = nlohmann::json::parse(execute(bounded_tables, true).out);
  CHECK(json.at("tables").at(0).at("rows").at(0).at("cells").at(1) == nlohmann::json::parse(R"json({
    "figure": "steps", "formula": "2k + 1", "claimed": 9, "measured": 12, "verdict": "refuted",
    "reason": "three words", "where": [],
    "instance": "k = 4", "relation": "<=", "exact": 12, "exact_formula": "3k", "least": 10,
    "broken_at": {"step": 10, "processor": 5, "in_port_from": 4,
                  "busiest_processor": 6, "most_words": 12},
    "erratum": {"number": 1, "text": "three words"}
})json"));
}

TEST_CASE("times are set beside what counts make of them", "[paper_command]") {
  auto const [status, out] = execute(timed_tables, false);
  CHECK(status == exit_status::all_right);
  CHECK(contains(out, "two-phase: seconds tau start-ups + sigma words\n"));
  CHECK(contains(out,
                 "input                      n = 1M   n = 2M\n"
                 "h = n/p  paper              0.153    0.153\n"
                 "         counts             0.172        -\n"
                 "         verdict  decides nothing  not run\n"
                 "                           remark\n"));
  CHECK(contains(out, "remark      priced by a model\n"));
  CHECK(contains(out, "1 decides nothing, 1 not run, 0 WRONG"));
  CHECK(contains(out, "0 of 0 runs correct"));
  auto const json = nlohmann::json::parse(execute(timed_tables, true).out);
  auto const& cells = json.at("tables").at(0).at("rows").at(0).at("cells");
  CHECK(cells.at(0) == nlohmann::json::parse(R"json({
    "figure": "seconds", "formula": "tau start-ups + sigma words", "claimed": null,
    "measured": null, "verdict": "decides nothing", "instance": "n = 1M", "paper": 0.153, "where": [],
    "relation": "=",
    "priced": 0.1724, "erratum": {"number": 0, "text": "priced by a model"}
})json"));
  CHECK(cells.at(1).at("priced").is_null());
}

TEST_CASE("a bound that holds is not called equal", "[paper_command]") {
  auto const tables = [](int) {
    auto const cell = judged_cell(
        {.figure = "words", .formula = "2t", .value = 32, .bound = comparison::at_most}, 24);
    return std::vector<paper_table>{{"Table", {{"crossbar:4", "exchange", {cell}, true}}}};
  };
  auto const [status, out] = execute(tables, false);
  CHECK(status == exit_status::all_right);
  CHECK(contains(out, "verdict   holds"));
  CHECK(contains(out, "values     1 holds, 0 WRONG"));
}

TEST_CASE("a row is at most what it says only if each of its cells is", "[paper_command]") {
  static comparison second = comparison::at_most;
  auto const label = [](comparison of_second) {
    second = of_second;
    auto const out = execute(
        [](int) {
          auto const cell = [](comparison bound) {
            return judged_cell({.figure = "words", .formula = "2t", .value = 24, .bound = bound},
                               24);
          };
          return std::vector<paper_table>{
              {"Table",
               {{"crossbar:4", "exchange", {cell(comparison::at_most), cell(second)}, true}}}};
        },
        false);
    auto const start = out.out.find_first_not_of(' ', out.out.find("exchange  ") + 8);
    return out.out.substr(start, out.out.find("  ", start) - start);
  };
  CHECK(label(comparison::at_most) == "at most");
  CHECK(label(comparison::about) == "claimed");
  CHECK(label(comparison::equal) == "claimed");
}

TEST_CASE("formulas of lockstep's own are told apart from the paper's", "[paper_command]") {
  auto const tables = [](int) {
    auto const papers = judged_cell({.figure = "words", .formula = "2t", .value = 24}, 24);
    auto own = papers;
    own.figure = "words, exactly";
    own.is_ours = true;
    return std::vector<paper_table>{{"Table", {{"crossbar:4", "exchange", {papers, own}, true}}}};
  };
  auto const out = execute(tables, false).out;
  CHECK(contains(out, "exchange: words 2t; ours: words, exactly 2t\n"));
  CHECK(contains(out, "words, exactly (ours)"));
  CHECK(contains(out, "values     1 equal, 0 WRONG\nours       1 equal, 0 WRONG\n"));
  auto const json = nlohmann::json::parse(execute(tables, true).out);
  auto const& cells = json.at("tables").at(0).at("rows").at(0).at("cells");
  CHECK_FALSE(cells.at(0).contains("ours"));
  CHECK(cells.at(1).at("ours") == true);
}

TEST_CASE("figures in text follow the tables; another than the paper's ends with status 1",
          "[paper_command]") {
  paper_entry paper{.name = "sample", .source = "Somebody 2001", .tables = sample_tables};
  CHECK_FALSE(nlohmann::json::parse(execute(paper, true).out).contains("figures"));
  paper.printed = [](int) { return std::vector<printed_figure>{{"Figure 1", "D(0)\n", true}}; };
  auto const right = execute(paper, false);
  CHECK(right.status == exit_status::all_right);
  CHECK(contains(right.out, "\nFigure 1, from a run, as in the paper\nD(0)\n"));
  CHECK(nlohmann::json::parse(execute(paper, true).out).at("figures").at(0) ==
        nlohmann::json::parse(R"({"title": "Figure 1", "text": "D(0)\n", "as_printed": true})"));
  paper.printed = [](int) { return std::vector<printed_figure>{{"Figure 1", "D(1)\n", false}}; };
  auto const other = execute(paper, false);
  CHECK(other.status == exit_status::wrong);
  CHECK(contains(other.out, "Figure 1, from a run, NOT AS in the paper\n"));
  CHECK(nlohmann::json::parse(execute(paper, true).out).at("all_right") == false);
}

TEST_CASE("a lower bound is told from others", "[paper_command]") {
  auto const tables = [](int) -> std::vector<paper_table> {
    return {{"Section 1",
             {{"mesh:4x4",
               "direct",
               {{.figure = "steps",
                 .formula = "a^3/4",
                 .claimed = 16,
                 .measured = 27,
                 .judged = {claim_verdict::holds},
                 .is_lower_bound = true}},
               true}}}};
  };
  auto const out = execute(tables, false).out;
  CHECK(contains(out, "direct: steps >= a^3/4\n"));
  CHECK(contains(out, "at least     16\n"));
  CHECK(nlohmann::json::parse(execute(tables, true).out)
            .at("tables")
            .at(0)
            .at("rows")
            .at(0)
            .at("cells")
            .at(0)
            .at("relation") == ">=");
}

TEST_CASE("figures whose drawing is lost say what of the paper was compared", "[paper_command]") {
  paper_entry paper{.name = "sample", .source = "Somebody 2001", .tables = sample_tables};
  paper.printed = [](int) {
    return std::vector<printed_figure>{{"Figure 1", "D(0)\n", true, "compared: section 2, \"all\""},
                                       {"Figure 2", "D(1)\n"}};
  };
  auto const right = execute(paper, false);
  CHECK(right.status == exit_status::all_right);
  CHECK(contains(right.out,
                 "\nFigure 1, from a run, as the paper says\n"
                 "(compared: section 2, \"all\")\nD(0)\n"));
  CHECK(contains(right.out,
                 "\nFigure 2, from a run\n"
                 "(our text of the paper lacks the drawing, and has nothing to compare with)\n"
                 "D(1)\n"));
  auto const json = nlohmann::json::parse(execute(paper, true).out);
  auto const& said = json.at("figures").at(0);
  CHECK(said.at("compared") == "compared: section 2, \"all\"");
  CHECK(said.at("as_said") == true);
  CHECK_FALSE(said.contains("as_printed"));
  CHECK(json.at("figures").at(1) ==
        nlohmann::json::parse(R"({"title": "Figure 2", "text": "D(1)\n", "as_printed": null})"));
  paper.printed = [](int) {
    return std::vector<printed_figure>{{"Figure 1", "D(1)\n", false, "section 2"}};
  };
  auto const other = execute(paper, false);
  CHECK(other.status == exit_status::wrong);
  CHECK(contains(other.out, "Figure 1, from a run, NOT AS the paper says\n"));
  CHECK(nlohmann::json::parse(execute(paper, true).out).at("figures").at(0).at("as_said") == false);
}

TEST_CASE("what a paper states and is not run is listed without a run", "[paper_command]") {
  auto const listed = [](std::vector<missing_statement> (*missing)(), bool json) {
    paper_entry const paper{.name = "sample",
                            .source = "Somebody 2001",
                            .tables = [](int) -> std::vector<paper_table> {
                              throw invalid_argument("nothing is to run");
                            },
                            .missing = missing};
    std::ostringstream out;
    auto const status =
        cli::execute(cli::paper_command{.what = &paper, .json = json, .missing = true}, out);
    CHECK(status == exit_status::all_right);
    return out.str();
  };
  auto const some = []() -> std::vector<missing_statement> {
    return {{"section 1", "a bound", "local work"},
            {"Theorem 2", "another", "not programmed", "too long"},
            {"Theorem 3", "a third", "local work"}};
  };
  CHECK(listed(some, false) ==
        "sample: Somebody 2001\n"
        "\n"
        "where      what the paper states  why no row has it\n"
        "section 1  a bound                local work\n"
        "Theorem 2  another                not programmed; too long\n"
        "Theorem 3  a third                local work\n"
        "\n"
        "in no row    3: 2 local work, 1 not programmed\n");
  auto const json = nlohmann::json::parse(listed(some, true));
  CHECK(json.at("paper") == "sample");
  REQUIRE(json.at("missing").size() == 3);
  CHECK(json.at("missing").at(1) == nlohmann::json{{"place", "Theorem 2"},
                                                   {"statement", "another"},
                                                   {"kind", "not programmed"},
                                                   {"why", "too long"}});
  CHECK(json.at("kinds") == nlohmann::json{{"local work", 2}, {"not programmed", 1}});
  CHECK(contains(listed(nullptr, false), "nothing is listed that no row has"));
  CHECK(nlohmann::json::parse(listed(nullptr, true)).at("missing").empty());
}
