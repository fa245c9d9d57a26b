#include "papers/mayr_plaxton/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "papers/mayr_plaxton/embedding_intake.hpp"
#include "papers/mayr_plaxton/merging_tables.hpp"
#include "papers/mayr_plaxton/one_port_tables.hpp"
#include "papers/mayr_plaxton/operation_growths.hpp"
#include "papers/measured_algorithm.hpp"
#include "row_cells.hpp"

namespace {

using lockstep::breach;
using lockstep::claim;
using lockstep::claim_verdict;
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
claim refuted_claim(double value) {
  auto claimed = paper_claim(value, "");
  claimed.evidence = "three words enter";
  return claimed;
}
claim own_claim(double value) { return {"steps", "3k", value, comparison::equal, "lockstep"}; }

}  // namespace

TEST_CASE("a bound is kept, refuted for a reason, or wrong", "[papers]") {
  breach const late{.step = 32, .processor = 5, .from = 4};
  auto const cell = [&](claim const& bound, double exact, std::uint64_t measured) {
    return bounded_cell(bound, own_claim(exact), measured, late, 1);
  };
  auto const kept = cell(paper_claim(31.6, ""), 31, 31);
  CHECK(kept.verdict() == claim_verdict::holds);
  CHECK(kept.claimed == 31);
  CHECK(kept.exact == 31);
  CHECK_FALSE(kept.broken_at);
  auto const exceeded = cell(paper_claim(31.6, "three words"), 32, 32);
  CHECK(exceeded.verdict() == claim_verdict::our_program_exceeds);
  CHECK(exceeded.broken_at == late);
  CHECK(exceeded.explanation->number == 1);
  CHECK(exceeded.explanation->text == "three words");
  CHECK(cell(refuted_claim(31.6), 32, 32).verdict() == claim_verdict::refuted);
  CHECK(cell(refuted_claim(31.6), 32, 32).broken_at == late);
  // Neither a difference without a reason, nor a reason without the program's own steps.
  CHECK(cell(paper_claim(31.6, ""), 32, 32).judged.is_fault);
  CHECK(cell(paper_claim(31.6, "three words"), 32, 33).judged.is_fault);
  CHECK(cell(paper_claim(31.6, ""), 31, 30).judged.is_fault);
  CHECK(bounded_cell(refuted_claim(31.6), own_claim(32), 32, {}, 1).judged.is_fault);
  // A value that is claimed with = is not a bound.
  auto claimed = paper_claim(31, "");
  claimed.bound = comparison::equal;
  CHECK(cell(claimed, 31, 31).verdict() == claim_verdict::equal);
  CHECK(cell(claimed, 30, 30).judged.is_fault);
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
  CHECK(cells[1].verdict() == claim_verdict::holds);
  CHECK(cells[2].measured == 32);  // 31.6, where any program takes 25
  CHECK(cells[2].verdict() == claim_verdict::our_program_exceeds);
  REQUIRE(cells[2].broken_at);
  CHECK(*cells[2].broken_at ==
        breach{.step = 32, .processor = 14, .from = 13, .busiest = 5, .most_words = 24});
  CHECK(cells[2].explanation->number == 1);
  for (auto const& cell : table.rows[0].cells) CHECK(cell.verdict() == claim_verdict::holds);
}

TEST_CASE("a tree of one port is refuted where any program takes more than 2k + 4 log p",
          "[papers]") {
  constexpr std::array dimensions{3, 4, 5};
  constexpr std::array<std::int64_t, 4> instances{14, 15, 17, 18};
  auto const table = mayr_plaxton_table(lagged, dimensions, instances);
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    for (std::size_t i = 0; i < instances.size(); ++i) {
      auto const d = dimensions.at(row);
      auto const k = static_cast<double>(instances.at(i));
      bool const can_be_kept = d < 4 || 3 * k + d - 3 <= 2 * k + 4 * std::log2(std::exp2(d) - 1);
      INFO("d = " << d << ", k = " << k);
      CHECK((table.rows[row].cells[i].verdict() == claim_verdict::refuted) == !can_be_kept);
    }
}

