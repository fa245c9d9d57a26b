#include <lockstep/experiments/papers.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/progress.hpp>

#include "catch.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/run_pace.hpp"
#include "papers/suh_shin/direct.hpp"
#include "papers/suh_shin/tables.hpp"
#include "row_cells.hpp"

namespace {

using lockstep::claim;
using lockstep::claim_verdict;
using lockstep::comparison;
using lockstep::judged_cell;
using lockstep::paper_row;
using lockstep::paper_table;

paper_table table_1(std::vector<std::string> const& networks) {
  return lockstep::suh_shin_table_1("Table 1", networks);
}

/// The numbers of the errata, 0 where there is none.
std::vector<int> errata_of(paper_row const& row) {
  std::vector<int> numbers;
  for (auto const& cell : row.cells)
    numbers.push_back(cell.explanation ? cell.explanation->number : 0);
  return numbers;
}

}  // namespace

TEST_CASE("a cell has the verdict on its claim, and the number of what that rests on", "[papers]") {
  using enum claim_verdict;
  claim of_8{.figure = "words", .formula = "8m", .value = 8.5};
  auto const same = judged_cell(of_8, 8, 3);
  CHECK(same.verdict() == equal);  // of whole numbers
  CHECK(same.figure == "words");
  CHECK(same.formula == "8m");
  CHECK(same.claimed == 8);
  CHECK(same.measured == 8);
  CHECK_FALSE(same.explanation);
  CHECK(judged_cell(of_8, 9).judged.is_fault);
  of_8.erratum = "two words too many";
  of_8.bound = comparison::at_most;
  CHECK(judged_cell(of_8, 8, 3).verdict() == holds);
  CHECK_FALSE(judged_cell(of_8, 8, 3).explanation);
  auto const more = judged_cell(of_8, 9, 3);
  CHECK(more.verdict() == our_program_exceeds);
  CHECK(more.explanation == lockstep::erratum{3, "two words too many"});
  of_8.where = {{"p > 8", false}};
  CHECK(judged_cell(of_8, 9, 3).verdict() == outside_the_claim);
  CHECK_FALSE(judged_cell(of_8, 9, 3).explanation);
}

TEST_CASE("a wrong cell or result is not all right", "[papers]") {
  using enum claim_verdict;
  auto const with = [](paper_row const& row) {
    return std::vector<paper_table>{{"one", {}}, {"another", {{"torus:4x4", "", {}}, row}}};
  };
  claim const words{.figure = "words", .formula = "8m", .value = 8};
  claim hops{.figure = "hops", .formula = "8", .value = 8, .erratum = "why"};
  paper_row row{"torus:8x8", "proposed", {judged_cell(words, 8)}, true};
  CHECK(all_right(with(row)));
  row.correct = false;
  CHECK_FALSE(all_right(with(row)));
  row.correct = std::nullopt;
  CHECK(all_right(with(row)));
  row.cells.push_back(judged_cell(hops, 9, 8));
  row.cells.push_back({"hops", "8"});
  CHECK(all_right(with(row)));
  row.cells.push_back(judged_cell(words, 9));
  CHECK_FALSE(all_right(with(row)));
}

TEST_CASE("Table 1 holds on tori and meshes of two dimensions, in either order", "[papers]") {
  using enum claim_verdict;
  auto const table = table_1({"torus:4x4", "torus:8x12", "torus:12x8", "mesh:2x2", "mesh:6x4"});
  for (auto const& row : table.rows) {
    INFO(row.network);
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector(5, equal));
  }
  CHECK(measured_in(table.rows[0]) == std::vector<std::uint64_t>{4, 32, 6, 48, 3});
  CHECK(measured_in(table.rows[1]) == std::vector<std::uint64_t>{8, 384, 22, 288, 7});
  CHECK(measured_in(table.rows[1]) == measured_in(table.rows[2]));
  CHECK(measured_in(table.rows[3]) == std::vector<std::uint64_t>{2, 4, 2, 8, 1});
  CHECK(measured_in(table.rows[4]) == std::vector<std::uint64_t>{6, 72, 18, 48, 5});
}

