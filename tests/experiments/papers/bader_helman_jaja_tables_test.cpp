#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/h_relation_inputs.hpp>
#include <lockstep/cost_model_registry.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "papers/bader_helman_jaja/bounds.hpp"
#include "papers/bader_helman_jaja/g_group_words.hpp"
#include "papers/bader_helman_jaja/passes.hpp"
#include "papers/bader_helman_jaja/prediction.hpp"
#include "papers/bader_helman_jaja/printed.hpp"
#include "papers/bader_helman_jaja/redistribution.hpp"
#include "papers/bader_helman_jaja/routing.hpp"
#include "papers/bader_helman_jaja/sorting.hpp"
#include "papers/bader_helman_jaja/transposes.hpp"
#include "papers/fitted_model.hpp"
#include "papers/local_work_model.hpp"
#include "row_cells.hpp"

namespace {

using Catch::Matchers::WithinRel;
using lockstep::claim_verdict;
using lockstep::paper_row;
using lockstep::paper_table;
using lockstep::round_order;

constexpr std::int64_t million = 1 << 20;

std::vector<std::string> rows_of(paper_table const& table) {
  std::vector<std::string> names;
  names.reserve(table.rows.size());
  for (auto const& row : table.rows) names.push_back(row.network + ", " + row.algorithm);
  return names;
}

}  // namespace

TEST_CASE("stepwise words of Tables I and II, by equation 8", "[papers]") {
  struct expected {
    lockstep::g_group_setting input;
    std::uint64_t pex;
    std::uint64_t pex_startups;
    std::uint64_t lp;
  };
  std::array<expected, 4> const all{{{{1, 8, 8}, 129024, 63, 126976},
                                     {{2, 8, 4}, 131072, 32, 221184},
                                     {{4, 16, 4}, 258048, 63, 253952},
                                     {{8, 16, 2}, 262144, 32, 385024}}};
  for (auto const& [input, words, startups, lp_words] : all)
    for (std::uint64_t const m : {1U, 2U, 4U}) {
      auto const n = static_cast<std::int64_t>(m) * million;
      auto const pex = stepwise_cost_of(input, 64, n, round_order::pex);
      CHECK(pex.words == m * words);
      CHECK(pex.startups == startups);
      CHECK(stepwise_cost_of(input, 64, n, round_order::lp).words == m * lp_words);
    }
}

TEST_CASE("a model is fitted to times, neither tau nor sigma negative", "[papers]") {
  using lockstep::fitted_model;
  using lockstep::timed_counts;
  auto const exact = fitted_model(
      std::array{timed_counts{2, 1000, 0.003}, timed_counts{4, 3000, 0.007}}, "a machine");
  CHECK(exact.label == "a machine");
  CHECK_THAT(exact.tau_us, WithinRel(1000.0, 1e-9));  // 2 * 500 + 1000 * 2
  CHECK_THAT(exact.sigma_us_per_word, WithinRel(1.0, 1e-9));
  CHECK_THAT(priced_seconds(exact, 4, 3000), WithinRel(0.007, 1e-9));
  CHECK_THAT(largest_error(exact, std::array{timed_counts{4, 3000, 0.014}}), WithinRel(0.5, 1e-9));
  auto const without_tau =
      fitted_model(std::array{timed_counts{4, 1000, 0.001}, timed_counts{1, 2000, 0.004}}, "");
  CHECK(without_tau.tau_us == 0);
  CHECK(without_tau.sigma_us_per_word > 0);
  auto const without_sigma =
      fitted_model(std::array{timed_counts{1, 3000, 0.001}, timed_counts{4, 1000, 0.005}}, "");
  CHECK(without_sigma.sigma_us_per_word == 0);
  CHECK(without_sigma.tau_us > 0);
  auto const of_one = fitted_model(std::array{timed_counts{2, 1000, 0.003}}, "");
  CHECK_THAT(of_one.sigma_us_per_word, WithinRel(3.0, 1e-9));
  CHECK_THROWS_AS(fitted_model({}, ""), lockstep::invalid_argument);
  CHECK_THROWS_AS(fitted_model(std::array{timed_counts{2, 0, 0.003}}, ""),
                  lockstep::invalid_argument);
}

