#include "papers/mayr_plaxton/tables.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

using lockstep::breach;
using lockstep::cell_verdict;
using lockstep::claim;
using lockstep::claimed_operation;
using lockstep::comparison;
using lockstep::ports;

claimed_operation const lagged{.title = "k prefixes on a tree",
                               .algorithm = "pipelined-prefix",
                               .network = "tree",
                               .parameters = {{"scheme", std::string("lagged")}},
                               .with = ports::one,
                               .erratum_number = 1};

claim paper_claim(double value, std::string const& erratum) {
  return {"steps", "2k + 4 log p", value, comparison::at_most, "Mayr and Plaxton 1989", erratum};
}
claim own_claim(double value) { return {"steps", "3k", value, comparison::equal, "lockstep"}; }

}  // namespace

TEST_CASE("a bound is kept, refuted for a reason, or wrong", "[papers]") {
  breach const late{.step = 32, .processor = 5, .from = 4};
  auto const cell = [&](claim const& bound, double exact, std::uint64_t measured) {
    return bounded_cell(bound, own_claim(exact), measured, late, 1);
  };
  auto const kept = cell(paper_claim(31.6, ""), 31, 31);
  CHECK(kept.verdict == cell_verdict::equal);
  CHECK(kept.claimed == 31);
  CHECK(kept.exact == 31);
  CHECK_FALSE(kept.broken_at);
  auto const refuted = cell(paper_claim(31.6, "three words"), 32, 32);
  CHECK(refuted.verdict == cell_verdict::refuted);
  CHECK(refuted.broken_at == late);
  CHECK(refuted.explanation->number == 1);
  CHECK(refuted.explanation->text == "three words");
  // Neither a difference without a reason, nor a reason without the program's own steps.
  CHECK(cell(paper_claim(31.6, ""), 32, 32).verdict == cell_verdict::wrong);
  CHECK(cell(paper_claim(31.6, "three words"), 32, 33).verdict == cell_verdict::wrong);
  CHECK(cell(paper_claim(31.6, ""), 31, 30).verdict == cell_verdict::wrong);
  // A value that is claimed with = is not a bound.
  auto claimed = paper_claim(31, "");
  claimed.bound = comparison::equal;
  CHECK(cell(claimed, 31, 31).verdict == cell_verdict::equal);
  CHECK(cell(claimed, 30, 30).verdict == cell_verdict::wrong);
}

TEST_CASE("where 2k + 4 log p breaks on a tree", "[papers]") {
  constexpr std::array dimensions{2, 4};
  constexpr std::array<std::int64_t, 3> instances{1, 7, 8};
  auto const table = mayr_plaxton_table(lagged, dimensions, instances);
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[1].network == "tree:4");
  CHECK(table.rows[1].correct == true);
  auto const& cells = table.rows[1].cells;
  REQUIRE(cells.size() == 3);
  CHECK(cells[0].instance == "k = 1");
  CHECK(cells[1].measured == 29);  // 2k + 4 log 15 = 29.6
  CHECK(cells[1].verdict == cell_verdict::equal);
  CHECK(cells[2].measured == 32);  // 31.6
  CHECK(cells[2].verdict == cell_verdict::refuted);
  REQUIRE(cells[2].broken_at);
  CHECK(*cells[2].broken_at ==
        breach{.step = 32, .processor = 14, .from = 13, .busiest = 5, .most_words = 24});
  CHECK(cells[2].explanation->number == 1);
  for (auto const& cell : table.rows[0].cells) CHECK(cell.verdict == cell_verdict::equal);
}

TEST_CASE("all tables of Mayr and Plaxton, on small networks", "[papers]") {
  for (auto const& paper : lockstep::papers()) {
    if (paper.name != "mayr-plaxton") continue;
    auto const tables = paper.tables(16);
    CHECK(lockstep::all_right(tables));
    std::vector<std::string> titles;
    for (auto const& table : tables) {
      titles.push_back(table.title);
      CHECK(table.rows.size() == 3);  // d = 2, 3, 4
    }
    CHECK(titles == std::vector<std::string>{
                        "Prefix on a tree",
                        "Prefix on a hypercube",
                        "Prefix on a shuffle-exchange",
                        "k prefixes on a tree, one port",
                        "k prefixes on a tree, a port for each pass",
                        "k prefixes on a tree, all ports",
                        "k prefixes on a hypercube, the inorder tree, one port",
                        "k prefixes on a hypercube, the inorder tree, all ports",
                        "k prefixes on a hypercube, a spanning tree of degree 3, one port",
                        "k prefixes on a hypercube, halving, one port",
                        "k prefixes on a hypercube, FFT order, all ports",
                        "k prefixes on a shuffle-exchange, two trees, words relayed, one port",
                        "k prefixes on a shuffle-exchange, two trees, words combined, one port",
                        "k prefixes on a shuffle-exchange, halving, one port",
                        "k concentrations, all ports",
                        "k inverse concentrations, all ports",
                        "k broadcasts by plain binomial trees, one port",
                        "k broadcasts, one port",
                        "k sums by plain binomial trees, one port",
                        "k sums, one port"});
    // d = 4, k = 64: one port, a port for each pass, all ports.
    auto const last = [&](std::size_t table) {
      return tables[table].rows[2].cells.back().measured;
    };
    CHECK(last(3) == 200);
    CHECK(last(4) == 138);
    CHECK(last(5) == 69);
    int refuted = 0;
    for (auto const& table : tables)
      for (auto const& row : table.rows) {
        CHECK(row.correct == true);
        for (auto const& cell : row.cells) {
          CHECK(cell.measured == cell.exact);
          if (cell.verdict == cell_verdict::refuted) ++refuted;
        }
      }
    CHECK(refuted > 0);
    return;
  }
  FAIL("there is no such paper");
}