TEST_CASE("Table 1 in three dimensions and more is for sizes in descending order",
          "[papers][sanitize]") {
  using enum claim_verdict;
  auto const table = table_1({"torus:12x8x4", "torus:4x8x12", "mesh:2x4x4x6", "mesh:2x2x2x2x2"});
  for (auto const& row : table.rows) CHECK(row.correct == true);
  std::vector const in_order{equal, equal, equal, our_program_exceeds, equal};
  CHECK(verdicts_of(table.rows[0]) == in_order);
  CHECK(errata_of(table.rows[0]) == std::vector{0, 0, 0, 8, 0});
  CHECK(measured_in(table.rows[0])[1] == 2304);
  CHECK(verdicts_of(table.rows[1]) == std::vector(5, outside_the_claim));
  CHECK(table.rows[1].cells[0].judged.reason == "made for N1 >= N2 >= ... >= Nn");
  CHECK(measured_in(table.rows[1])[0] == 11);
  CHECK(measured_in(table.rows[1])[1] == 2112);
  CHECK(verdicts_of(table.rows[2]) == std::vector(5, outside_the_claim));
  CHECK(measured_in(table.rows[2])[1] == 960);
  CHECK(verdicts_of(table.rows[3]) == in_order);
}

TEST_CASE("Table 2 has the proposed exchange measured, and its rivals by formula", "[papers]") {
  using enum claim_verdict;
  auto const table = lockstep::suh_shin_table_2(true, 2, 4);
  REQUIRE(table.rows.size() == 9);
  std::vector<std::string> algorithms;
  for (auto const& row : table.rows) algorithms.push_back(row.network + ' ' + row.algorithm);
  CHECK(algorithms ==
        std::vector<std::string>{"torus:4x4 [19]", "torus:4x4 [13]", "torus:4x4 proposed",
                                 "torus:8x8 [19]", "torus:8x8 [13]", "torus:8x8 proposed",
                                 "torus:16x16 [19]", "torus:16x16 [13]", "torus:16x16 proposed"});
  CHECK(verdicts_of(table.rows[0]) == std::vector(5, not_run));
  CHECK(verdicts_of(table.rows[1]) == std::vector(5, not_run));
  CHECK_THAT(table.rows[1].cells[0].judged.reason, has_text("d >= 3 only"));
  CHECK_FALSE(table.rows[1].cells[0].claimed);
  CHECK(verdicts_of(table.rows[2]) == std::vector(5, equal));
  CHECK(verdicts_of(table.rows[4]) == std::vector(5, not_run));
  CHECK(table.rows[4].cells[1].claimed == 192);
  CHECK_FALSE(table.rows[4].cells[1].measured);
  CHECK_FALSE(table.rows[4].correct);
  CHECK(measured_in(table.rows[8]) == std::vector<std::uint64_t>{10, 1280, 30, 768, 9});
  CHECK(verdicts_of(lockstep::suh_shin_table_2(false, 3, 3).rows[2]) == std::vector(5, equal));
  // [16] on meshes, by our schedule, rearranges less from d = 3 on: 2d - 1 times, not 2^d - 1.
  auto const meshes = lockstep::suh_shin_table_2(false, 2, 4);
  CHECK(meshes.rows[0].algorithm == "[16], as lockstep reads it");
  CHECK(verdicts_of(meshes.rows[0]) == std::vector(5, equal));
  CHECK_THAT(meshes.rows[0].cells[0].explanation->text, has_text("chosen so that the formulas"));
  CHECK_THAT(meshes.rows[3].cells[3].judged.reason, has_text("between any two steps, 2^d - 1"));
  for (std::size_t const row : {3U, 6U}) {
    CHECK(meshes.rows[row].correct == true);
    CHECK(verdicts_of(meshes.rows[row]) ==
          std::vector{equal, equal, equal, decides_nothing, equal});
  }
  CHECK(measured_in(meshes.rows[6]) == std::vector<std::uint64_t>{16, 2048, 86, 1792, 15});
}