namespace {

std::vector<lockstep::paper_table> tables_on_up_to(int processors) {
  for (auto const& paper : lockstep::papers())
    if (paper.name == "mayr-plaxton") return paper.tables(processors);
  return {};
}

/// A run of the registry's algorithm on a hypercube, on all ports.
lockstep::experiment_result run_on_cube(
    std::string const& name, int d, std::map<std::string, lockstep::parameter_value> const& given) {
  auto const& known = *lockstep::find_experiment(name);
  return known.run({.network = lockstep::parse("hypercube:" + std::to_string(d)),
                    .options = {.ports = ports::all},
                    .parameters = lockstep::parameters_for(known, given)});
}

}  // namespace

TEST_CASE("comparisons of Mayr and Plaxton's merges and local sorts grow as claimed", "[papers]") {
  auto const growths = lockstep::growths_of_comparisons(256);
  check_growths(growths, 4);
  for (auto const& row : growths.rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(row.cells[0].bound == lockstep::comparison::order);
    CHECK(row.cells[0].measured > *row.cells[0].claimed / 2);
  }
  CHECK(growths.rows[1].cells[0].claimed == 1024U * 10);
  CHECK(growths.rows[2].algorithm == "MergeSort, its local sort, merge-sort");
  CHECK(growths.rows[2].cells[0].claimed == 1024U * 10);
  CHECK(growths.rows[3].network == "hypercube:0 .. 8, k = 64");
  CHECK(lockstep::growths_of_comparisons(255).rows.size() == 3);
  CHECK(lockstep::growths_of_comparisons(63).rows.empty());
}

TEST_CASE("all tables of Mayr and Plaxton, on small networks", "[papers]") {
  auto const tables = tables_on_up_to(8);
  CHECK(lockstep::all_right(tables));
  std::vector<std::string> titles;
  for (auto const& table : tables) titles.push_back(table.title);
  CHECK(titles ==
        std::vector<std::string>{
            "Prefix on a tree",
            "Prefix on a hypercube",
            "Prefix on a shuffle-exchange",
            "Prefix' on a tree",
            "Prefix' on a hypercube",
            "Prefix' on a shuffle-exchange",
            "k prefixes on a tree, one port",
            "k prefixes on a tree, a port for each pass",
            "k prefixes on a tree, all ports",
            "k prefixes on a hypercube, the inorder tree's embedding, one port",
            "k prefixes on a hypercube, the inorder tree's embedding, all ports",
            "k prefixes on a hypercube, a spanning tree of degree 3, one port",
            "k prefixes on a hypercube, halving, one port",
            "k prefixes on a hypercube, FFT order, all ports",
            "k prefixes on a shuffle-exchange, two trees, words relayed, one port",
            "k prefixes on a shuffle-exchange, two trees, words combined, one port",
            "k prefixes on a shuffle-exchange, halving, one port",
            "k Prefix' on a tree, one port",
            "k Prefix' on a hypercube, halving, one port",
            "k Prefix' on a shuffle-exchange, halving, one port",
            "k segmented broadcasts on a tree, one port",
            "k segmented broadcasts on a tree, a port for each pass",
            "k segmented broadcasts on a hypercube, halving, one port",
            "k segmented broadcasts on a hypercube, FFT order, all ports",
            "k segmented broadcasts on a shuffle-exchange, halving, one port",
            "k segmented broadcasts on a shuffle-exchange, two trees, words combined, all "
            "ports",
            "k concentrations, all ports",
            "k inverse concentrations, all ports",
            "k broadcasts by multiple binomial trees, plain, one port",
            "k broadcasts, one port",
            "k sums by multiple binomial trees, plain, one port",
            "k sums, one port",
            "k prefixes on the links of the embedded inorder tree, one port",
            "Section 2.3: two trees, words relayed, phase by phase, one port",
            "Section 4: k monotone routes past the layers about the middle, one port",
            "k concentrations from the odd processors, one port",
            "Nassimi and Sahni's sort on one port, and MultiWayMergeSort, its k and l chosen, of n "
            "values",
            "Merge, both lists on all processors, fft prefixes",
            "Merge, both lists on all processors, halving prefixes",
            "Merge, both lists on all processors, fused",
            "Merge, each list on half of the processors, fft prefixes",
            "Merge, each list on half of the processors, halving prefixes",
            "Merge, each list on half of the processors, fused",
            "Merge, step by step",
            "Merge with prefixes by halving (number 12): ports of a processor in use at a time, "
            "in all steps but 4",
            "MergeSort",
            "MergeSort, fused",
            "MultiWayMerge: 2^l lists of 2^m sets of k",
            "MultiWayMerge, step by step",
            "MultiWayMerge: ports of a processor in use at a time, in all steps but 3, 4 and 6",
            "MultiWayMergeSort, 14k + 5l + 19il for a call",
            "MultiWayMergeSort, \"approximately\" (14k + 4l + 12m)m/l for all calls",
            "MultiWayMergeSort, step by step: l divides m",
            "MultiWayMergeSort: ports of a processor in use at a time, in step 1",
            "MultiWayMergeSort, k = log p, without the O(log p)",
            "MultiWayMergeSort, n = p, without the O((log p/log log p)^2)"});
  for (auto const& table : tables)
    for (auto const& row : table.rows) {
      CHECK(row.correct == true);
      for (auto const& cell : row.cells)
        if (cell.exact) CHECK(cell.measured == cell.exact);
    }
}

