#include "explain/in_port_chart.hpp"
#include "contains.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "../catch.hpp"
#include "explain/in_port_text.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::cli;

struct came {
  std::uint64_t step;
  int from;
  int to;
  std::uint64_t words = 1;
  int pass = 0;
};

/// A chart of these messages.
in_port_chart chart(topology const& network, std::initializer_list<came> messages,
                    ports with = ports::one, std::vector<int> const& ranks = {},
                    step_range steps = {}, std::size_t most = 1000) {
  in_port_log log(network.size(), steps, ranks, most);
  for (auto const& one : messages)
    log.message({.step = one.step,
                 .sent = one.step,
                 .from = one.from,
                 .to = one.to,
                 .words = one.words,
                 .hops = static_cast<std::uint64_t>(network.hops(one.from, one.to)),
                 .pass = one.pass});
  return chart_of(log, network, with, ranks);
}

std::vector<std::string> cells_of(in_port_chart const& of) {
  std::vector<std::string> cells;
  cells.reserve(of.rows.size());
  for (auto const& row : of.rows) cells.push_back(row.cells);
  return cells;
}

std::vector<int> ranks_of(in_port_chart const& of) {
  std::vector<int> ranks;
  ranks.reserve(of.rows.size());
  for (auto const& row : of.rows) ranks.push_back(row.rank);
  return ranks;
}