TEST_CASE("a lower bound holds where no less is measured, within its hypotheses", "[papers]") {
  using enum claim_verdict;
  auto const judged = [](std::uint64_t measured, bool is_met) {
    return lockstep::lower_bound_cell("steps", "a^3/4", 16, measured, {{"direct", is_met}});
  };
  CHECK(judged(16, true).verdict() == holds);
  CHECK(judged(27, true).verdict() == holds);
  CHECK(judged(27, true).is_lower_bound);
  CHECK_FALSE(judged(27, true).judged.is_fault);
  // A program cannot exceed a lower bound: less is a mistake, and is not told as anything else.
  CHECK(judged(15, true).judged.is_fault);
  CHECK(judged(15, true).verdict() == decides_nothing);
  CHECK_THAT(judged(15, true).judged.reason, has_text("less than a lower bound"));
  CHECK(judged(15, false).verdict() == outside_the_claim);
  CHECK(judged(15, false).claimed == 16);
  CHECK(judged(15, false).measured == 15);
}

TEST_CASE("Scott's bound is for exchanges that combine no messages", "[papers]") {
  using enum claim_verdict;
  auto const table = lockstep::direct_exchange_table(std::array{2, 4, 8});
  REQUIRE(table.rows.size() == 6);
  std::vector<std::vector<std::uint64_t>> const direct{{3, 3}, {27, 15}, {219, 63}};
  std::vector<std::uint64_t> const bounds{2, 16, 128};
  for (std::size_t i = 0; i < direct.size(); ++i) {
    auto const& by_itself = table.rows[2 * i];
    INFO(by_itself.network);
    CHECK(by_itself.algorithm == "direct [17]");
    CHECK(by_itself.correct == true);
    CHECK(measured_in(by_itself) == direct[i]);
    CHECK(by_itself.cells[0].claimed == bounds[i]);
    CHECK(verdicts_of(by_itself) == std::vector(2, holds));
    auto const& combined = table.rows[2 * i + 1];
    CHECK(combined.correct == true);
    CHECK(verdicts_of(combined) == std::vector(2, outside_the_claim));
    CHECK_THAT(combined.cells[0].judged.reason, has_text("direct exchanges only"));
  }
  CHECK(measured_in(table.rows[3])[0] < bounds[1]);  // combining takes fewer steps than the bound
}

TEST_CASE("the tables leave out larger networks", "[papers]") {
  using enum claim_verdict;
  auto const tables = lockstep::papers()[0].tables(32);
  std::vector<std::size_t> rows;
  for (auto const& table : tables) rows.push_back(table.rows.size());
  // 4x4, 4x8, 8x4; none; 2x2 to 6x4; 2x2x2, 2^4, 2^5; 2^d x 2^d for d = 2 alone; 2x2 and 4x4; 2x4
  CHECK(rows == std::vector<std::size_t>{3, 0, 6, 3, 3, 3, 4, 1});
  CHECK(all_right(tables));
  CHECK(lockstep::papers()[0].tables(3)[0].rows.empty());
}

TEST_CASE("the papers are listed", "[papers]") {
  using enum claim_verdict;
  REQUIRE(lockstep::papers().size() == 5);
  CHECK(lockstep::papers()[0].name == "suh-shin");
  CHECK_THAT(lockstep::papers()[0].source, has_text("2001"));
}