TEST_CASE("one port, a port for each pass and all ports of a tree", "[papers]") {
  constexpr std::array dimensions{4};
  constexpr std::array<std::int64_t, 1> instances{64};
  auto of = lagged;
  auto const steps = [&](ports with) {
    of.with = with;
    return mayr_plaxton_table(of, dimensions, instances).rows[0].cells[0].measured;
  };
  CHECK(steps(ports::one) == 200);
  CHECK(steps(ports::per_pass) == 138);
  CHECK(steps(ports::all) == 69);
}

TEST_CASE("steps stand beside the words that have to come into a processor", "[papers]") {
  constexpr std::array dimensions{4};
  constexpr std::array<std::int64_t, 2> instances{1, 64};
  auto const cells = mayr_plaxton_table(lagged, dimensions, instances).rows[0].cells;
  CHECK(cells[0].least == 7U);  // 2k + 2d - 3, into the lowest node on the left and on to the last
  CHECK(cells[1].least == 193U);  // 3k + d - 3
  CHECK(cells[1].measured == 200U);
}

TEST_CASE(
    "the links of an embedded tree let in four or five words, or three where leaves have values",
    "[papers]") {
  using lockstep::embedding;
  using lockstep::tree_places;
  auto const nodes = [](int d) {
    return intake_of_links(embedding::inorder(d), 1 << d, tree_places::nodes);
  };
  CHECK(nodes(3).words == 4);
  for (int d = 4; d <= 8; ++d) CHECK(nodes(d).words == 5);
  // From 8 and 10 over one link, from 13, and from 11 what is before 8, and x_11, for 12.
  CHECK(nodes(4).processor == 9);
  for (bool const is_upper : {true, false}) {
    auto const leaves = [&](int d) {
      auto const tree = is_upper ? embedding::upper_half(d) : embedding::lower_half(d);
      return intake_of_links(tree, 1 << d, tree_places::leaves).words;
    };
    CHECK(leaves(2) == 1);
    CHECK(leaves(4) == 2);
    for (int d = 5; d <= 8; ++d) CHECK(leaves(d) == 3);
  }
}

TEST_CASE(
    "section 2.3's trees are refuted where their links let in more than the bound, the broadcast "
    "holds",
    "[papers]") {
  auto const tables = lockstep::one_port_tables(32);
  CHECK(all_right(tables));
  auto const verdicts = [&](std::string const& input) {
    auto const row = std::ranges::find(tables[1].rows, input, &lockstep::paper_row::network);
    REQUIRE(row != tables[1].rows.end());
    auto all = verdicts_of(*row);
    all.resize(3);
    return all;
  };
  using enum claim_verdict;
  CHECK(verdicts("shuffle-exchange:5, k = 2") == std::vector{holds, holds, holds});
  CHECK(verdicts("shuffle-exchange:5, k = 16") ==
        std::vector{our_program_exceeds, our_program_exceeds, holds});
  CHECK(verdicts("shuffle-exchange:5, k = 64") ==
        std::vector{our_program_exceeds, our_program_exceeds, holds});
  CHECK(verdicts("shuffle-exchange:4, k = 64") ==
        std::vector{our_program_exceeds, our_program_exceeds, holds});
}

