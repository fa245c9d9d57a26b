#include <algorithm>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/shankar_ranka/local_work.hpp"
#include "papers/shankar_ranka/mesh_vectors.hpp"
#include "papers/shankar_ranka/more_stages.hpp"
#include "papers/shankar_ranka/networks.hpp"
#include "papers/shankar_ranka/primitives.hpp"
#include "papers/shankar_ranka/reads.hpp"
#include "papers/shankar_ranka/stage_counts.hpp"
#include "papers/shankar_ranka/wide_writes.hpp"
#include "papers/shankar_ranka/write_steps.hpp"
#include "papers/shankar_ranka/writes.hpp"
#include "row_cells.hpp"

namespace {

using lockstep::claim_verdict;
using lockstep::claimed_cells;
using lockstep::paper_cell;
using lockstep::paper_row;
using lockstep::paper_table;

int erratum_of(paper_cell const& cell) { return cell.explanation ? cell.explanation->number : -1; }

}  // namespace

TEST_CASE("claimed cells are judged by their formulas and hypotheses", "[papers]") {
  lockstep::erratum const known{2, "lower order"};
  claimed_cells cells({{"p", 8}, {"n", 64}});
  cells.equal("words", "n/p", 8)
      .at_most("words", "n/p", 8)
      .at_most("words", "n/p", 7, known)
      .at_most("words", "n/p", 9, known)
      .at_most("words", "n/p", 9)
      .equal("words", "n/p", 7)
      .about("words", "2n/p", 8)
      .remark(known)
      .about("words", "2n/p", 17, known)
      .ours()
      .where("n >= p^3")
      .at_most("words", "2n/p", 17);
  paper_row const row{"p = 8", "", cells.cells(), true};
  using enum claim_verdict;
  CHECK(verdicts_of(row) == std::vector{equal, holds, holds, our_program_exceeds,
                                        our_program_exceeds, decides_nothing, holds,
                                        decides_nothing, outside_the_claim});
  CHECK_FALSE(row.cells[2].explanation);
  CHECK_FALSE(row.cells[3].judged.is_fault);
  CHECK(row.cells[4].judged.is_fault);
  CHECK(row.cells[5].judged.is_fault);
  CHECK(row.cells[6].claimed == 16);
  CHECK(row.cells[6].explanation == known);
  CHECK(row.cells[7].explanation == known);
  CHECK(row.cells[7].is_ours);
  CHECK_FALSE(row.cells[6].is_ours);
  CHECK(row.cells[8].where.front().text == "n >= p^3");
  CHECK_FALSE(all_right(std::vector<paper_table>{{"Table", {row}}}));
  CHECK_THROWS_AS(claimed_cells({}).equal("words", "n/p", 8), lockstep::broken_invariant);
}

TEST_CASE("section 2's vectors and transportation, claimed and counted", "[papers]") {
  auto const tables = lockstep::primitive_tables(8);
  CHECK(all_right(tables));
  REQUIRE(tables.size() == 5);
  // p 8, m 3: 8 words, more than 2m.
  auto const& short_vector = row_in(tables[0], "p = 8, m = 3", "vector-combine, fold");
  CHECK(measured_in(short_vector) == std::vector<std::uint64_t>{6, 8, 8});
  CHECK(erratum_of(short_vector.cells[1]) == 0);
  auto const& by_exchange = row_in(tables[0], "p = 6, m = 96", "vector-scan, exchange");
  CHECK(measured_in(by_exchange) == std::vector<std::uint64_t>{10, 160, 160});
  CHECK(erratum_of(by_exchange.cells[0]) == 0);
  // Both bounds at once where p is not a power of two: 2 ceil(log2 6) start-ups, 2m(1 - 1/p) words.
  auto const& circulant = row_in(tables[0], "p = 6, m = 96", "vector-combine, circulant");
  CHECK(measured_in(circulant) == std::vector<std::uint64_t>{6, 160, 160});
  CHECK(verdicts_of(circulant) ==
        std::vector{claim_verdict::holds, claim_verdict::holds, claim_verdict::equal});
  for (auto const* const algorithm : {"vector-combine", "vector-scan"})
    CHECK(measured_in(row_in(tables[4], "hypercube:3, m = 8", algorithm)) ==
          std::vector<std::uint64_t>{6, 14, 14, 1});
  auto const& exchange = row_in(tables[1], "p = 8, t = 128", "complete exchange");
  CHECK(measured_in(exchange) == std::vector<std::uint64_t>{7, 112, 112});
  auto const& hot = row_in(tables[3], "p = 8, t = 256, hot", "transportation");
  CHECK(erratum_of(cell_in(hot, "words")) == 1);
}