namespace {

/// Cells by verdict, of the paper's claims or of lockstep's own.
using totals = std::map<claim_verdict, int>;

totals totals_of(std::vector<paper_table> const& tables, bool are_ours) {
  totals counted;
  for (auto const& table : tables)
    for (auto const& row : table.rows)
      for (auto const& cell : row.cells)
        if (cell.is_ours == are_ours) ++counted[cell.verdict()];
  return counted;
}

/// Finds the tables with something refuted.
std::set<std::string> refuted_in(std::vector<paper_table> const& tables) {
  std::set<std::string> titles;
  for (auto const& table : tables)
    for (auto const& row : table.rows)
      for (auto const& cell : row.cells)
        if (cell.verdict() == claim_verdict::refuted) titles.insert(table.title);
  return titles;
}

/// The only tables with something refuted, for which there is evidence.
std::set<std::string> const with_evidence{
    "k Prefix' on a tree, one port",
    "k prefixes on a hypercube, the inorder tree's embedding, one port",
    "k prefixes on a tree, one port", "k segmented broadcasts on a tree, one port"};

/// Counts the runs that are noted while something is done.
template <class Work>
std::uint64_t noted_runs(Work const& work) {
  lockstep::work_progress board;
  lockstep::progress_scope const noting(board);
  work();
  return board.state().part;
}

/// Checks that a paper's small tables and what it prints have as many runs as their pace says. Where
/// this fails, all points have to be measured again: `cli_test "[pace]"` counts all runs.
void check_pace(std::string const& paper, std::uint64_t runs) {
  auto const paces = lockstep::run_paces();
  auto const pace = std::ranges::find(paces, paper, &lockstep::run_pace::name);
  if (pace != paces.end()) CHECK(runs == pace->runs_of_small_tables);
}

/// Whether the verdict is one that such a claim can have, by what was measured.
void check_verdict(lockstep::paper_cell const& cell) {
  using enum claim_verdict;
  bool const is_met = std::ranges::all_of(cell.where, [](auto const& one) { return one.is_met(); });
  CHECK_FALSE(cell.judged.is_fault);
  bool const is_judged = cell.measured || cell.bound == comparison::order;  // by runs of many sizes
  CHECK((cell.verdict() == outside_the_claim) == (!is_met && is_judged));
  if (!cell.measured) return;
  auto const measured = *cell.measured;
  switch (cell.verdict()) {
    case equal:
      CHECK((cell.bound == comparison::equal && measured == cell.claimed));
      break;
    case holds:
      if (cell.bound == comparison::order) break;  // judged by the trend of runs, of any constant
      CHECK((cell.is_lower_bound ? measured >= cell.claimed
                                 : cell.bound != comparison::equal && measured <= cell.claimed));
      break;
    case refuted:
      CHECK((measured > cell.claimed && !cell.judged.reason.empty() && cell.explanation));
      break;
    case our_program_exceeds:
      CHECK((measured > cell.claimed && !cell.judged.reason.empty() && cell.explanation));
      break;
    case outside_the_claim:
    case decides_nothing:
      CHECK_FALSE(cell.judged.reason.empty());
      break;
    case not_run:
      FAIL("measured, and not run");
  }
}

/// Checks each verdict by its claim, its hypotheses and what was measured.
void check_verdicts(std::string const& paper, std::vector<paper_table> const& tables) {
  for (auto const& table : tables)
    for (auto const& row : table.rows)
      for (auto const& cell : row.cells) {
        INFO(paper << ", " << table.title << ", " << row.network << ", " << cell.figure
                   << cell.instance);
        check_verdict(cell);
        if (cell.verdict() == claim_verdict::not_run) CHECK_FALSE(cell.judged.reason.empty());
      }
}

}  // namespace

TEST_CASE("the only tables of Mayr and Plaxton with something refuted have evidence", "[papers]") {
  auto const paper =
      std::ranges::find(lockstep::papers(), "mayr-plaxton", &lockstep::paper_entry::name);
  CHECK(refuted_in(paper->tables(32)) == with_evidence);
}

// By hand, for it makes all tables. Those of 16 processors are looked at below.
TEST_CASE("no other paper has anything refuted", "[.][large]") {
  for (auto const& paper : lockstep::papers()) {
    INFO(paper.name);
    if (paper.name != "mayr-plaxton") CHECK(refuted_in(paper.tables(32)).empty());
  }
}

TEST_CASE("a cell is set beside the strongest lower bound of its run", "[papers]") {
  lockstep::experiment_result run;
  run.bounds = {{.figure = "words", .formula = "", .value = 50, .source = ""},
                {.figure = "steps", .formula = "", .value = 7, .source = ""},
                {.figure = "steps", .formula = "", .value = 9, .source = ""}};
  auto const beside = [&](std::uint64_t measured) {
    auto cell = lockstep::judged_cell({.figure = "steps", .formula = "12", .value = 12}, measured);
    lockstep::set_beside_bound(cell, run);
    return cell;
  };
  CHECK(beside(12).least == 9U);
  CHECK_FALSE(beside(12).judged.is_fault);
  CHECK(beside(8).judged.is_fault);
  auto other = lockstep::judged_cell({.figure = "startups", .formula = "1", .value = 1}, 1);
  lockstep::set_beside_bound(other, run);
  CHECK_FALSE(other.least);
}