TEST_CASE("routes on one port stand beside the middle layer, and the links of all", "[papers]") {
  auto const tables = lockstep::one_port_tables(16);
  auto const cells = [&](std::size_t table, std::string const& algorithm) {
    for (auto const& row : tables[table].rows)
      if (row.network == "hypercube:4, k = 64" && row.algorithm == algorithm) return row.cells;
    return std::vector<lockstep::paper_cell>{};
  };
  // 5 processors of 16 have more zeros, and 4 have one zero more than ones.
  REQUIRE(cells(2, "monotone-route").size() == 1);
  CHECK(cells(2, "monotone-route").front().claimed == 80);  // 5 * 64 / 4
  CHECK(cells(2, "monotone-route").front().measured == 768);
  CHECK(cells(2, "monotone-route --queued").front().measured.value() < 768);
  CHECK(cells(3, "concentrate").front().claimed == 64);  // kd/4
  CHECK(cells(3, "concentrate").front().measured == 256);
  CHECK(cells(3, "concentrate --queued").front().measured.value() < 256);
}

TEST_CASE("every bound of section 4 that a run exceeds has its reason", "[papers]") {
  using enum claim_verdict;
  std::map<std::string, std::vector<int>> explained_by;
  int cells = 0;
  int outside = 0;
  for (auto const& table : lockstep::merging_tables(32))
    for (auto const& row : table.rows)
      for (auto const& cell : row.cells) {
        if (table.title.find("without the O(") != std::string::npos) continue;  // no whole bound
        ++cells;
        INFO(table.title << ", " << row.network << ", " << cell.instance << cell.figure);
        if (cell.verdict() == outside_the_claim) {  // MultiWayMergeSort is for n < p log p
          CHECK(cell.where.front().text == "n < p log p");
          ++outside;
          continue;
        }
        bool const is_kept = cell.bound == comparison::equal ? *cell.measured == *cell.claimed
                                                             : *cell.measured <= *cell.claimed;
        CHECK(is_kept == (cell.verdict() == equal || cell.verdict() == holds));
        CHECK((is_kept || cell.verdict() == decides_nothing));  // "within an additive constant"
        CHECK(is_kept != cell.explanation.has_value());
        if (!is_kept) explained_by[table.title].push_back(cell.explanation->number);
      }
  CHECK(cells > 350);
  CHECK(outside == 27);
  auto const all_are = [](std::vector<int> const& numbers, int number) {
    return std::ranges::all_of(numbers, [&](int one) { return one == number; });
  };
  REQUIRE(explained_by.size() == 3);
  CHECK(explained_by["Merge, each list on half of the processors, halving prefixes"] ==
        std::vector{13});  // k = 1 on two processors
  CHECK(explained_by["MultiWayMergeSort, \"approximately\" (14k + 4l + 12m)m/l for all calls"] ==
        std::vector{16});  // k = 16, l = 4, m = 1
  CHECK(all_are(explained_by["Merge, step by step"], 13));
}