TEST_CASE("p^2 of transportation is real, and what lower order leaves open", "[papers]") {
  auto const tables = lockstep::primitive_tables(32);
  CHECK(all_right(tables));
  auto const adversary = std::ranges::find_if(tables[2].rows, [](paper_row const& row) {
    return row.network == "p = 32, t = 1088, adversary";
  });
  REQUIRE(adversary != tables[2].rows.end());
  auto const& below = *std::prev(adversary);  // t < p^2
  CHECK(cell_in(below, "words").verdict() == claim_verdict::outside_the_claim);
  CHECK(adversary->correct == true);
  auto const& words = cell_in(*adversary, "words");
  CHECK(erratum_of(words) == 2);
  CHECK(words.verdict() == claim_verdict::decides_nothing);
  CHECK(words.measured.value() > words.claimed.value());
  CHECK(cell_in(*adversary, "section 4.5").verdict() == claim_verdict::holds);
}

TEST_CASE(
    "more stages are faster where messages are small, in 600 runs, and slower where they are large",
    "[papers]") {
  auto const tables = lockstep::more_stages(64);
  REQUIRE(tables.size() == 1);
  CHECK(all_right(tables));
  auto const slower = [&](std::string const& input) {
    return cell_in(row_in(tables[0], input, "4 stages"), "runs slower than 2 stages, tau = 100 mu");
  };
  CHECK(slower("p = 16 = 4^2, t = 16, 100 seeds").verdict() == claim_verdict::equal);
  CHECK(slower("p = 16 = 4^2, t = 4096, 100 seeds").verdict() == claim_verdict::outside_the_claim);
  CHECK(slower("p = 16 = 4^2, t = 4096, 100 seeds").measured == 100);
  CHECK(lockstep::more_stages(8).empty());
}

TEST_CASE("local computation of Shankar and Ranka's writes is as claimed", "[papers]") {
  auto const tables = lockstep::local_work_tables(16);
  CHECK(all_right(tables));
  REQUIRE(tables.size() == 3);
  CHECK(tables[0].rows.size() == 6);
  for (auto const& row : tables[0].rows) {
    INFO(row.network);
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector(4, claim_verdict::holds));
  }
  for (auto const& row : tables[1].rows) {
    INFO(row.network);
    REQUIRE(row.cells.size() == 1);
    CHECK(row.cells[0].measured == row.cells[0].claimed);  // one of each element
  }
  CHECK(lockstep::local_work_tables(3).empty());
}

TEST_CASE("a write's elements and vectors, step by step", "[papers]") {
  CHECK(lockstep::write_steps(3).empty());
  auto const tables = lockstep::write_steps(8);
  CHECK(all_right(tables));
  REQUIRE(tables.size() == 4);
  CHECK(tables[0].rows.size() == 2 * 3 * 5);
  for (auto const& row : tables[0].rows) {
    INFO(row.network);
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector(6, claim_verdict::holds));
  }
  // A bucket with an element of each of its cells, from many intermediate processors: 64 + 6 words out.
  std::string const singles = "p = 8, n = 512, k = 1, singles";
  CHECK(measured_in(row_in(tables[0], singles, "arbitrary")) ==
        std::vector<std::uint64_t>{14, 56, 56, 7, 70, 64});
  CHECK(cell_in(row_in(tables[0], singles, "arbitrary"), "out of an intermediate").claimed ==
        64 + 64);
  CHECK(measured_in(row_in(tables[1], singles, "arbitrary")) ==
        std::vector<std::uint64_t>{12, 28, 6, 112});
  // Cells are not cut: a vector of one word goes whole in each of 2 log2 p steps.
  auto const& of_one = row_in(tables[1], "p = 8, n = 512, k = 64, random", "arbitrary");
  CHECK(measured_in(of_one) == std::vector<std::uint64_t>{12, 1792, 6, 6});
  CHECK(cell_in(of_one, "words, partial").verdict() == claim_verdict::our_program_exceeds);
  for (auto const& cell : of_one.cells) CHECK(cell.is_ours);
}

