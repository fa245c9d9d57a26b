#include "explain/value_chart.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "../catch.hpp"
#include "commands/commands.hpp"
#include "commands/usage_error.hpp"
#include "contains.hpp"
#include "printed.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::cli;

/// Sums up ranks on a square, and shows sums and intervals.
run_record run_sums(std::span<observer* const> watching) {
  machine const square{hypercube{2}};
  return square.run(
      [](processor& me) {
        std::int64_t sum = me.rank();
        me.show("sum", sum);
        for (int dimension = 0; dimension < 2; ++dimension) {
          if (dimension == 1) me.show("ranks", rank_interval{me.rank() & ~1, me.rank() | 1});
          sum += me.exchange(me.rank() ^ (1 << dimension), sum);
          if (dimension == 0 || me.rank() == 3) me.show("sum", sum * 1000);
        }
      },
      watching);
}

value_chart chart(value_selection const& what) {
  shown_log log;
  std::array<observer*, 1> const watching{&log};
  auto selection = what;
  selection.last_step = run_sums(watching).counts().rounds;
  return values_of(std::move(log), hypercube(2), selection);
}

std::vector<std::string> texts(value_chart const& of, std::size_t row) {
  std::vector<std::string> all;
  for (auto const cell : of.rows.at(row).cells)
    all.push_back(cell == value_row::nothing ? std::string() : text_of(of.values.at(cell)));
  return all;
}

experiment_result run_as_experiment(experiment_request const& asked) {
  return {.record = run_sums(asked.observers), .correct = true};
}

printed explain(explain_command asked) {
  experiment const made{.name = "sums", .run = run_as_experiment};
  if (asked.run.what == nullptr) asked.run.what = &made;
  asked.run.on = "hypercube:2";
  asked.content = cell_content::values;
  std::ostringstream out;
  auto const status = execute(asked, out);
  return {status, out.str()};
}

}  // namespace

TEST_CASE("values are short texts", "[value_chart]") {
  CHECK(text_of(shown_number(std::int64_t{-3})) == "-3");
  CHECK(text_of(shown_number(0.25)) == "0.25");
  CHECK(text_of(shown_numbers(std::vector<std::uint64_t>{3, 5})) == "3 5");
  CHECK(text_of(std::string("waits")) == "waits");
  CHECK(text_of(std::vector<block_label>{{2, 7}, {}}) == "2>7 -");
  CHECK(text_of(std::vector<rank_interval>{{0, 3}, {5, 5}}) == "0-3 5");
  CHECK(text_of(shown_matrix{2, shown_numbers(std::vector<std::int64_t>{1, 2, 3, 4})}) ==
        "1 2;3 4");
}

TEST_CASE("a chart has what each processor holds after each step", "[value_chart]") {
  auto const made = chart({});
  CHECK(made.name == "sum");
  CHECK(made.names == std::vector<std::string>{"sum", "ranks"});
  CHECK(made.steps == step_range{0, 2});
  REQUIRE(made.rows.size() == 4);
  CHECK(texts(made, 1) == std::vector<std::string>{"1", "1000", "1000"});
  CHECK(texts(made, 3) == std::vector<std::string>{"3", "5000", "6000"});
}

TEST_CASE("chosen values, processors and steps are shown", "[value_chart]") {
  auto const made = chart({.name = "ranks", .ranks = {2}, .steps = {2, 9}});
  CHECK(made.steps == step_range{2, 2});
  REQUIRE(made.rows.size() == 1);
  CHECK(made.rows[0].rank == 2);
  CHECK(texts(made, 0) == std::vector<std::string>{"2-3"});
  CHECK_THROWS_WITH(chart({.name = "totals"}),
                    "--show: the program shows no value 'totals'; it shows: sum, ranks");
}

TEST_CASE("a chart of values is drawn for people", "[value_chart]") {
  auto made = chart({});
  made.phases = {{"first", {1, 1}}, {"second", {2, 2}}};
  auto const text = as_text(made);
  CHECK(contains(text, "What each processor holds after each step, as \"sum\" (. as before):\n\n"));
  CHECK(contains(text, "  processor     0    1    2\n"));
  CHECK(contains(text, "  1 01          1 1000    .\n"));
  CHECK(contains(text, "  3 11          3 5000 6000\n"));
  CHECK(contains(text, "first\n"));
  CHECK(contains(text, "\nAlso shown: --show values:ranks\n"));
}