/// The text on one line.
std::string line_of(in_port_chart const& of) {
  auto text = as_text(of);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

TEST_CASE("a chart has a row for each processor and a column for each step", "[in_port_chart]") {
  auto const made = chart(binary_tree(2), {{1, 0, 1}, {2, 2, 1}, {3, 1, 0}, {5, 1, 2, 7}});
  CHECK(cells_of(made) == std::vector<std::string>{"..p..", "lr...", "....p"});
  CHECK(made.steps == 5);
  CHECK(made.shown == step_range{1, 5});
  CHECK(made.rows[1].tally.words == 2);
  CHECK(made.rows[2].tally.words == 7);
  CHECK(made.rows[1].senders ==
        std::vector<std::vector<int>>{{0}, {2}, std::vector<int>{}, {}, {}});
  CHECK(made.legend ==
        std::vector<sender_mark>{{'l', "left child"}, {'r', "right child"}, {'p', "parent"}});
  REQUIRE(made.busiest);
  CHECK(made.busiest->row == 1);
  CHECK(made.busiest->as_busy.empty());
  CHECK(made.busiest->unbroken == step_range{1, 2});
  CHECK(made.busiest->bound == port_bound{.steps = 2});
}

TEST_CASE("several messages in a step are counted, or marked where digits are senders",
          "[in_port_chart]") {
  auto const tree =
      chart(binary_tree(2), {{1, 0, 1}, {1, 2, 1}, {2, 0, 1, 0}, {3, 1, 2}}, ports::all);
  CHECK(cells_of(tree) == std::vector<std::string>{"...", "2_.", "..p"});
  CHECK(contains(as_text(tree), "    2-9  that many at once"));
  CHECK(contains(line_of(tree), "_  an empty message "));
  CHECK(contains(line_of(tree), ".  nothing "));
  auto const cube = chart(hypercube(2), {{1, 1, 0}, {1, 2, 0}, {2, 1, 0}}, ports::all);
  CHECK(cells_of(cube)[0] == "+0");
  CHECK(contains(as_text(cube), "    +  several at once"));
  auto const ring = chart(torus({64}),
                          {{1, 1, 0},
                           {1, 2, 0},
                           {1, 3, 0},
                           {1, 4, 0},
                           {1, 5, 0},
                           {1, 6, 0},
                           {1, 7, 0},
                           {1, 8, 0},
                           {1, 9, 0},
                           {1, 10, 0}},
                          ports::all);
  CHECK(cells_of(ring)[0] == "+");
  CHECK(contains(as_text(ring), "    +  ten or more at once"));
}

TEST_CASE("an empty message makes a step busy, and carries no words", "[in_port_chart]") {
  auto const made = chart(binary_tree(2), {{1, 0, 1}, {2, 2, 1, 0}});
  CHECK(made.rows[1].tally ==
        in_port_tally{.words = 1, .messages = 1, .busy_steps = 2, .last_busy = 2});
  REQUIRE(made.busiest);
  CHECK(made.busiest->bound.steps == 1);
  REQUIRE(made.rows[1].shares.size() == 1);
  CHECK(made.rows[1].shares[0].messages == 1);
}

TEST_CASE("of processors that are as busy the middle one is pointed out", "[in_port_chart]") {
  auto const made = chart(hypercube(2), {{1, 1, 0}, {1, 0, 1}, {1, 3, 2}, {1, 2, 3}});
  REQUIRE(made.busiest);
  CHECK(made.busiest->row == 1);
  CHECK(made.busiest->as_busy == std::vector<int>{0, 2, 3});
}

TEST_CASE("with all ports or a port for each pass more arrives in a step", "[in_port_chart]") {
  auto const all = chart(
      binary_tree(3), {{1, 0, 1}, {1, 2, 1}, {1, 3, 1}, {2, 0, 1}, {2, 2, 1}, {3, 0, 1}, {3, 2, 1}},
      ports::all);
  REQUIRE(all.busiest);
  CHECK(all.busiest->bound == port_bound{.steps = 3, .links = 3});
  auto const passes = chart(binary_tree(2),
                            {{1, 1, 0, 1, 4},
                             {1, 0, 1, 1, 4},
                             {1, 2, 1, 1, 5},
                             {2, 1, 0, 1, 4},
                             {2, 0, 1, 1, 5},
                             {3, 0, 1, 0, 4}},
                            ports::per_pass);
  REQUIRE(passes.busiest);
  CHECK(passes.busiest->bound == port_bound{.steps = 2, .pass = 5});
}

TEST_CASE("a machine on which nothing is sent has nothing to show", "[in_port_chart]") {
  for (auto const& made : {chart(binary_tree(1), {}), chart(binary_tree(2), {{1, 0, 1, 0}})}) {
    CHECK_FALSE(made.busiest);
    CHECK(as_text(made) == "No words came in anywhere: there is nothing to show.\n");
    CHECK(as_json(made).at("busiest").is_null());
  }
}

TEST_CASE("of a large network those processors are shown that take in most", "[in_port_chart]") {
  auto const made = chart(crossbar(100), {{1, 0, 7}, {1, 0, 50}, {2, 0, 50}, {1, 0, 99}});
  auto const ranks = ranks_of(made);
  CHECK(ranks.size() == processors_shown_of_many);
  CHECK(ranks.front() == 7);
  CHECK(ranks.back() == 99);
  CHECK(made.busiest->row == 1 + 50 - 35);  // 7, then 35 to 64, then 99
  CHECK(contains(as_text(made), "32 of 100 processors that take in most; --processors"));
  CHECK(ranks_of(chart(crossbar(64), {{1, 0, 1}})).size() == 64);
}

TEST_CASE("chosen processors and steps are shown, and their busiest", "[in_port_chart]") {
  auto const made = chart(crossbar(100), {{1, 0, 7}, {2, 3, 9}, {3, 0, 7}, {4, 9, 7}, {4, 0, 50}},
                          ports::one, {7, 9, 10}, {2, 3});
  CHECK(ranks_of(made) == std::vector<int>{7, 9, 10});
  CHECK(cells_of(made) == std::vector<std::string>{".0", "3.", ".."});
  CHECK(made.steps == 4);
  CHECK(made.rows[0].tally.words == 3);
  CHECK(made.busiest->bound.steps == 3);
  auto const text = line_of(made);
  CHECK(contains(text, "Steps 2 to 3 of 4; --steps FROM-TO shows others."));
  CHECK(contains(text, "3 of 100 processors; --processors LIST shows"));
  CHECK(contains(text, "0-9, a-z, A-Z  the sender's rank (a is 10)    .  nothing "));
}

TEST_CASE("messages that are too many to keep cut the chart short", "[in_port_chart]") {
  auto const made = chart(binary_tree(2), {{1, 0, 1}, {2, 2, 1}, {3, 1, 0}, {4, 1, 2}}, ports::one,
                          {}, {1, 2000}, 2);
  CHECK(cells_of(made) == std::vector<std::string>{"..", "lr", ".."});
  CHECK(contains(as_text(made), "Steps 1 to 2 of 4: there is room for more steps of"));
}

TEST_CASE("where not even a step can be kept none is shown", "[in_port_chart]") {
  auto const made = chart(binary_tree(2), {{1, 1, 0}, {1, 1, 2}}, ports::all, {}, {1, 2000}, 1);
  CHECK(made.rows.size() == 3);
  CHECK(cells_of(made)[0].empty());
  CHECK(contains(as_text(made), "No step of 1: there is room for more steps of fewer processors"));
  CHECK(made.busiest->bound.steps == 1);
}

TEST_CASE("a chart's rows have the network's labels, and its note", "[in_port_chart]") {
  auto const on_tree = chart(binary_tree(2), {{1, 1, 0}});
  CHECK(on_tree.rows[0].label == "  0");
  CHECK(on_tree.rows[1].label == "1");
  CHECK(contains(as_text(on_tree), "by where it came from (the tree lies on its side):\n"));
  auto const on_torus = chart(torus({2, 3}), {{1, 1, 0}});
  CHECK(on_torus.rows[5].label == "5 (1,2)");
  CHECK(contains(as_text(on_torus), "by where it came from:\n"));
}

TEST_CASE("long charts go on in blocks under their step numbers", "[in_port_chart][sanitize]") {
  binary_tree const tree(2);
  in_port_log log(3, {}, {}, 1000);
  for (std::uint64_t step = 1; step <= 130; ++step)
    log.message({.step = step, .from = step % 2 == 0 ? 2 : 0, .to = 1, .words = 1, .hops = 1});
  auto const text = as_text(chart_of(log, tree, ports::one, {}));
  CHECK(contains(text,
                 "\n  processor  1        10        20        30        40        50        60\n"));
  CHECK(contains(text,
                 "\n  processor  71       80        90        100       110       120          "
                 "words  busy\n"));
  CHECK(contains(text, "\n> 1          lrlrlr"));
  CHECK(contains(text, "lrlr    130  100%\n"));
  std::size_t start = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    CHECK(end - start <= 100);
    CHECK((end == start || text[end - 1] != ' '));
    start = end + 1;
  }
}