TEST_CASE("the communications of a read are told apart", "[papers]") {
  auto const run_of = [](std::string const& variant) {
    return lockstep::run_of_algorithm("random-access-read", "crossbar:4",
                                      {{"n", std::int64_t{64}},
                                       {"words", std::int64_t{3}},
                                       {"pattern", std::string("few-hot")},
                                       {"variant", variant}});
  };
  auto const requested = run_of("1");
  auto const by_requests = communications_in(requested.record, true);
  CHECK(by_requests.addresses.startups == by_requests.elements.startups);
  CHECK(by_requests.elements.port_words == 3 * by_requests.addresses.port_words);
  CHECK(by_requests.startups() == stages_in(requested.record).startups);
  auto const whole = run_of("2");
  auto const unasked = communications_in(whole.record, false);
  CHECK(unasked.addresses.startups == 6);  // two stages of p - 1 rounds
  CHECK(unasked.elements.startups > unasked.addresses.startups);
  CHECK(unasked.startups() == stages_in(whole.record).startups);
}

TEST_CASE("section 8 on hypercubes, meshes and tori, claimed and counted", "[papers]") {
  auto const tables = lockstep::network_tables(16);
  CHECK(all_right(tables));
  REQUIRE(tables.size() == 10);
  auto const words_of = [&](paper_table const& writes, std::string const& input) {
    std::vector<paper_cell> words;
    for (auto const& cell : row_in(writes, input, "arbitrary").cells)
      if (cell.figure == "stages_words") words.push_back(cell);
    REQUIRE(words.size() == 2);
    CHECK(words[0].is_ours);
    CHECK(words[0].verdict() == claim_verdict::holds);
    return words[1];
  };
  // Where k = 1 and n = 16p^3 our stages send n/(kp) words that section 8 leaves out.
  auto const beyond = words_of(tables[0], "hypercube:3, n = 8192, k = 1, random");
  CHECK(beyond.claimed == 4352);
  CHECK(beyond.measured.value() > 4352);
  CHECK(beyond.verdict() == claim_verdict::our_program_exceeds);
  for (auto const* const inside : {"k = 2, random", "k = 8, random"})
    CHECK(words_of(tables[0], std::string("hypercube:3, n = 8192, ") + inside).verdict() ==
          claim_verdict::holds);
  auto const& straight =
      row_in(tables[8], "hypercube:3, n = 8192, k = 1, random", "second stage straight");
  CHECK(cell_in(straight, "stages_words").claimed == 4352);
  CHECK(cell_in(straight, "stages_words").verdict() == claim_verdict::holds);
  CHECK(cell_in(straight, "stages_startups").measured == 16);
  CHECK(cell_in(straight, "stages_startups").claimed == 32);
  CHECK(cell_in(straight, "stages_startups").verdict() == claim_verdict::holds);
  // Straight messages do not keep it for all patterns either, with a k that section 4.5 advises against.
  auto const& few_hot =
      row_in(tables[8], "hypercube:3, n = 8192, k = 1, few-hot", "second stage straight");
  CHECK(cell_in(few_hot, "stages_words").measured.value() > 4352);
  CHECK(cell_in(few_hot, "stages_words").verdict() == claim_verdict::our_program_exceeds);
  CHECK_THAT(cell_in(few_hot, "stages_words").judged.reason,
             has_text("\"an intermediate value of k\""));
  CHECK(words_of(tables[4], "mesh:4x4, n = 65536, k = 8, one-hot").claimed == 4 * 4 * (4096 + 256));
  // Sorted pointers go by way of all processors there: not q = 2, but 2(p - 1) start-ups.
  auto const& sorted = row_in(tables[2], "hypercube:3, n = 512, monotonic", "monotonic write");
  CHECK(cell_in(sorted, "sends_startups").measured == 14);
  CHECK(row_in(tables[6], "mesh:4x4, n = 4096, one-hot", "monotonic write").correct == true);
  int counted = 0;
  for (auto const& table : tables)
    for (auto const& row : table.rows)
      for (auto const& cell : row.cells)
        if (cell.figure == "contention") {
          CHECK(cell.measured == 1);
          ++counted;
        }
  CHECK(counted > 100);
}

