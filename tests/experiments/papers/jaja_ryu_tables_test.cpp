#include <algorithm>
#include <cstdint>
#include <ranges>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/papers.hpp>

#include "catch.hpp"
#include "papers/claims_row.hpp"
#include "papers/jaja_ryu/broadcasts.hpp"
#include "papers/jaja_ryu/computation_growths.hpp"
#include "papers/jaja_ryu/computations.hpp"
#include "papers/jaja_ryu/growth_sweep.hpp"
#include "papers/jaja_ryu/measured_block.hpp"
#include "papers/jaja_ryu/operations.hpp"
#include "papers/jaja_ryu/whole_number_sorts.hpp"
#include "row_cells.hpp"

namespace {

using lockstep::claim_verdict;
using lockstep::paper_table;
using figures = std::vector<std::uint64_t>;

paper_table const& table_of(std::vector<paper_table> const& tables, std::string const& beginning) {
  auto const found = std::ranges::find_if(
      tables, [&](paper_table const& table) { return table.title.starts_with(beginning); });
  REQUIRE(found != tables.end());
  return *found;
}

/// Checks that nothing is wrong, and that every table has rows, with the cells of its heading.
void check_all_right(std::vector<paper_table> const& tables) {
  CHECK(all_right(tables));
  for (auto const& table : tables) {
    INFO(table.title);
    REQUIRE_FALSE(table.rows.empty());
    for (auto const& row : table.rows) {
      CHECK(row.correct == true);
      CHECK(row.cells.size() == table.rows.front().cells.size());
    }
  }
}

/// How many cells our program exceeds for the reason of that number.
std::ptrdiff_t exceeded_by(paper_table const& table, int number) {
  std::ptrdiff_t found = 0;
  for (auto const& row : table.rows)
    found += std::ranges::count_if(row.cells, [number](lockstep::paper_cell const& cell) {
      return cell.verdict() == claim_verdict::our_program_exceeds &&
             cell.explanation.value().number == number;
    });
  return found;
}

}  // namespace

TEST_CASE("sections 3 and 4 of JaJa and Ryu, claimed and counted", "[papers]") {
  auto const tables = lockstep::broadcast_tables(64);
  CHECK(tables.size() == 17);
  check_all_right(tables);
  using enum claim_verdict;
  auto const& item = table_of(tables, "Lemma 3.1 and Theorem 3.1");
  auto const& direct = row_in(item, "p = 64, tau = 16, m = 8", "direct");
  CHECK(measured_in(direct) == figures{16 + 63 * 8, 1, 63 * 8});
  CHECK(verdicts_of(direct) == std::vector{equal, equal, equal});
  auto const& tree = row_in(item, "p = 64, tau = 16, m = 8", "k-ary");
  CHECK(measured_in(tree) == figures{4 * 16 + 8 * 8, 4, 8 * (2 + 2 + 2 + 2)});
  CHECK(verdicts_of(tree) == std::vector{holds, equal, equal});
  CHECK_FALSE(tree.cells[0].is_ours);
  CHECK(tree.cells[2].is_ours);
  auto const& of_all = table_of(tables, "Lemma 3.2");
  CHECK(measured_in(row_in(of_all, "p = 64, tau = 1024, m = 16", "two-phase")) ==
        figures{2048 + 16 * 7 + 16 * 7, 16 * 7 + 16 * 7});
  CHECK(measured_in(row_in(of_all, "p = 64, tau = 1024, m = 16", "two-phase-filled"))[1] ==
        16 * 15 + 16 * 3);
  auto const& blocks = table_of(tables, "Theorem 3.3");
  CHECK(measured_in(row_in(blocks, "p = 9, tau = 16, m = 8, n = 36", "way 1, even parts")) ==
        figures{160, 96, 160});  // level by level: 2 (16 + 8 * 2 * 2 + 16 + 8 * 2)
}