TEST_CASE("a g-group input by runs, beside the formulas", "[papers]") {
  std::vector<lockstep::g_group_costs> const measured{
      lockstep::measured_g_group({1, 4, 4}, 16, 1 << 14),
      lockstep::measured_g_group({2, 4, 2}, 16, 1 << 14),
      lockstep::measured_g_group({2, 4, 4}, 16, 1 << 14)};
  auto table = g_group_words_table(16, 1 << 14, measured);
  CHECK_THAT(table.title,
             Catch::Matchers::StartsWith("Words of Tables I and II, n = 16K: two phases"));
  CHECK(table.row_kind == "input");
  CHECK(rows_of(table) == std::vector<std::string>{"h = n/p, g = 4, t = 4, crossbar:16",
                                                   "h = 2n/p, g = 4, t = 2, crossbar:16",
                                                   "h = 2n/p, g = 4, t = 4, crossbar:16"});
  for (auto const& row : table.rows) {
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector(6, claim_verdict::equal));
  }
  // (64 + 8 + 64 + 8) 15, (64 + 64) 15, g n/p less a local block, ...
  CHECK(measured_in(table.rows[0])[0] == 2160);
  CHECK(measured_in(table.rows[0])[1] == 1920);
  CHECK(measured_in(table.rows[0])[2] == 4096 - 256);
  CHECK(measured_in(table.rows[0])[5] == 1024);
  // What is counted otherwise is wrong.
  auto other = measured;
  ++other[0].lp.words;
  other[1].correct = false;
  table = g_group_words_table(16, 1 << 14, other);
  CHECK(table.rows[0].cells[4].judged.is_fault);
  CHECK(table.rows[1].correct == false);
}

TEST_CASE("seconds of Tables I and II beside priced times and ratios of words", "[papers]") {
  auto const& machine = lockstep::routing_machines()[0];
  lockstep::g_group_costs of_n;
  of_n.real.rounds = 126;
  of_n.real.words = 32256;
  of_n.pex.startups = 63;
  of_n.pex.words = 129024;
  of_n.pipelined.words = 16384;
  std::vector const measured(3, std::vector(4, of_n));
  auto const table = g_group_seconds_table(machine, measured);
  CHECK(table.title == "Table I, TMC CM-5, 64 processors, in seconds");
  REQUIRE(table.rows.size() == 16);
  CHECK(rows_of(table)[1] == "h = n/p, g = 8, t = 8, single-phase");
  auto const model = routing_model(machine);
  CHECK(model.tau_us == 0);
  CHECK_THAT(model.sigma_us_per_word, WithinRel(1.81, 1e-3));
  auto const& single = table.rows[1].cells[0];
  CHECK(single.printed == 0.236);
  CHECK_THAT(single.priced.value(), WithinRel(0.2335, 1e-3));
  CHECK(single.verdict() == claim_verdict::decides_nothing);
  CHECK(single.explanation->number == 0);
  CHECK_THAT(single.explanation->text, has_text("sigma = 1.81 us"));
  auto const& stepwise = table.rows[2].cells[0];
  CHECK_THAT(stepwise.printed.value(), WithinRel(0.236 / 0.153, 1e-9));
  CHECK(stepwise.priced == 4.0);
  CHECK_THAT(table.rows[3].cells[0].priced.value(), WithinRel(16384.0 / 32256, 1e-9));
  CHECK(table.rows[0].cells[2].instance == "n = 4M");
  CHECK(lockstep::g_group_tables(63).empty());
}

TEST_CASE("bins meet their bounds for large n, and cannot for small n", "[papers]") {
  using enum claim_verdict;
  auto const tight = lockstep::tight_bins_table(std::array{2, 3, 8}, 1);
  for (auto const& row : tight.rows) {
    CHECK(row.correct == true);
    // For even p p does not divide h, as the paper takes it to.
    auto const through = &row == &tight.rows[1] ? holds : outside_the_claim;
    CHECK(verdicts_of(row) == std::vector{holds, through, holds, holds});
  }
  CHECK(measured_in(tight.rows[2]) == std::vector<std::uint64_t>{8, 8, 64, 112});
  auto const small = lockstep::small_bins_table(std::array{2, 4, 16, 64});
  CHECK(verdicts_of(small.rows[0])[0] == claim_verdict::holds);
  auto const& of_64 = small.rows[3].cells[0];
  CHECK(of_64.claimed == 32);
  CHECK(of_64.exact == 10);
  CHECK(of_64.measured == 10);
  CHECK(of_64.verdict() == claim_verdict::holds);
  CHECK(of_64.explanation->number == 11);
}