TEST_CASE("vectors on meshes keep the order of start-ups, or that of words", "[papers]") {
  auto const table = lockstep::mesh_vectors(256);
  CHECK(all_right(std::vector<paper_table>{table}));
  auto const verdicts_for = [&](std::string const& program) {
    return verdicts_of(row_in(table, "mesh:4x4 to 16x16", program));
  };
  using enum claim_verdict;
  CHECK(verdicts_for("all-reduce, bucket") == std::vector{our_program_exceeds, holds, holds});
  CHECK(verdicts_for("all-reduce, binomial") == std::vector{holds, our_program_exceeds, holds});
  CHECK(verdicts_for("scan, in parts along lines") ==
        std::vector{our_program_exceeds, holds, holds});
  CHECK(verdicts_for("scan, binomial") == std::vector{holds, our_program_exceeds, holds});
  // Three pipelines of 2q - 2 steps, of q words each.
  CHECK(measured_in(row_in(table, "mesh:8x8", "scan, in parts along lines")) ==
        std::vector<std::uint64_t>{3 * 14, 3 * 14 * 8, 1});
  CHECK(measured_in(row_in(table, "mesh:16x16", "scan, binomial"))[0] == 16);  // 2 log2 p
  for (auto const& row : table.rows) CHECK(row.correct.value_or(true));
}

TEST_CASE("sections 3 to 6, claimed and counted", "[papers]") {
  auto const tables = lockstep::write_tables(8);
  CHECK(all_right(tables));
  REQUIRE(tables.size() == 5);
  CHECK(measured_in(row_in(tables[0], "p = 4, n = 32, figure-3a", "local"))[1] == 0);
  CHECK(measured_in(row_in(tables[0], "p = 4, n = 32, figure-3b", "complete-exchange")) ==
        std::vector<std::uint64_t>{6, 3, 6});
  CHECK(measured_in(row_in(tables[0], "p = 4, n = 32, figure-3c", "transportation")) ==
        std::vector<std::uint64_t>{12, 6, 12});
  auto const& small = row_in(tables[1], "p = 8, n = 64, random", "arbitrary");
  CHECK(cell_in(small, "total").verdict() == claim_verdict::outside_the_claim);
  auto const& at_cube = row_in(tables[1], "p = 8, n = 512, random", "arbitrary");
  CHECK(cell_in(at_cube, "total").verdict() == claim_verdict::decides_nothing);
  CHECK(erratum_of(cell_in(at_cube, "total")) == 2);
  auto const& large = row_in(tables[1], "p = 8, n = 8192, permutation", "arbitrary");
  CHECK(cell_in(large, "total").verdict() == claim_verdict::holds);
  CHECK(cell_in(at_cube, "start-ups, stages").claimed == 24);
  CHECK(cell_in(at_cube, "start-ups, stages").verdict() == claim_verdict::holds);
  CHECK(cell_in(at_cube, "start-ups, all").verdict() == claim_verdict::decides_nothing);
  // Section 7's 3p are of the write; of the hybrid's start-ups the paper says nothing.
  CHECK_FALSE(cell_in(at_cube, "start-ups, stages").is_ours);
  CHECK(
      cell_in(row_in(tables[2], "p = 8, n = 512, random", "hybrid"), "start-ups, stages").is_ours);
  auto const& sorted = row_in(tables[4], "p = 8, n = 512, one-hot", "monotonic write");
  CHECK(measured_in(sorted)[0] == 16);  // q = 1, and 5 log p
  CHECK(sorted.cells[0].verdict() == claim_verdict::decides_nothing);
  CHECK(erratum_of(sorted.cells[0]) == 6);
  auto const& by_one =
      row_in(tables[4], "p = 8, n = 512, one-hot", "monotonic write, one all-gather");
  CHECK(measured_in(by_one)[0] == 4);  // q = 1, and log p
  CHECK(by_one.cells[0].verdict() == claim_verdict::holds);
  CHECK_FALSE(by_one.cells[0].is_ours);
}

