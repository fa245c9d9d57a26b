#include <lockstep/experiments/papers.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "papers/measured_exchange.hpp"
#include "papers/suh_shin/errata.hpp"
#include "papers/suh_shin/tables.hpp"
#include "row_cells.hpp"

namespace {

using lockstep::cell_verdict;
using lockstep::compared_cell;
using lockstep::erratum;
using lockstep::paper_row;
using lockstep::paper_table;

constexpr auto equal = cell_verdict::equal;
constexpr auto explained = cell_verdict::explained;
constexpr auto not_run = cell_verdict::not_run;

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

lockstep::measured_figure figure(std::string_view name, std::uint64_t claimed,
                                 std::uint64_t measured, bool as_we_claim = true) {
  return {name, claimed, measured, as_we_claim};
}

}  // namespace

TEST_CASE("a cell is equal, explained or wrong", "[papers]") {
  erratum const known{8, "too few"};
  auto const same = compared_cell("words", "8m", 8, 8, std::nullopt);
  CHECK(same.verdict == equal);
  CHECK(same.figure == "words");
  CHECK(same.formula == "8m");
  CHECK(same.claimed == 8);
  CHECK(same.measured == 8);
  auto const other = compared_cell("words", "8m", 8, 9, known);
  CHECK(other.verdict == explained);
  CHECK(other.explanation == known);
  CHECK(compared_cell("words", "8m", 8, 9, std::nullopt).verdict == cell_verdict::wrong);
  CHECK(compared_cell("words", "8m", 8, 7, std::nullopt).verdict == cell_verdict::wrong);
  CHECK_FALSE(compared_cell("words", "8m", 8, 8, known).explanation);
}

TEST_CASE("a wrong cell or result is not all right", "[papers]") {
  auto const with = [](paper_row const& row) {
    return std::vector<paper_table>{{"one", {}}, {"another", {{"torus:4x4", "", {}}, row}}};
  };
  paper_row row{"torus:8x8", "proposed", {compared_cell("words", "8m", 8, 8, std::nullopt)}, true};
  CHECK(all_right(with(row)));
  row.correct = false;
  CHECK_FALSE(all_right(with(row)));
  row.correct = std::nullopt;
  CHECK(all_right(with(row)));
  row.cells.push_back(compared_cell("hops", "8", 8, 9, erratum{8, ""}));
  row.cells.push_back({"hops", "8"});
  CHECK(all_right(with(row)));
  row.cells.push_back(compared_cell("hops", "8", 8, 9, std::nullopt));
  CHECK_FALSE(all_right(with(row)));
}

TEST_CASE("erratum 8 explains rearranged words in three dimensions, if they are what we claim",
          "[papers]") {
  using lockstep::erratum_of_table_1;
  CHECK(erratum_of_table_1({8, 8, 8}, figure("rearranged", 4, 6))->number == 8);
  CHECK(erratum_of_table_1({4, 4, 8}, figure("rearranged", 4, 6))->number == 8);
  CHECK_FALSE(erratum_of_table_1({8, 8, 8}, figure("rearranged", 4, 6, false)));
  CHECK_FALSE(erratum_of_table_1({8, 8}, figure("rearranged", 3, 4)));
}

TEST_CASE("erratum 18 explains less where a later dimension is the largest, if we claim it",
          "[papers]") {
  using lockstep::erratum_of_table_1;
  CHECK(erratum_of_table_1({4, 8, 12}, figure("words", 2304, 2112))->number == 18);
  CHECK(erratum_of_table_1({4, 4, 4, 8}, figure("startups", 12, 10))->number == 18);
  CHECK_FALSE(erratum_of_table_1({4, 8, 12}, figure("words", 2304, 2112, false)));
  CHECK_FALSE(erratum_of_table_1({4, 8, 12}, figure("words", 2304, 2400)));
  CHECK_FALSE(erratum_of_table_1({4, 12, 8}, figure("words", 2304, 2112)));
  CHECK_FALSE(erratum_of_table_1({12, 8, 12}, figure("words", 2304, 2112)));
  CHECK_FALSE(erratum_of_table_1({8, 12}, figure("words", 576, 500)));
}