TEST_CASE("bins of Step 4 meet their bound where h is more than n/p", "[papers]") {
  auto const wide = lockstep::wide_bins_table(std::array{4, 5, 8, 64});
  CHECK(all_right(std::vector{wide}));
  std::vector<std::uint64_t> const bins{3, 4, 7, 63};  // h/p + (p - 1)/2, down
  for (std::size_t i = 0; i < bins.size(); ++i) {
    INFO(wide.rows[i].network);
    CHECK(wide.rows[i].correct == true);
    CHECK(measured_in(wide.rows[i]) == std::vector{bins[i]});
    CHECK(wide.rows[i].cells[0].claimed == bins[i]);
    CHECK(verdicts_of(wide.rows[i]) == std::vector{claim_verdict::holds});
  }
  CHECK(wide.rows[3].network == "crossbar:64, h = 2048");
}

TEST_CASE("both transposes keep T_comm, and are as long as Appendix B's blocks", "[papers]") {
  auto const table = lockstep::transposes_table(std::array{3, 8});
  CHECK(table.rows.size() == 2 * 5 + 2 * 7);
  for (auto const& row : table.rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector(7, claim_verdict::holds));
    CHECK(row.cells.back().is_ours);
    CHECK_FALSE(row.cells[1].is_ours);
  }
  // In the paper's blocks exactly (4 + 4) 7 and (64/8 + 4) 7 for p = 8, n/p = 32, h = 64.
  auto const& of_8 = table.rows[10 + 4];
  CHECK(of_8.network == "p = 8, n = 256, h = 2n/p, ramp");
  CHECK(measured_in(of_8)[1] == 56);
  CHECK(measured_in(of_8)[4] == 84);
  CHECK(of_8.cells[4].claimed == 84);
  auto const appendix = lockstep::appendix_b_table(std::array{8});
  for (auto const& row : appendix.rows) {
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector(2, claim_verdict::equal));
  }
  CHECK(measured_in(appendix.rows[2]) == std::vector<std::uint64_t>{63, 84});
}

TEST_CASE("counting sort by its steps, and radix sort with R = n/p", "[papers]") {
  using enum claim_verdict;
  auto const counting = lockstep::counting_sort_table(std::array{8});
  CHECK(counting.rows.size() == 6);
  for (auto const& row : counting.rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(row.correct == true);
    CHECK(verdicts_of(row) == std::vector{equal, equal, holds, holds, equal, holds});
  }
  CHECK(counting.rows[2].network == "p = 8, n = 1024, R = 128");
  CHECK(measured_in(counting.rows[2]) == std::vector<std::uint64_t>{112, 224, 140, 140, 4, 616});
  auto const radix = lockstep::chosen_radix_table(std::array{8});
  CHECK(radix.rows.size() == 4);
  for (auto const& row : radix.rows) {
    INFO(row.network);
    CHECK(row.correct == true);
    // Digits of 10 bits do not divide 32.
    auto const passes = row.network == "p = 8, n/p = R = 1K" ? outside_the_claim : equal;
    CHECK(verdicts_of(row) == std::vector{equal, equal, equal, passes});
  }
  CHECK(measured_in(radix.rows[0]) == std::vector<std::uint64_t>{8, 32, 1008, 8});
  CHECK(measured_in(radix.rows[3])[0] == 2);
}

TEST_CASE("words of a sort's passes are those of the formula, whatever the keys", "[papers]") {
  CHECK(lockstep::words_of_a_pass(16, 1 << 16) == 10800);  // (192 + 512 + 16) 15
  auto const table = lockstep::distributions_table(4, {1 << 12});
  CHECK(rows_of(table) == std::vector<std::string>{"n = 4K, padded blocks", "n = 4K, real blocks"});
  for (auto const& row : table.rows) {
    CHECK(row.correct == true);
    bool const is_padded = &row == &table.rows.front();
    CHECK(verdicts_of(row) ==
          std::vector(4, is_padded ? claim_verdict::equal : claim_verdict::holds));
  }
  CHECK(measured_in(table.rows[0]) == std::vector<std::uint64_t>(4, 15408));
  CHECK(table.rows[1].cells[0].bound == lockstep::comparison::at_most);
  CHECK(table.rows[1].cells[2].measured < table.rows[1].cells[0].measured);  // [C] and [R]
}

