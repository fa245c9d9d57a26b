#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/experiments/papers.hpp>

#include "catch.hpp"
#include "papers/jaja_ryu/broadcasts.hpp"
#include "papers/jaja_ryu/measured_block.hpp"
#include "row_cells.hpp"

namespace {

using lockstep::cell_verdict;
using lockstep::paper_row;
using lockstep::paper_table;
using figures = std::vector<std::uint64_t>;

paper_table const& table_of(std::vector<paper_table> const& tables, std::string const& beginning) {
  auto const found = std::ranges::find_if(
      tables, [&](paper_table const& table) { return table.title.starts_with(beginning); });
  REQUIRE(found != tables.end());
  return *found;
}

paper_row const& row_in(paper_table const& table, std::string const& input,
                        std::string const& algorithm) {
  auto const found = std::ranges::find_if(table.rows, [&](paper_row const& row) {
    return row.network == input && row.algorithm == algorithm;
  });
  REQUIRE(found != table.rows.end());
  return *found;
}

/// How often cells are explained by an erratum.
std::ptrdiff_t explained_by(paper_table const& table, int number) {
  std::ptrdiff_t found = 0;
  for (auto const& row : table.rows)
    found += std::ranges::count_if(row.cells, [number](lockstep::paper_cell const& cell) {
      return cell.verdict == cell_verdict::explained && cell.explanation.value().number == number;
    });
  return found;
}

}  // namespace

TEST_CASE("sections 3 and 4 of JaJa and Ryu, claimed and counted", "[papers]") {
  auto const tables = lockstep::broadcast_tables(64);
  CHECK(tables.size() == 11);
  CHECK(all_right(tables));
  for (auto const& table : tables) {
    INFO(table.title);
    REQUIRE_FALSE(table.rows.empty());
    for (auto const& row : table.rows) {
      CHECK(row.correct == true);
      CHECK(row.cells.size() == table.rows.front().cells.size());  // one heading for all
    }
  }
  using enum cell_verdict;
  auto const& item = table_of(tables, "Lemma 3.1 and Theorem 3.1");
  auto const& direct = row_in(item, "p = 64, tau = 16, m = 8", "direct");
  CHECK(measured_in(direct) == figures{16 + 63 * 8, 1, 63 * 8});
  CHECK(verdicts_of(direct) == std::vector{equal, equal, equal});
  auto const& tree = row_in(item, "p = 64, tau = 16, m = 8", "k-ary");
  CHECK(measured_in(tree) == figures{4 * 16 + 8 * 8, 4, 8 * (2 + 2 + 2 + 2)});
  CHECK(verdicts_of(tree) == std::vector{equal, equal, equal});
  auto const& of_all = table_of(tables, "Lemma 3.2");
  CHECK(measured_in(row_in(of_all, "p = 64, tau = 1024, m = 16", "two-phase")) ==
        figures{2048 + 16 * 7 + 16 * 7, 16 * 7 + 16 * 7});
  CHECK(measured_in(row_in(of_all, "p = 64, tau = 1024, m = 16", "two-phase-filled"))[1] ==
        16 * 15 + 16 * 3);
  auto const& blocks = table_of(tables, "Theorem 3.3");
  CHECK(measured_in(row_in(blocks, "p = 9, tau = 16, m = 8, n = 36", "way 1, even parts")) ==
        figures{160, 96});
}

TEST_CASE("rows of JaJa and Ryu that errata explain", "[papers]") {
  auto const tables = lockstep::broadcast_tables(64);
  CHECK(explained_by(table_of(tables, "Theorem 3.1 where m does not divide tau"), 9) == 2);
  CHECK(explained_by(table_of(tables, "Theorem 3.4"), 8) == 1);
  CHECK(explained_by(table_of(tables, "Theorem 4.1 where pm does not divide n"), 6) == 1);
  CHECK(explained_by(table_of(tables, "Theorem 4.1: n elements balanced"), 6) == 0);
  auto const& routing = table_of(tables, "Theorem 3.4").rows.back();
  CHECK(measured_in(routing) == figures{4520, 4320, 4520});
}

TEST_CASE("the paper of JaJa and Ryu leaves out larger machines", "[papers]") {
  for (auto const& table : lockstep::broadcast_tables(1)) CHECK(table.rows.empty());
  CHECK(lockstep::machines_of_paper(1).empty());
  CHECK(lockstep::machines_of_paper(512).back().p == 512);
  CHECK(lockstep::papers()[4].name == "jaja-ryu");
  CHECK(lockstep::papers()[4].tables(2).size() >= 11);
}