TEST_CASE("only claims of our own count as such", "[papers]") {
  auto result = lockstep::measured_exchange("torus:4x4x8");
  CHECK(is_as_we_claim(result, "words"));
  CHECK(is_as_we_claim(result, "rearranged"));
  CHECK_FALSE(is_as_we_claim(result, "queued"));  // the paper's claim
  CHECK_FALSE(is_as_we_claim(result, "rounds"));  // nobody's
  for (auto& claimed : result.claims) claimed.value = claimed.value() + 1;
  CHECK_FALSE(is_as_we_claim(result, "words"));
}

TEST_CASE("Table 1 holds on tori and meshes of two dimensions, in either order", "[papers]") {
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

TEST_CASE("Table 1 in three dimensions and more holds but for two errata", "[papers][sanitize]") {
  auto const table = table_1({"torus:12x8x4", "torus:4x8x12", "mesh:2x4x4x6", "mesh:2x2x2x2x2"});
  for (auto const& row : table.rows) CHECK(row.correct == true);
  CHECK(errata_of(table.rows[0]) == std::vector{0, 0, 0, 8, 0});
  CHECK(measured_in(table.rows[0])[1] == 2304);
  CHECK(errata_of(table.rows[1]) == std::vector{18, 18, 18, 8, 18});
  CHECK(measured_in(table.rows[1])[0] == 11);
  CHECK(measured_in(table.rows[1])[1] == 2112);
  CHECK(errata_of(table.rows[2]) == std::vector{18, 18, 18, 8, 18});
  CHECK(measured_in(table.rows[2])[1] == 960);
  CHECK(errata_of(table.rows[3]) == std::vector{0, 0, 0, 8, 0});
}

TEST_CASE("Table 2 has the proposed exchange measured, and its rivals by formula", "[papers]") {
  auto const table = lockstep::suh_shin_table_2(true, 2, 4);
  REQUIRE(table.rows.size() == 9);
  std::vector<std::string> algorithms;
  for (auto const& row : table.rows) algorithms.push_back(row.network + ' ' + row.algorithm);
  CHECK(algorithms ==
        std::vector<std::string>{"torus:4x4 [19]", "torus:4x4 [13]", "torus:4x4 proposed",
                                 "torus:8x8 [19]", "torus:8x8 [13]", "torus:8x8 proposed",
                                 "torus:16x16 [19]", "torus:16x16 [13]", "torus:16x16 proposed"});
  CHECK(verdicts_of(table.rows[0]) == std::vector(5, not_run));
  CHECK(verdicts_of(table.rows[1]) == std::vector(5, explained));
  CHECK(errata_of(table.rows[1]) == std::vector(5, 13));
  CHECK_FALSE(table.rows[1].cells[0].claimed);
  CHECK(verdicts_of(table.rows[2]) == std::vector(5, equal));
  CHECK(verdicts_of(table.rows[4]) == std::vector(5, not_run));
  CHECK(table.rows[4].cells[1].claimed == 192);
  CHECK_FALSE(table.rows[4].cells[1].measured);
  CHECK_FALSE(table.rows[4].correct);
  CHECK(measured_in(table.rows[8]) == std::vector<std::uint64_t>{10, 1280, 30, 768, 9});
  CHECK(verdicts_of(lockstep::suh_shin_table_2(false, 3, 3).rows[2]) == std::vector(5, equal));
}

TEST_CASE("the tables leave out larger networks", "[papers]") {
  auto const tables = lockstep::papers()[0].tables(32);
  std::vector<std::size_t> rows;
  for (auto const& table : tables) rows.push_back(table.rows.size());
  // 4x4, 4x8, 8x4; none; 2x2 to 6x4; 2x2x2, 2^4, 2^5; and 2^d x 2^d for d = 2 alone
  CHECK(rows == std::vector<std::size_t>{3, 0, 6, 3, 3, 3});
  CHECK(all_right(tables));
  CHECK(lockstep::papers()[0].tables(3)[0].rows.empty());
}

TEST_CASE("the papers are listed", "[papers]") {
  REQUIRE(lockstep::papers().size() == 5);
  CHECK(lockstep::papers()[0].name == "suh-shin");
  CHECK_THAT(lockstep::papers()[0].source, has_text("2001"));
}