TEST_CASE("a hybrid takes in n/p elements, and without levels up to 2n/p", "[papers]") {
  auto const table = lockstep::write_steps(16)[2];
  CHECK(table.rows.size() == 3 * 5 * 2);
  for (auto const& row : table.rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector(4, claim_verdict::holds));
    CHECK(row.cells[2].is_ours);
    CHECK(row.cells[3].is_ours);
  }
  std::string const input = "p = 16, n = 4096, k = 4, random";
  CHECK(measured_in(row_in(table, input, "hybrid")) ==
        std::vector<std::uint64_t>{244, 240, 128, 128});
  // More than n/p = 256: only levels bring it down.
  auto const& plain = row_in(table, input, "hybrid-plain");
  CHECK(measured_in(plain) == std::vector<std::uint64_t>{244, 323, 128, 192});
  CHECK(plain.cells[1].claimed == 512);
  // No bucket is hot, and nothing goes on.
  auto const& sparse = row_in(table, "p = 16, n = 4096, k = 4, permutation", "hybrid");
  CHECK(measured_in(sparse) == std::vector<std::uint64_t>{249, 249, 0, 0});
  CHECK(sparse.cells[3].claimed == 0);
}

TEST_CASE("elements of m words are written at m times the words, and right", "[papers]") {
  auto const table = lockstep::wide_writes(8);
  CHECK(all_right(std::vector<paper_table>{table}));
  CHECK(table.rows.size() == 2 * 5 * 4);
  CHECK(lockstep::wide_writes(3).rows.empty());
  for (auto const& row : table.rows) {
    INFO(row.network);
    CHECK(row.correct == true);
    CHECK(cell_in(row, "start-ups, stages").verdict() == claim_verdict::holds);
    CHECK(cell_in(row, "total, all terms").verdict() == claim_verdict::holds);
    CHECK(cell_in(row, "total, all terms").is_ours);
  }
  // All but the vectors of hits, 4(kp - k) words, is as many times as large as with one word.
  auto const total_of = [](paper_row const& row) { return cell_in(row, "total").measured.value(); };
  auto const one_word = lockstep::write_tables(8)[1];
  auto const of_one = total_of(row_in(one_word, "p = 8, n = 512, random", "arbitrary"));
  std::uint64_t const hits = 84;  // k = 3
  for (std::uint64_t const m : {2U, 4U}) {
    auto const& row =
        row_in(table, "p = 8, n = 512, m = " + std::to_string(m) + ", random", "arbitrary");
    CHECK(total_of(row) == hits + m * (of_one - hits));
    CHECK(cell_in(row, "total").claimed == 192 * m);
  }
  auto const& large = row_in(table, "p = 8, n = 2048, m = 4, few-hot", "arbitrary");
  CHECK(cell_in(large, "total").verdict() == claim_verdict::holds);
  CHECK(erratum_of(cell_in(row_in(table, "p = 8, n = 512, m = 4, random", "arbitrary"), "total")) ==
        2);
  CHECK(erratum_of(cell_in(row_in(table, "p = 8, n = 128, m = 4, random", "arbitrary"), "total")) ==
        10);
}

TEST_CASE("reads with limited hot spots take a way of section 3 there, and one back", "[papers]") {
  auto const table = lockstep::read_tables(8)[5];
  CHECK(all_right(std::vector<paper_table>{table}));
  REQUIRE(table.rows.size() == 2 * (3 + 2 * 2));
  for (auto const& row : table.rows) {
    INFO(row.network);
    CHECK(row.correct == true);
    for (auto const& cell : row.cells) CHECK(cell.is_ours);
  }
  auto const counts_of = [&](std::string const& input, std::string const& way) {
    auto const& row = row_in(table, input, way);
    return std::vector{cell_in(row, "start-ups").measured.value(),
                       cell_in(row, "words").measured.value()};
  };
  CHECK(counts_of("p = 4, n = 32, m = 4, figure-3a", "local") == std::vector<std::uint64_t>{0, 0});
  CHECK(counts_of("p = 8, n = 512, m = 4, local", "local") == std::vector<std::uint64_t>{0, 0});
  std::string const figure_3b = "p = 4, n = 32, m = 4, figure-3b";
  CHECK(counts_of(figure_3b, "complete exchange") == std::vector<std::uint64_t>{6, 30});
  CHECK(cell_in(row_in(table, figure_3b, "complete exchange"), "words").claimed == 40);
  std::string const figure_3c = "p = 4, n = 32, m = 4, figure-3c";
  CHECK(counts_of(figure_3c, "transportation") == std::vector<std::uint64_t>{12, 60});
  CHECK(cell_in(row_in(table, figure_3c, "transportation"), "words").verdict() ==
        claim_verdict::outside_the_claim);
  auto const& permuted =
      cell_in(row_in(table, "p = 8, n = 512, m = 4, permutation", "transportation"), "words");
  CHECK(permuted.claimed == 640);
  CHECK(permuted.measured == 585U);
  CHECK(permuted.verdict() == claim_verdict::holds);
}