TEST_CASE("a merge beyond its bound is explained by a step in each dimension alone", "[papers]") {
  std::map<std::string, lockstep::parameter_value> const halving{
      {"k", std::int64_t{1}}, {"lists", std::string("whole")}, {"prefix", std::string("halving")}};
  auto of = claimed_operation{.title = {},
                              .algorithm = "merge",
                              .network = "hypercube",
                              .parameters = halving,
                              .with = ports::all,
                              .erratum_number = 13,
                              .is_explained = lockstep::keeps_bound_with_all_dimensions};
  CHECK(keeps_bound_with_all_dimensions(run_on_cube("merge", 1, halving)));
  auto const judged = [&] { return claimed_row(of, "hypercube:1", {}).cells.front().judged; };
  CHECK(judged().verdict == claim_verdict::decides_nothing);
  CHECK_FALSE(judged().is_fault);
  of.is_explained = [](lockstep::experiment_result const&) { return false; };
  CHECK(judged().is_fault);
  // Both lists on all processors: more steps than 6k + 12 log (p/2) and another 2.
  std::map<std::string, lockstep::parameter_value> const half{{"k", std::int64_t{1}},
                                                              {"prefix", std::string("halving")}};
  CHECK_FALSE(keeps_bound_with_all_dimensions(run_on_cube("merge", 1, half)));
}

TEST_CASE("steps that the paper's note leaves to one port use one at a time, the others more",
          "[papers]") {
  auto const tables = tables_on_up_to(16);
  int rows = 0;
  for (auto const& table : tables) {
    if (table.title.find("ports of a processor") == std::string::npos) continue;
    for (auto const& row : table.rows) {
      std::map<std::string, std::size_t> const steps{
          {"merge", 5}, {"multiway-merge", 4}, {"multiway-merge-sort", 1}};
      CHECK(row.cells.size() == steps.at(row.algorithm));
      for (auto const& cell : row.cells) {
        CHECK(cell.measured == 1);
        CHECK(cell.verdict() == claim_verdict::holds);
      }
      ++rows;
    }
  }
  CHECK(rows == 2 * 3 + 2 * (1 + 1 + 2) + 2 * 3);
  // In the others a processor takes in more words of one than there are steps.
  auto const use_several = [](lockstep::experiment_result const& run, std::string const& names) {
    int phases = 0;
    for (auto const& phase : run.record.phases())
      if (names.find('|' + phase.name.substr(0, 5) + '|') != std::string::npos) {
        INFO(phase.name);
        CHECK(phase.port_words > phase.steps);
        ++phases;
      }
    return phases;
  };
  std::map<std::string, lockstep::parameter_value> const sixteen{{"k", std::int64_t{16}}};
  CHECK(use_several(run_on_cube("merge", 4, sixteen), "|route|") == 2);
  CHECK(use_several(run_on_cube("multiway-merge", 4, sixteen), "|3: me|4: ra|6: ro|") == 3);
}

TEST_CASE("MultiWayMergeSort beside the terms that the paper calls dominant", "[papers]") {
  using enum claim_verdict;
  auto const tables = lockstep::merging_tables(16);
  auto const cells_of = [&](std::string const& title) {
    std::map<std::string, lockstep::paper_cell> cells;
    auto const found = std::ranges::find_if(
        tables, [&](auto const& table) { return table.title.starts_with(title); });
    REQUIRE(found != tables.end());
    for (auto const& row : found->rows) {
      CHECK(row.correct == true);
      cells.emplace(row.network, row.cells.front());
    }
    return cells;
  };
  auto const of_log_p = cells_of("MultiWayMergeSort, k = log p");
  REQUIRE(of_log_p.size() == 6);
  auto const& four = of_log_p.at("hypercube:4, l = 2, k = 4, n = 16");
  CHECK(four.claimed == 188);  // 47/2 16/2
  CHECK(four.verdict() == holds);
  auto const of_one_each = cells_of("MultiWayMergeSort, n = p");
  REQUIRE(of_one_each.size() == 6);
  // 1 step more, where (log p/log log p)^2 = 4 times something is left open.
  auto const& chosen = of_one_each.at("hypercube:4, l = 1, k = 2, n = 16");
  CHECK(chosen.claimed == 76);  // 19/2 16/2
  CHECK(chosen.measured == 77U);
  CHECK(chosen.verdict() == decides_nothing);
  auto const& rounded = of_one_each.at("hypercube:3, l = 1, k = 2, n = 8");
  CHECK(rounded.measured == 41U);
  CHECK(rounded.verdict() == holds);
  CHECK(of_one_each.at("hypercube:3, l = 2, k = 4, n = 8").verdict() == outside_the_claim);
}