TEST_CASE("messages of several words have a column of their own", "[in_port_chart]") {
  auto const text = as_text(chart(binary_tree(2), {{1, 0, 1, 5}, {2, 2, 1, 5}}));
  CHECK(contains(text, "  processor  1   messages  words  busy\n"));
  CHECK(contains(text, "> 1          lr         2     10  100%\n"));
}

TEST_CASE("numbers of words stand in columns as wide as the largest", "[in_port_chart]") {
  auto const made =
      chart(binary_tree(2), {{1, 1, 0, 0}, {2, 0, 1, 5}, {2, 2, 1, 120}, {3, 1, 2}}, ports::all);
  auto const text = as_text(made, cell_content::words);
  CHECK(contains(text, "How many words came in at each processor in each step"));
  CHECK(contains(text, "  processor     1   2   3"));
  CHECK(contains(text, "    0           _   .   .  "));
  CHECK(contains(text, "> 1             . 125   .  "));
  CHECK(contains(text, "    2           .   .   1  "));
  CHECK(contains(text, "_  an empty message    .  nothing"));
  CHECK_FALSE(contains(text, "left child"));
}

TEST_CASE("a chart shows the phases in which messages came in", "[in_port_chart]") {
  std::vector<phase_record> phases(4);
  phases[0] = {{.rounds = 2}, "first", 1, 0};
  phases[1] = {{.rounds = 0}, "without a message", 3, 0};
  phases[2] = {{.rounds = 1}, "second", 3, 0};
  phases[3] = {{.rounds = 4}, "third", 4, 0};
  run_record const record({}, phases, {}, {});
  CHECK(phases_in(record, {2, 6}) ==
        std::vector<phase_columns>{{"first", {2, 2}}, {"second", {3, 3}}, {"third", {4, 6}}});
  CHECK(phases_in(record, {5, 6}) == std::vector<phase_columns>{{"third", {5, 6}}});
  auto made = chart(binary_tree(2), {{1, 1, 0}, {2, 1, 0}, {3, 1, 0}});
  made.phases = {{"first", {1, 2}}, {"second", {3, 3}}};
  CHECK(contains(as_text(made), "\n             first\n             | second\n  processor  1"));
}

TEST_CASE("the steady state is marked under the busiest row", "[in_port_chart]") {
  auto const text =
      as_text(chart(binary_tree(2), {{1, 1, 0}, {2, 0, 1}, {3, 0, 1}, {4, 0, 1}, {6, 0, 1}}));
  CHECK(contains(text, "\n> 1          .lll.l      4   67%\n              ===\n"));
}

TEST_CASE("for programs a chart has the senders of each step", "[in_port_chart]") {
  auto const json = as_json(
      chart(binary_tree(2), {{1, 0, 1}, {1, 2, 1, 3}, {2, 0, 1}, {3, 0, 1}, {4, 0, 1}, {5, 1, 2}},
            ports::all));
  CHECK(json.at("ports") == "all");
  CHECK(json.at("steps") == 5);
  CHECK(json.at("shown") == nlohmann::ordered_json::parse(R"({"first": 1, "last": 5})"));
  CHECK(json.at("busiest") == nlohmann::ordered_json::parse(R"({"processor": 1, "as_busy": 0,
      "unbroken": {"first": 1, "last": 4}, "steady": {"first": 2, "last": 4, "round": "l"},
      "least_steps": 3})"));
  CHECK(json.at("rows").size() == 3);
  CHECK(json.at("rows").at(1) == nlohmann::ordered_json::parse(R"({"processor": 1, "words": 7,
      "messages": 5, "busy_steps": 4, "cells": "2lll.", "senders": [[0, 2], [0], [0], [0], []],
      "from": [{"mark": "l", "name": "left child", "messages": 4, "words": 4},
               {"mark": "r", "name": "right child", "messages": 1, "words": 3}]})"));
}