TEST_CASE("long values are cut, and long charts go on in blocks", "[value_chart]") {
  value_chart made{.name = "keys", .names = {"keys"}, .steps = {0, 19}, .processors = 99};
  made.rows.push_back({.rank = 0, .label = "0", .cells = {}});
  made.values = {shown_numbers(std::vector<std::int64_t>{100, 200, 300, 400, 500})};
  made.rows[0].cells.assign(20, 0);
  auto const text = as_text(made);
  CHECK(contains(text, " 100 200 300 40.. "));
  CHECK(contains(text, "\n\n  processor "));
  CHECK(contains(text, "1 of 99 processors; --processors LIST shows others."));
  for (std::size_t start = 0, end = 0; end != std::string::npos; start = end + 1) {
    end = text.find('\n', start);
    CHECK(std::min(end, text.size()) - start <= 100);
  }
}

TEST_CASE("a program that shows nothing is told how to", "[value_chart]") {
  shown_log const log;
  CHECK(contains(as_text(values_of(log, hypercube(2), {.last_step = 3})), "me.show(name, value)"));
  shown_log cut_log;
  cut_log.ended({.calls_left_out = "lacks what processors showed: they called too often"});
  auto const made = values_of(cut_log, hypercube(2), {.last_step = 3});
  CHECK(as_text(made) == "The chart lacks what processors showed: they called too often.\n");
  CHECK(as_json(made).at("left_out") ==
        "The chart lacks what processors showed: they called too often.");
  CHECK_FALSE(as_json(chart({})).contains("left_out"));
}

TEST_CASE("a chart of a run that was cut off says what it lacks", "[value_chart]") {
  experiment const made{.name = "sums", .run = [](experiment_request const& asked) {
                          for (auto* const watching : asked.observers)
                            watching->cut_off("lacks all after step 0: 9 messages were waiting");
                          return run_as_experiment(asked);
                        }};
  auto const [status, out] = explain({.run = {.what = &made}});
  CHECK(status == exit_status::all_right);
  CHECK(contains(out, "\nThe chart lacks all after step 0: 9 messages were waiting.\n"));
  CHECK(contains(out, "correct    yes"));
}

TEST_CASE("a value that is shown again as it was is as before", "[value_chart]") {
  shown_log log;
  log.shown({.rank = 0, .step = 0, .name = "key", .value = shown_number(0.12341)});
  log.shown({.rank = 0, .step = 2, .name = "key", .value = shown_number(0.12342)});
  log.shown({.rank = 0, .step = 3, .name = "key", .value = std::string(20, 'a') + 'b'});
  log.shown({.rank = 0, .step = 4, .name = "key", .value = std::string(20, 'a') + 'c'});
  log.shown({.rank = 0, .step = 4, .name = "key", .value = std::string(20, 'a') + 'd'});
  auto const made = values_of(log, hypercube(0), {.steps = {1, 4}, .last_step = 4});
  CHECK(contains(as_text(made),
                 " 0.1234                .                . aaaaaaaaaaaaaa.. "
                 "aaaaaaaaaaaaaa..\n"));
  CHECK(texts(made, 0).back() == std::string(20, 'a') + 'd');
}

TEST_CASE("no more is written of a long value than is asked for", "[value_chart]") {
  shown_numbers const many(std::vector<std::int64_t>(1'000'000, 123));
  CHECK(text_of(many, 16).size() == 19);
  CHECK(text_of(shown_matrix{2, many}, 4) == "123 123");
  CHECK(text_of(std::string(100, 'a'), 16).size() == 16);
}

TEST_CASE("a chart keeps a long value once, however many names and steps there are",
          "[value_chart]") {
  constexpr std::uint64_t steps = 1000;
  constexpr int processors = 16;
  shown_log log;
  for (int rank = 0; rank < processors; ++rank)
    for (std::uint64_t step = 0; step <= steps; ++step) {
      log.shown({.rank = rank,
                 .step = step,
                 .name = "keys",
                 .value = shown_numbers(std::vector<std::uint64_t>(500, step))});
      log.shown({.rank = rank, .step = step, .name = fmt::format("at {} of {}", step, rank)});
    }
  auto const made =
      values_of(std::move(log), hypercube(4), {.steps = {1, steps}, .last_step = steps});
  auto const text = as_text(made);
  CHECK(made.names.size() == 1 + processors * (steps + 1));
  CHECK(made.values.size() == processors * (steps + 1));
  CHECK(contains(text, " 7 7 7 7 7 7 7 .. "));
}

TEST_CASE("explain shows values, for people and for programs", "[value_chart]") {
  auto const [status, out] = explain({});
  CHECK(status == exit_status::all_right);
  CHECK(contains(out, "  3 11          3 5000 6000\n"));
  CHECK(contains(out, "correct    yes"));
  auto const json = nlohmann::json::parse(explain({.run = {.json = true}, .value = "ranks"}).out);
  CHECK(json.at("values").at("name") == "ranks");
  CHECK(json.at("values").at("steps").at("last") == 2);
  CHECK(json.at("values").at("rows").at(2).at("cells") == nlohmann::json{"", "2-3", "2-3"});
  CHECK_THROWS_AS(explain({.steps = {3, 9}}), usage_error);
}