TEST_CASE("machines by name have the parameters that fit the paper's seconds", "[papers]") {
  auto const check = [](std::string const& name, lockstep::tau_sigma_model const& fitted,
                        std::vector<lockstep::timed_counts> const& times) {
    INFO(name);
    auto const& all = lockstep::registered_models();
    auto const found = std::ranges::find(all, name, &lockstep::registered_model::name);
    REQUIRE(found != all.end());
    auto const parameters = found->parameters();
    CHECK_THAT(parameters[0].value, WithinRel(fitted.tau_us, 1e-3));
    CHECK_THAT(parameters[1].value, WithinRel(fitted.sigma_us_per_word, 4e-3));
    CHECK(parameters[2].value == 0);
    // What the summary says of its errors is so with the rounded parameters, too.
    lockstep::tau_sigma_model const rounded{.tau_us = parameters[0].value,
                                            .sigma_us_per_word = parameters[1].value};
    CHECK_THAT(std::string(found->summary),
               has_text(fmt::format("{:.0f} % off at most", 100 * largest_error(rounded, times))));
  };
  auto const& sorts = lockstep::sorting_machines();
  check("sp2", sorting_model(sorts[0]), sorting_costs_on(sorts[0]));
  check("cm5", sorting_model(sorts[1]), sorting_costs_on(sorts[1]));
  check("cs2", sorting_model(sorts[2]), sorting_costs_on(sorts[2]));
  auto const& t3d = lockstep::routing_machines()[1];
  check("t3d", routing_model(t3d), single_phase_times(t3d));
}

TEST_CASE("Table III's seconds are near to the counts of four passes, on each machine",
          "[papers]") {
  CHECK(lockstep::sorting_tables(15).empty());
  std::vector<double> errors;
  for (auto const& machine : lockstep::sorting_machines()) {
    auto const model = sorting_model(machine);
    errors.push_back(largest_error(model, sorting_costs_on(machine)));
    CHECK(sorting_costs_on(machine).size() == machine.rows.size());
    CHECK(sorting_costs_on(machine)[0].startups == 16);
    CHECK(sorting_costs_on(machine)[0].seconds == machine.rows[0].bader);
  }
  REQUIRE(errors.size() == 3);
  CHECK_THAT(errors[0], WithinRel(0.2895, 1e-3));
  CHECK_THAT(errors[1], WithinRel(0.0769, 1e-3));
  CHECK_THAT(errors[2], WithinRel(0.1071, 1e-3));
}

TEST_CASE("Figures 1 and 3 are drawn from runs, as the paper says in words", "[papers]") {
  CHECK(lockstep::printed_figures_of_bader_helman_jaja(15).empty());
  auto const figures = lockstep::printed_figures_of_bader_helman_jaja(16);
  REQUIRE(figures.size() == 2);
  for (auto const& figure : figures) {
    INFO(figure.title << '\n' << figure.text);
    CHECK(figure.is_as_printed == true);
    CHECK_THAT(figure.compared, has_text("lacks the drawing"));
  }
  // v_1 = 1024 (1 - 1024/7168), and so on.
  CHECK_THAT(figures[0].text,
             has_text("\nP_1   ## 256     #### 477     ####### 877      ########### 1365\n"));
  CHECK_THAT(figures[0].text, has_text("\nP_14  ## 256     # 34         0                0\n"));
  CHECK_THAT(figures[1].text, has_text("\nP_1      0   1   2   3   4   5   6   7\nP_2\n"));
  CHECK_THAT(figures[1].text, has_text("\nP_4     12  13  14  15   8   9  10  11\n"));
}

TEST_CASE("a drawing that differs from what the paper says is found out", "[papers]") {
  lockstep::keys_of_four_inputs right;
  for (std::size_t input = 0; input < 4; ++input)
    right[input] = lockstep::family_sizes(4096, 16, std::uint64_t{256} << input);
  CHECK(lockstep::is_as_section_3_1_says(right));
  auto moved = right;
  --moved[1][1];
  ++moved[1][2];
  CHECK_FALSE(lockstep::is_as_section_3_1_says(moved));
  std::swap(right[0][0], right[3][0]);
  CHECK_FALSE(lockstep::is_as_section_3_1_says(right));
}