TEST_CASE(
    "totals by word of each paper on small machines, where each verdict agrees with its claim",
    "[papers][progress]") {
  using enum claim_verdict;
  std::map<std::string, totals> papers;
  std::map<std::string, totals> own;
  for (auto const& paper : lockstep::papers()) {
    INFO(paper.name);
    std::vector<paper_table> tables;
    check_pace(paper.name, noted_runs([&] {
                 tables = paper.tables(lockstep::processors_of_small_tables);
                 if (paper.printed != nullptr)
                   static_cast<void>(paper.printed(lockstep::processors_of_small_tables));
               }));
    check_verdicts(paper.name, tables);
    papers[paper.name] = totals_of(tables, false);
    own[paper.name] = totals_of(tables, true);
  }
  CHECK(papers["suh-shin"] == totals{{equal, 52},
                                     {holds, 4},
                                     {our_program_exceeds, 2},
                                     {outside_the_claim, 4},
                                     {not_run, 15}});
  CHECK(papers["mayr-plaxton"] == totals{{equal, 54},
                                         {holds, 594},
                                         {refuted, 13},
                                         {our_program_exceeds, 38},
                                         {outside_the_claim, 115},
                                         {decides_nothing, 10}});
  CHECK(
      papers["bader-helman-jaja"] ==
      totals{
          {equal, 17}, {holds, 440}, {outside_the_claim, 7}, {decides_nothing, 21}, {not_run, 21}});
  CHECK(papers["jaja-ryu"] == totals{{equal, 96},
                                     {holds, 572},
                                     {our_program_exceeds, 8},
                                     {outside_the_claim, 252},
                                     {decides_nothing, 14}});
  CHECK(papers["shankar-ranka"] == totals{{equal, 26},
                                          {holds, 2348},
                                          {our_program_exceeds, 41},
                                          {outside_the_claim, 176},
                                          {decides_nothing, 457}});
  CHECK(own["suh-shin"].empty());
  CHECK(own["mayr-plaxton"] == totals{{equal, 12}, {holds, 42}});
  CHECK(own["bader-helman-jaja"] ==
        totals{{equal, 165}, {holds, 120}, {outside_the_claim, 2}, {not_run, 2}});
  CHECK(own["jaja-ryu"] == totals{{equal, 403}, {holds, 128}, {decides_nothing, 6}});
  CHECK(own["shankar-ranka"] == totals{{equal, 239},
                                       {holds, 2895},
                                       {our_program_exceeds, 32},
                                       {outside_the_claim, 80},
                                       {decides_nothing, 94}});
}

TEST_CASE("each paper says what it states that is not run, and why", "[papers]") {
  std::set<std::string> const kinds{"no program in our texts",      "a statement without a program",
                                    "measured on machines",         "not programmed",
                                    "the machine has no bits",      "shown by runs",
                                    "run in tests only, as printed"};
  for (auto const& paper : lockstep::papers()) {
    INFO(paper.name);
    REQUIRE(paper.missing != nullptr);
    std::set<std::string> told;
    for (auto const& each : paper.missing()) {
      INFO(each.statement);
      CHECK_FALSE(each.place.empty());
      CHECK_FALSE(each.statement.empty());
      CHECK(kinds.contains(each.kind));
      CHECK(told.insert(each.place + each.statement).second);
    }
    CHECK_FALSE(told.empty());
  }
}

TEST_CASE("what a paper's reasons name can be asked for", "[papers]") {
  int named = 0;
  for (auto const& paper : lockstep::papers())
    for (auto const& each : paper.missing()) {
      std::istringstream rest(each.why);
      std::string text;
      for (bool is_command = false; std::getline(rest, text, '`'); is_command = !is_command) {
        if (!is_command || text.starts_with("-")) continue;
        INFO(text);
        std::string const figure = "figure ";
        bool const is_figure = text.starts_with(figure);
        auto const name = is_figure ? text.substr(figure.size()) : text;
        CHECK((lockstep::find_experiment(name) != nullptr ||
               std::ranges::count(lockstep::figures(), name, &lockstep::figure_entry::name) == 1));
        ++named;
      }
    }
  CHECK(named >= 3);
}