TEST_CASE("no broadcast of JaJa and Ryu's model is below Theorem 3.1, and its Claim holds",
          "[papers]") {
  using enum claim_verdict;
  auto const tables = lockstep::broadcast_tables(66);
  auto const& least = table_of(tables, "Theorem 3.1: the cheapest broadcast");
  CHECK(lockstep::all_right(std::vector{least}));
  auto const& best = row_in(least, "p = 66, tau = 1024, m = 16", "best");
  CHECK(measured_in(best) == figures{2064, 2064, 2064});
  CHECK(best.cells[0].claimed == 4096U);  // k-ary: 3088
  CHECK(verdicts_of(best) == std::vector{holds, equal, holds});
  CHECK(best.cells[2].claimed == 1121U);  // (1024/log 66 + 16) log 66 = 1120.7
  CHECK(best.cells[2].is_lower_bound);
  CHECK_FALSE(best.cells[2].is_ours);
  CHECK(best.cells[2].where.front().text ==
        "only read, write, and synchronization barrier instructions");
  CHECK(measured_in(row_in(least, "p = 8, tau = 4, m = 1", "best")) == figures{11, 11, 11});
  auto const& phases = table_of(tables, "Theorem 3.1, its Claim");
  CHECK(lockstep::all_right(std::vector{phases}));
  CHECK(phases.rows.size() == 4 + 5 + 4);  // k = 1 .. 4; 1 .. 4, 8; 1, 2, 64, 65
  auto const& at_r = row_in(phases, "tau = 16, m = 8, k = 3", "direct");
  CHECK(measured_in(at_r) == figures{16 + 3 * 8, 16 + 3 * 8});
  CHECK(at_r.cells[1].claimed == 32U);  // (16/log 4 + 8) log 4
  for (auto const& row : phases.rows) CHECK(verdicts_of(row) == std::vector{equal, holds});
}

TEST_CASE("the cheaper of two ways is below the less of both bounds", "[papers]") {
  using enum claim_verdict;
  auto const tables = lockstep::broadcast_tables(64);
  auto const& items = table_of(tables, "Lemma 3.2, min{}");
  auto const& blocks = table_of(tables, "Corollary 3.1, min{}");
  CHECK(lockstep::all_right(std::vector{items, blocks}));
  auto const& filled = row_in(items, "p = 64, tau = 16, m = 8, n = 64", "two-phase-filled");
  CHECK(measured_in(filled) == figures{32 + 8 * 7 + 8 * 7, 16 + 8 * 63, 32 + 8 * 7 + 8 * 7});
  CHECK(filled.cells[0].claimed == 160U);  // 2 tau + m^2 + p, and not 520
  CHECK(filled.cells[1].claimed == 520U);
  CHECK(verdicts_of(filled) == std::vector{holds, holds, holds});
  auto const& direct = row_in(items, "p = 64, tau = 1, m = 1, n = 64", "direct");
  CHECK(direct.cells[0].claimed == 64U);
  auto const& tree = row_in(blocks, "p = 64, tau = 16, m = 8, n = 64", "k-ary");
  CHECK(tree.cells[0].claimed == 2U * 16 * 4 + 64);
  CHECK(tree.cells[1].measured < tree.cells[2].measured);
  auto const& one = row_in(blocks, "p = 64, tau = 1, m = 1, n = 32000", "direct");
  CHECK(one.cells[0].claimed == one.cells[2].claimed);
  CHECK(measured_in(one) == figures{1 + 63 * 500, 6 + 63 * 500, 1 + 63 * 500});
}

TEST_CASE("sums of more numbers than processors, and how their operations grow", "[papers]") {
  using enum claim_verdict;
  auto const tables = lockstep::broadcast_tables(64);
  auto const& many = table_of(tables, "Theorem 3.2, n > p");
  CHECK(lockstep::all_right(std::vector{many}));
  auto const& of_64 = row_in(many, "p = 64, tau = 16, m = 8, n = 6400", "k-ary");
  CHECK(measured_in(of_64) == figures{4 * 16 + 8 * 8, 8 * 8, 99 + 8});
  CHECK(verdicts_of(of_64) == std::vector{holds, equal, equal});
  auto const& growths = table_of(tables, "Operations");
  CHECK(lockstep::all_right(std::vector{growths}));
  auto const& over_n =
      row_in(growths, "p = 64, tau = 16, m = 8, n/p = 1 .. 4096", "Theorem 3.2, reduce");
  CHECK(measured_in(over_n) == figures{4095 + 8});
  CHECK(over_n.cells[0].claimed == 4096U + 2 * 6);
  CHECK(over_n.cells[0].bound == lockstep::comparison::order);
  for (auto const& row : growths.rows) {
    INFO(row.network);
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector{holds});
  }
  auto const& over_p =
      row_in(growths, "p = 2 .. 64, tau = 16, m = 8, n = p", "Theorem 3.2, reduce");
  CHECK(measured_in(over_p) == figures{8});
  for (auto const& row : lockstep::growths_of_operations(512).rows)
    CHECK(verdicts_of(row) == std::vector{holds});
  auto const& matrices =
      row_in(growths, "p = 64, tau = 16, m = 8, n = 8 .. 128", "Lemma 5.2, matrix-sum");
  CHECK(measured_in(matrices) == figures{128 * 128 - 128 * 128 / 64});
  CHECK(over_n.cells[0].figure == "operations");
  CHECK(lockstep::growths_of_operations(63).rows.empty());
}