TEST_CASE("a block with another source, receiver or place than in Figure 3 is found out",
          "[papers]") {
  auto const groups = [](int first, int second) {
    std::vector<int> sources;
    for (int const group : {first, second})
      for (int i = 0; i < 4; ++i) sources.push_back(4 * group + i);
    return sources;
  };
  lockstep::block_sources right(16);
  right[0] = right[9] = groups(2, 3);
  right[1] = right[8] = groups(0, 1);
  right[4] = right[13] = groups(3, 2);
  right[5] = right[12] = groups(1, 0);
  CHECK(lockstep::is_as_section_3_2_1_says(right));
  auto const check_refused = [](lockstep::block_sources const& wrong) {
    CHECK_FALSE(lockstep::is_as_section_3_2_1_says(wrong));
  };
  auto other = right;
  other[0][0] = 0;  // five blocks of a source, and three of another
  check_refused(other);
  other[0][0] = 16;
  check_refused(other);
  other = right;
  std::swap(other[0][0], other[0][1]);  // in each other's places
  check_refused(other);
  other = right;
  std::swap(other[0][0], other[1][0]);  // on each other's receivers
  check_refused(other);
  other = right;
  std::swap(other[1], other[2]);
  check_refused(other);
  other[1] = {0};
  check_refused(other);
  check_refused({right[0], {}, {}, right[0]});
  check_refused({});
}

TEST_CASE("section 3.3, as it is and balanced first", "[papers]") {
  using enum claim_verdict;
  auto const table = lockstep::redistribution_table(std::array{4, 8});
  CHECK(rows_of(table).size() == 6 + 6);
  for (auto const& row : table.rows) {
    INFO(row.network << ", " << row.algorithm);
    CHECK(row.correct == true);
    bool const is_plain = row.algorithm == "as it is";
    // The constant of the claim's O is not told, and read as 1, "much larger" as four times.
    bool const is_uneven = row.network != "p = 4, n = 128, h1 = 128, h2 = 64" &&
                           row.network != "p = 4, n = 128, h1 = 64, h2 = 32";
    auto const words = is_plain || is_uneven ? holds : outside_the_claim;
    CHECK(verdicts_of(row) == std::vector{equal, is_plain ? equal : holds, words});
    CHECK(row.cells[2].explanation.has_value() == !is_plain);
    CHECK(row.cells[2].is_ours == !is_plain);
    if (!is_uneven && !is_plain) CHECK(row.cells[2].judged.reason == "made for h1 >= 4 h2");
  }
  auto const& plain = table.rows[6];
  auto const& balanced = table.rows[7];
  CHECK(plain.network == "p = 8, n = 512, h1 = 512, h2 = 64");
  CHECK(balanced.network == plain.network);
  CHECK(measured_in(balanced)[2] > measured_in(plain)[2]);
  CHECK_THAT(balanced.cells[2].explanation->text, has_text("both numbers are ours"));
}

TEST_CASE("start-ups, words and local work are fitted to times, none negative", "[papers]") {
  using lockstep::fitted_with_local_work;
  using lockstep::timed_work;
  lockstep::local_work_model const truth{
      .tau_us = 50, .sigma_us_per_word = 2, .gamma_us_per_element = 0.5};
  std::vector<timed_work> times{{{1, 100, 400}}, {{20, 100, 10}}, {{3, 900, 70}}, {{9, 30, 600}}};
  for (auto& each : times) each.seconds = truth.seconds(each.spent);
  CHECK_THAT(times[0].seconds, WithinRel(450e-6, 1e-12));
  auto const found = fitted_with_local_work(times);
  CHECK_THAT(found.tau_us, WithinRel(50, 1e-6));
  CHECK_THAT(found.sigma_us_per_word, WithinRel(2, 1e-6));
  CHECK_THAT(found.gamma_us_per_element, WithinRel(0.5, 1e-6));
  CHECK(largest_error(found, times) < 1e-9);
  times[0].seconds *= 2;
  CHECK_THAT(largest_error(truth, times), WithinRel(0.5, 1e-9));
  // More words, and less time: sigma would be negative.
  auto const without_sigma = fitted_with_local_work(
      std::array{timed_work{{0, 10, 100}, 2e-4}, timed_work{{0, 900, 100}, 1e-4}});
  CHECK(without_sigma.sigma_us_per_word == 0);
  CHECK(without_sigma.gamma_us_per_element > 0);
  CHECK_THROWS_AS(fitted_with_local_work({}), lockstep::invalid_argument);
  CHECK_THROWS_AS(fitted_with_local_work(std::array{timed_work{{}, 1}}),
                  lockstep::invalid_argument);
}