TEST_CASE("sorted pointers wait for one another's ports, and totals have the scans", "[papers]") {
  auto const table = lockstep::write_tables(16)[4];
  std::string const input = "p = 16, n = 4096, singles";
  auto const& by_one = row_in(table, input, "monotonic write, one all-gather");
  CHECK(measured_in(by_one) == std::vector<std::uint64_t>{19, 19, 15, 59, 119});
  for (auto const& row : table.rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(row.correct == true);
    CHECK(cell_in(row, "sends").verdict() == claim_verdict::holds);
  }
  // With half of the elements left out the others change places.
  auto const& together =
      row_in(table, "p = 16, n = 4096, half of them dots", "concentrate-elements");
  CHECK(measured_in(together) == std::vector<std::uint64_t>{19, 19, 3, 256, 297});
  auto const& small =
      row_in(table, "p = 16, n = 256, monotonic", "monotonic write, one all-gather");
  CHECK(cell_in(small, "total").measured == 73U);
  CHECK(cell_in(small, "total").verdict() == claim_verdict::decides_nothing);
  CHECK_FALSE(cell_in(small, "total").is_ours);
  // Section 5: a hybrid's first stage, also with sparse buckets alone.
  auto const hybrid = lockstep::write_tables(8)[2];
  auto const& sparse = row_in(hybrid, "p = 8, n = 512, permutation", "hybrid");
  CHECK(cell_in(sparse, "stage 1").claimed == 128);
  CHECK(cell_in(sparse, "stage 1").measured == 117U);
  CHECK_THAT(cell_in(sparse, "stage 1").explanation.value().text,
             has_text("processing of sparse buckets alone"));
  CHECK(cell_in(sparse, "stage 2").measured == 0U);
}

TEST_CASE("section 7's second form breaks its bound, requests do not", "[papers]") {
  auto const tables = lockstep::read_tables(16);
  CHECK(all_right(tables));
  REQUIRE(tables.size() == 6);
  std::string const input = "p = 16, n = 4096, m = 1, singles";
  auto const& printed = cell_in(row_in(tables[1], input, "variant 2"), "answers");
  CHECK(printed.verdict() == claim_verdict::our_program_exceeds);  // 4.4's bound, not section 7's
  CHECK(erratum_of(printed) == 3);
  CHECK(printed.measured.value() > 10 * printed.claimed.value());
  auto const& second_form = row_in(tables[1], input, "variant 2");
  CHECK(cell_in(second_form, "total").verdict() == claim_verdict::our_program_exceeds);
  // Within the terms that "+ lower order terms" may mean.
  auto const& few_hot = row_in(tables[1], "p = 16, n = 4096, m = 1, few-hot", "variant 2");
  CHECK(cell_in(few_hot, "total").verdict() == claim_verdict::decides_nothing);
  for (auto const& [table, variant] : {std::pair{0, "variant 1"}, {3, "variant hybrid"}})
    CHECK(cell_in(row_in(tables[static_cast<std::size_t>(table)], input, variant), "answers")
              .verdict() == claim_verdict::holds);
  auto const& wide = row_in(tables[0], "p = 16, n = 256, m = 64, random", "variant 1");
  CHECK(cell_in(wide, "total").verdict() == claim_verdict::decides_nothing);
  CHECK(erratum_of(cell_in(wide, "total")) == 10);
  for (auto const& row : tables[0].rows)
    CHECK(cell_in(row, "start-ups, stages").verdict() == claim_verdict::holds);
  auto const& both = row_in(tables[4], input, "variant 1");
  CHECK(verdicts_of(both) == std::vector(4, claim_verdict::holds));
  CHECK(cell_in(both, "start-ups, addresses").claimed == 48);
  CHECK(cell_in(both, "addresses").claimed == 3 * 256);
}