TEST_CASE("operations of JaJa and Ryu's routing, sorts, transform and product grow as claimed",
          "[papers]") {
  using enum claim_verdict;
  auto const growths = lockstep::growths_of_computations(64);
  CHECK(lockstep::all_right(std::vector{growths}));
  CHECK(growths.rows.size() == 20);
  for (auto const& row : growths.rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector{holds});
    for (auto const& supposed : row.cells[0].where) CHECK(supposed.is_met());
  }
  auto const& transform =
      row_in(growths, "p = 8, tau = 16, m = 8, n = 64 .. 65536", "Theorem 5.4, fft");
  CHECK(measured_in(transform) == figures{65'536 * 16 / 8});
  CHECK(transform.cells[0].claimed == 65'536U * 16 / 8);
  auto const& product = row_in(growths, "p = 64, tau = 16, m = 8, n = 8 .. 128",
                               "Section 5.3, multiply-adds and sums, matrix-product");
  CHECK(product.cells[0].measured > 128U * 128 * 128 / 64);
  CHECK(product.cells[0].measured <= 128U * 128 * 128 / 64 + 3 * 32 * 32);  // sums of 4 blocks
  auto const& transposition =
      row_in(growths, "p = 16, tau = 16, m = 8, q = 64 .. 65536", "Lemma 3.3, transpose");
  CHECK(measured_in(transposition) == figures{65'536});
  auto const& routing = row_in(growths, "p = 8, tau = 16, m = 8, n = 8192 .. 131072",
                               "Theorem 3.4, randomized-routing");
  CHECK(routing.cells[0].claimed == 131'072U / 8);
  CHECK(routing.cells[0].measured >=
        2U * 131'072 / 8);  // put in slots, and where they come through
  CHECK(lockstep::growths_of_computations(63).rows.empty());
}

TEST_CASE("operations of sorts of whole numbers by local radix sorts grow as claimed", "[papers]") {
  auto const growths = lockstep::growths_of_whole_number_sorts(64);
  check_growths(growths, 4);
  // Four local sorts of q numbers by two digits: a count and a move of each, and p sums of counts.
  auto const& columns = growths.rows.front();
  auto const q = 65'536U / 8;
  CHECK(columns.cells[0].claimed == q);
  CHECK(columns.cells[0].measured == 4 * 2 * (2 * q + 8));
  CHECK(lockstep::growths_of_whole_number_sorts(63).rows.empty());
}

TEST_CASE("an order whose hypotheses are not met is outside the claim", "[papers]") {
  lockstep::sweep_of_paper sweep{.statement = "Theorem 5.4",
                                 .input = "n < p^2",
                                 .algorithm = "fft",
                                 .size_parameter = "n",
                                 .formula = "n log n/p",
                                 .runs = {{{8, 16, 8}, 32, 32, 32}},
                                 .where = {{"n >= p^2"}}};
  CHECK(verdicts_of(lockstep::judged_growth(sweep)) ==
        std::vector{claim_verdict::outside_the_claim});
  sweep.where = {};
  CHECK(verdicts_of(lockstep::judged_growth(sweep)) == std::vector{claim_verdict::decides_nothing});
}

TEST_CASE("rows of JaJa and Ryu beyond a bound, and outside what is supposed", "[papers]") {
  auto const tables = lockstep::broadcast_tables(64);
  for (auto const& row : table_of(tables, "Theorem 3.1 where m does not divide tau").rows)
    CHECK(verdicts_of(row) == std::vector{claim_verdict::outside_the_claim});
  CHECK(exceeded_by(table_of(tables, "Theorem 3.4"), 8) == 1);
  for (auto const& row : table_of(tables, "Theorem 4.1 where pm does not divide n").rows) {
    CHECK(row.cells[1].verdict() == claim_verdict::outside_the_claim);  // n is not a power of two
    CHECK(row.cells[1].judged.reason == "made for n, p and m powers of two");
  }
  CHECK(exceeded_by(table_of(tables, "Theorem 4.1: n elements balanced"), 6) == 0);
  auto const& routing = table_of(tables, "Theorem 3.4").rows.back();
  CHECK(measured_in(routing) == figures{4520, 4320, 4520});
}

TEST_CASE("the paper of JaJa and Ryu leaves out larger machines", "[papers]") {
  for (auto const& table : lockstep::broadcast_tables(1)) CHECK(table.rows.empty());
  CHECK(lockstep::machines_of_paper(1).empty());
  CHECK(lockstep::machines_of_paper(512).back().p == 512);
  CHECK(lockstep::papers()[4].name == "jaja-ryu");
  CHECK(lockstep::papers()[4].tables(2).size() >= 17);
}

TEST_CASE("section 5 of JaJa and Ryu, claimed and counted", "[papers]") {
  auto const tables = lockstep::computation_tables(16);
  CHECK(tables.size() == 14);
  check_all_right(tables);
  auto const& columns = table_of(tables, "Theorem 5.1");
  CHECK(measured_in(row_in(columns, "p = 3, tau = 1, m = 1, n = 27", "column-sort, p | q")) ==
        figures{4, 4 + 20, 20});
  auto const& rotations = table_of(tables, "Theorem 5.3");
  auto const& cut = row_in(rotations, "p = 16, tau = 1, m = 1, n = 256", "rotate-sort, cut slices");
  CHECK(cut.cells[0].claimed == 12U);
  CHECK(cut.cells[0].measured == 13U);
  CHECK(cut.cells[0].verdict() == claim_verdict::our_program_exceeds);
  CHECK(exceeded_by(rotations, 3) > 0);
  auto const& spectrum = table_of(tables, "Theorem 5.4");
  CHECK(measured_in(row_in(spectrum, "p = 8, tau = 64, m = 8, n = 64", "fft, layout cyclic")) ==
        figures{1, 64 + 56, 56});
}

TEST_CASE("the original rotate sort takes 14 permutations and 14 local sorts", "[papers]") {
  using enum claim_verdict;
  auto const tables = lockstep::computation_tables(16);
  auto const& naive = table_of(tables, "Section 5.1, naive");
  CHECK(lockstep::all_right(std::vector{naive}));
  auto const& original = row_in(naive, "p = 16, tau = 64, m = 8, n = 2048", "naive");
  // 12 transpositions of 15 packets, and UNBLOCK twice: 3 messages of 4 packets
  CHECK(measured_in(original) == figures{14, 14, 14 * 64 + 12 * 15 * 8 + 2 * 3 * 32});
  CHECK(verdicts_of(original) == std::vector{equal, equal, holds});
  CHECK(original.cells[2].is_ours);
  auto const& modified = row_in(naive, "p = 16, tau = 64, m = 8, n = 2048", "rotate-sort");
  CHECK(measured_in(modified) == figures{8, 10, 8 * 64 + 8 * 15 * 8});  // one SHEAR
  CHECK(verdicts_of(modified) == std::vector{equal, holds, holds});
  CHECK_FALSE(modified.cells[2].is_ours);
  for (auto const& row : naive.rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(verdicts_of(row) ==
          (row.algorithm == "naive" ? verdicts_of(original) : verdicts_of(modified)));
    CHECK(row.cells[0].where.size() == 2);
  }
}

TEST_CASE("radix sort keeps b/r times Corollary 5.1, and takes b/r times a pass of its own",
          "[papers]") {
  using enum claim_verdict;
  auto const tables = lockstep::computation_tables(16);
  auto const& passes = table_of(tables, "Section 5.1: radix sort");
  CHECK(passes.rows.size() == 2 * 2 * 2);
  for (auto const& row : passes.rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(verdicts_of(row).size() == 6);
    CHECK(std::ranges::equal(verdicts_of(row) | std::views::take(4),
                             std::vector{equal, holds, equal, equal}));
    CHECK_FALSE(row.cells[1].is_ours);
    CHECK(row.cells[2].is_ours);  // a pass of ours beside a pass of ours
    CHECK(row.cells[3].is_ours);
  }
  // Corollary 5.1 (1), for n >= 2p(p - 1)^2.
  auto const by_columns = [&](std::string const& input, std::string const& digits) {
    auto const& cell = row_in(passes, input, digits).cells[4];
    CHECK_FALSE(cell.is_ours);
    return cell;
  };
  auto const keeps = by_columns("p = 4, tau = 64, m = 8, n = 128", "r = 4");
  CHECK(keeps.verdict() == holds);
  CHECK(keeps.claimed == 8U * (4 * 64 + 3 * 32 + 2 * 32));
  auto const exceeds = by_columns("p = 4, tau = 64, m = 8, n = 1024", "r = 8");
  CHECK(exceeds.verdict() == our_program_exceeds);
  CHECK(exceeds.claimed == 4U * (4 * 64 + 3 * 256 + 2 * 32));
  CHECK(exceeds.measured == 5056U);
  CHECK(exceeds.explanation.value().number == 14);
  // Corollary 5.1 (3), for p^2 < n/(6 ln n).
  auto const& of_samples = row_in(passes, "p = 4, tau = 64, m = 8, n = 1024", "r = 8").cells[5];
  CHECK(of_samples.verdict() == holds);
  CHECK(of_samples.claimed == 4U * (3 * 64 + 3 * 8 * 5 + 6 * 256));
  // Passes that are column sorts keep (1) wherever it applies.
  auto const& columns = table_of(tables, "Section 5.1: radix sort of keys of 32 bits");
  CHECK(columns.rows.size() == 4 * 2 * 2);
  for (auto const& row : columns.rows) CHECK(row.cells[0].verdict() == holds);
  CHECK(by_columns("p = 16, tau = 64, m = 8, n = 2048", "r = 4").verdict() == outside_the_claim);
  auto const& by_halves = row_in(passes, "p = 16, tau = 64, m = 8, n = 2048", "r = 4");
  CHECK(by_halves.cells[0].measured == 8U);
  CHECK(by_halves.cells[1].claimed == 8U * 8 * (64 + 128 + 128));
  auto const& by_bytes = row_in(passes, "p = 16, tau = 64, m = 8, n = 4096", "r = 8");
  CHECK(by_bytes.cells[0].measured == 4U);
  CHECK(by_bytes.cells[1].claimed == 4U * 8 * (64 + 256 + 128));
  // two transpositions of blocks of n/p^2 = 16 and a few keys more
  CHECK(*by_bytes.cells[2].measured % (4 * 2) == 0);
}

TEST_CASE("the bounds of JaJa and Ryu's matrix product fail by the root's packets", "[papers]") {
  auto const tables = lockstep::computation_tables(8);
  auto const& products = table_of(tables, "Section 5.3");
  std::ptrdiff_t beyond = 0;
  for (auto const& row : products.rows) {
    REQUIRE(row.cells.size() == 4);
    CHECK(row.cells[3].figure == "time, step 1");
    CHECK(*row.cells[3].measured < *row.cells[1].measured);
    for (auto const& cell : {row.cells[1], row.cells[3]}) {
      beyond += *cell.measured > *cell.claimed ? 1 : 0;
      CHECK(cell.where.front().text == "p <= n^3/log n");
    }
  }
  CHECK(exceeded_by(products, 15) == beyond);
}

TEST_CASE("sizes that JaJa and Ryu take without loss of generality, or for simplicity",
          "[papers]") {
  using enum claim_verdict;
  auto const moves = lockstep::broadcast_tables(9);
  auto const& transpositions = table_of(moves, "Lemma 3.3");
  CHECK(verdicts_of(row_in(transpositions, "p = 9, tau = 16, m = 8, q = 73", "any q")) ==
        std::vector{outside_the_claim, outside_the_claim, equal});
  auto const& first_case = row_in(transpositions, "p = 9, tau = 16, m = 8, q = 81", "p | q");
  CHECK(measured_in(first_case) == figures{16 + 8 * 16, 16 + 8 * 16, 8 * 16});
  CHECK(verdicts_of(first_case) == std::vector{holds, holds, equal});
  CHECK(first_case.cells[1].claimed == 16U + (81 - 9) + 8 * 8);
  auto const& second_case = row_in(transpositions, "p = 9, tau = 16, m = 8, q = 144", "pm | q");
  CHECK(second_case.cells[0].formula == "tau + q - q/p");
  CHECK(second_case.cells[0].claimed == second_case.cells[0].measured);
  auto const tables = lockstep::computation_tables(8);
  for (auto const& row : table_of(tables, "Theorem 5.1").rows) {
    bool const even = row.algorithm == "column-sort, p | q";
    CHECK(row.cells[0].verdict() == (even ? holds : outside_the_claim));
    CHECK(row.cells[1].verdict() == (even ? holds : outside_the_claim));
  }
  for (auto const& row : table_of(tables, "Theorem 5.2").rows)
    CHECK((row.cells[1].verdict() == outside_the_claim) == (row.algorithm == "sample-sort, any n"));
  for (auto const& row : table_of(tables, "Theorem 5.3").rows) {
    bool const is_supposed = row.network.starts_with("p = 4,");  // p = 2 and 8 are not 2^(2t)
    CHECK((row.cells[1].verdict() == outside_the_claim) != is_supposed);
    CHECK((row.cells[5].verdict() == outside_the_claim) != is_supposed);
  }
}

TEST_CASE("what is lockstep's own in the sorts of JaJa and Ryu is credited so", "[papers]") {
  using enum claim_verdict;
  auto const tables = lockstep::computation_tables(16);
  auto const& rotations = table_of(tables, "Theorem 5.3");
  auto const& of_theorem =
      row_in(rotations, "p = 16, tau = 64, m = 8, n = 2048", "rotate-sort, whole slices");
  CHECK(of_theorem.cells[3].formula == "14");
  CHECK(of_theorem.cells[3].verdict() == holds);
  CHECK_FALSE(of_theorem.cells[3].is_ours);
  CHECK(of_theorem.cells[4].formula == "8 + 2 shears");
  CHECK(of_theorem.cells[4].verdict() == equal);
  CHECK(of_theorem.cells[4].is_ours);
  CHECK(of_theorem.cells[1].formula == "8(tau + n/p + pm)");
  auto const& of_remark =
      row_in(rotations, "p = 16, tau = 64, m = 8, n = 256", "rotate-sort, whole slices");
  CHECK(of_remark.cells[1].formula == "(6 + 2 shears)(tau + n/p + pm)");
  CHECK(of_remark.cells[3].verdict() == outside_the_claim);  // "at most 14" is for n >= 6p^2
  for (auto const& row : table_of(tables, "Section 5.1: approximate median sort").rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(verdicts_of(row) == std::vector{holds, holds, holds, holds});
    CHECK_FALSE(row.cells[1].is_ours);
    CHECK(row.cells[3].is_ours);
  }
  auto const& transforms = table_of(tables, "Theorem 5.4, its second half");
  for (auto const& row : transforms.rows) {
    CHECK(row.cells[1].formula == "tau + n/p - n/p^2");
    CHECK(row.cells[1].claimed == row.cells[1].measured);
  }
}

TEST_CASE("what is to be rare is counted, with the number of runs and the seed", "[papers]") {
  auto const tables = lockstep::probability_tables(8);
  REQUIRE(tables.size() == 2);
  CHECK(all_right(tables));
  CHECK(tables[0].title.ends_with("in 1000 drawings with seeds from 1 on"));
  auto const& within = row_in(tables[0], "p = 8, n = 4096", "alpha = 2, c = 3");
  CHECK(within.cells[1].measured == 0U);
  auto const& outside = row_in(tables[0], "p = 8, n = 1024", "alpha = 1, c = 1.71");
  CHECK(*outside.cells[0].measured > 0);
  CHECK(outside.cells[0].verdict() == claim_verdict::outside_the_claim);
  CHECK(outside.cells[2].is_ours);
  CHECK(tables[0].counted == "drawn");
  CHECK(tables[1].rows.size() == 2);
  CHECK_FALSE(tables[1].rows[0].correct.has_value());
}

TEST_CASE("a row of claims takes the first of each figure, and needs one", "[papers]") {
  lockstep::experiment_result result;
  result.figures["shears"] = std::int64_t{7};
  result.claims = {{.figure = "shears", .formula = "9", .value = 9, .source = "ours"},
                   {.figure = "shears",
                    .formula = "8",
                    .value = 8,
                    .bound = lockstep::comparison::at_most,
                    .source = "a paper, 1"},
                   {.figure = "shears", .formula = "7", .value = 7, .source = "a paper, 2"}};
  std::vector<lockstep::claimed_figure> const columns{{"shears"}, {"shears", false}};
  auto const row = lockstep::row_of_claims("input", "run", result, "a paper", 5, columns);
  CHECK(verdicts_of(row) ==
        std::vector{claim_verdict::holds, claim_verdict::decides_nothing});  // 7, instead of 9
  CHECK(row.cells[1].judged.is_fault);
  CHECK(row.cells[1].is_ours);
  CHECK(row.correct == false);
  result.claims.front().erratum = "printed wrong";
  auto const explained = lockstep::row_of_claims("input", "run", result, "a paper", 5, columns);
  CHECK_FALSE(explained.cells[1].judged.is_fault);
  CHECK(explained.cells[1].explanation == lockstep::erratum{5, "printed wrong"});
  CHECK_THROWS_AS(lockstep::row_of_claims("", "", result, "another", 0, columns),
                  lockstep::broken_invariant);
}