TEST_CASE("two-phase seconds are predicted by a fit to the single-phase ones alone", "[papers]") {
  // Counted words of two phases: (1 - 1/p)(n/p + h), see the test of equation 8's words.
  std::vector<std::vector<lockstep::g_group_costs>> measured;
  for (std::uint64_t const m : {1U, 2U, 4U}) {
    auto& of_n = measured.emplace_back();
    for (std::uint64_t const words : {32256U, 48384U, 80640U, 145152U}) {
      of_n.emplace_back();
      of_n.back().real.rounds = 126;
      of_n.back().real.words = m * words;
    }
  }
  auto const error_on = [&](lockstep::routing_machine const& machine) {
    auto const model = fitted_with_local_work(single_phase_work(machine));
    return std::array{largest_error(model, single_phase_work(machine)),
                      largest_error(model, two_phase_work(machine, measured))};
  };
  auto const& [cm5, t3d] = lockstep::routing_machines();
  CHECK_THAT(error_on(cm5)[0], WithinRel(0.157, 5e-3));
  CHECK_THAT(error_on(cm5)[1], WithinRel(0.28, 0.02));
  CHECK_THAT(error_on(t3d)[0], WithinRel(0.0589, 5e-3));
  CHECK_THAT(error_on(t3d)[1], WithinRel(0.17, 0.03));

  auto const table = two_phase_prediction_table(cm5, measured);
  REQUIRE(table.rows.size() == 16);
  CHECK(rows_of(table)[0] == "h = n/p, g = 8, t = 8, two-phase, predicted");
  auto const& predicted = table.rows[0].cells[0];
  CHECK(predicted.printed == 0.153);
  CHECK_THAT(table.rows[1].cells[0].priced.value(),
             WithinRel(100 * (predicted.priced.value() / 0.153 - 1), 1e-9));
  CHECK_FALSE(table.rows[1].cells[0].printed);
  CHECK_FALSE(table.rows[2].cells[0].priced);  // of the paper's seconds alone
  CHECK_THAT(table.rows[2].cells[0].printed.value(), WithinRel(100 * (0.236 / 0.153 - 1), 1e-9));
  CHECK_THAT(table.rows[3].cells[0].printed.value(), WithinRel(0.236 / 0.153, 1e-9));
  // A guess has the faster way right as often, and on the T3D the times, too.
  CHECK_THAT(predicted.explanation->text,
             has_text("28 % off; the single-phase times, taken for them, are up to 74 % off.") &&
                 has_text("right in 12 of 12 cases, as it does in 12 by always taking two phases; "
                          "the fit never picks one phase") &&
                 !has_text("equal local work"));
  auto const of_t3d = two_phase_prediction_table(t3d, measured);
  CHECK_THAT(of_t3d.rows[0].cells[0].explanation->text,
             has_text("17 % off; the single-phase times, taken for them, are up to 16 % off.") &&
                 has_text("right in 9 of 12 cases, as it does in 9 by always taking two phases; "
                          "the fit never picks one phase. On this machine it tells nothing beyond "
                          "equal local work"));
  CHECK(all_right(std::vector{table, of_t3d}));
  // Seconds far from the predicted ones are a fault; errors and ratios are not judged.
  auto slow = cm5;
  slow.rows[0].two_phase[0] *= 2;
  auto const of_slow = two_phase_prediction_table(slow, measured);
  CHECK(of_slow.rows[0].cells[0].judged.is_fault);
  CHECK_FALSE(of_slow.rows[0].cells[1].judged.is_fault);
  CHECK_FALSE(of_slow.rows[3].cells[0].judged.is_fault);
}
