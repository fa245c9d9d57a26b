#include "explain/busiest_text.hpp"

#include <string>
#include <utility>
#include <vector>

#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "../catch.hpp"
#include "contains.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::cli;

/// Messages to processor 1 of a tree of 7, from these in turn; `words` in each.
in_port_chart chart_of_one(std::vector<int> const& senders, ports with = ports::one,
                           std::uint64_t words = 1, std::vector<int> const& ranks = {}) {
  static binary_tree const tree(3);
  in_port_log log(tree.size(), {}, ranks, 1000);
  std::uint64_t step = 0;
  for (int const from : senders)
    log.message({.step = ++step,
                 .sent = step,
                 .from = from,
                 .to = 1,
                 .words = words,
                 .hops = 1,
                 .pass = from == 3 ? 1 : 0});
  return chart_of(log, tree, with, ranks);
}

experiment_result run_with(std::uint64_t steps, std::vector<claim> claims) {
  counts const measured{.steps = steps};
  return {.record = run_record(measured, {}, {}, {}), .correct = true, .claims = std::move(claims)};
}

claim steps_of(double value, comparison bound = comparison::at_most, std::string erratum = "") {
  return {.figure = "steps",
          .formula = "2k",
          .value = value,
          .bound = bound,
          .source = "a paper, 1",
          .erratum = std::move(erratum)};
}

/// The text on one line.
std::string one_line_about(in_port_chart const& chart,
                           experiment_result const& result = run_with(9, {})) {
  auto text = about_busiest(chart, result);
  for (auto& one : text)
    if (one == '\n') one = ' ';
  return text;
}

}  // namespace

TEST_CASE("the busiest in-port, what it took in and when", "[busiest_text]") {
  auto const text = one_line_about(chart_of_one({3, 0, 2, 3, 0, 2, 3, 0, 2}));
  CHECK(contains(text,
                 "The busiest in-port is that of processor 1: 9 words in 9 steps, 3 from each of "
                 "parent, left child and right child. "));
  CHECK(contains(text,
                 "From step 1 to step 9 (=) it is never idle: plr over and over, and no round can "
                 "take in its 3 words in less than 3 steps."));
  CHECK(contains(
      text,
      "One word comes in through an in-port in a step. So every program that sends "
      "processor 1 these 9 words takes 9 steps or more, in whatever order it sends them."));
  CHECK(contains(text, "a separate argument."));
}

TEST_CASE("shares that differ, and no rounds", "[busiest_text]") {
  auto const text = one_line_about(chart_of_one({0, 0, 2, 3}), run_with(4, {}));
  CHECK(contains(text,
                 "4 words in 4 steps, 2 from left child, 1 from right child and 1 from "
                 "parent. From step 1 to step 4 it is never idle."));
  CHECK(contains(one_line_about(chart_of_one({0})),
                 "1 word in 1 step, 1 from left child.  One word"));
}

TEST_CASE("messages of several words are called messages", "[busiest_text]") {
  auto const text = one_line_about(chart_of_one({0, 2}, ports::one, 5));
  CHECK(contains(text, "2 messages in 2 steps"));
  CHECK(contains(text, "One message comes in"));
  CHECK(contains(text, "these 2 messages takes 2 steps or more"));
}

TEST_CASE("other ports, other bounds", "[busiest_text]") {
  auto const all = one_line_about(chart_of_one({0, 2, 3, 0}, ports::all));
  CHECK(contains(all, "Processor 1 takes in most: 4 words in 4 steps"));
  CHECK(contains(all,
                 "With all ports one word comes in over each of its 3 links in a step. So "
                 "every program that sends processor 1 these 4 words takes 2 steps or more"));
  auto const passes = one_line_about(chart_of_one({0, 2, 3, 0}, ports::per_pass));
  CHECK(contains(passes,
                 "With a port for each pass, each pass brings in one word a step. So every "
                 "program that sends processor 1 the 3 words of pass 0 takes 3 steps"));
}

TEST_CASE("long rounds are counted, those of one word and of several ports told simply",
          "[busiest_text]") {
  std::vector<int> senders(28, 0);
  senders.push_back(2);
  auto const round = senders;
  for (int i = 0; i < 2; ++i) senders.insert(senders.end(), round.begin(), round.end());
  CHECK(contains(one_line_about(chart_of_one(senders)),
                 "(=) it is never idle: the same 29 steps over and over, and no round can take in "
                 "its 29 words in less than 29 steps."));
  CHECK(contains(one_line_about(chart_of_one({0, 0, 0})),
                 "(=) it is never idle: l over and over.  One"));
  CHECK(contains(one_line_about(chart_of_one({0, 2, 0, 2, 0, 2}, ports::all)),
                 "(=) it is never idle: lr over and over, a round in 2 steps."));
}

TEST_CASE("of passes that are not shown nothing is said", "[busiest_text]") {
  binary_tree const tree(2);
  in_port_log log(3, {2, 2}, {}, 1000);
  log.message({.step = 1, .sent = 1, .from = 0, .to = 1, .words = 1, .hops = 1});
  log.message({.step = 2, .sent = 2, .from = 1, .to = 0, .words = 0, .hops = 1});
  auto const text = one_line_about(chart_of(log, tree, ports::per_pass, {}));
  CHECK(text == "Processor 1 takes in most: 1 word in 2 steps. ");
}

TEST_CASE("processors that were chosen are compared with each other", "[busiest_text]") {
  CHECK(contains(one_line_about(chart_of_one({0, 2}, ports::one, 1, {1, 5})),
                 "Of these the busiest in-port is that of processor 1"));
  CHECK(contains(one_line_about(chart_of_one({0, 2}, ports::all, 1, {1, 5})),
                 "Of these processor 1 takes in most"));
}

TEST_CASE("others that are as busy are named, or counted", "[busiest_text]") {
  auto const everybody = [](int dimension, int missing) {
    hypercube const cube(dimension);
    in_port_log log(cube.size(), {}, {}, 1000);
    for (int rank = 0; rank < cube.size() - missing; ++rank)
      log.message({.step = 1, .sent = 1, .from = rank ^ 1, .to = rank, .words = 1, .hops = 1});
    return one_line_about(chart_of(log, cube, ports::one, {}));
  };
  CHECK(contains(everybody(3, 0),
                 "processor 3: 1 word in 1 step, 1 from dimension 0. All others "
                 "take in as many."));
  CHECK(contains(everybody(3, 4), "Processors 0, 2 and 3 take in as many."));
  CHECK(contains(everybody(1, 0), "Processor 1 takes in as many."));
  CHECK(contains(everybody(5, 4), "27 others take in as many."));
}

TEST_CASE("a claim that the run did not keep is compared with the load", "[busiest_text]") {
  auto const busy = chart_of_one({0, 2, 0, 2});
  auto const too_few =
      one_line_about(busy, run_with(6, {steps_of(3.5, comparison::at_most, "why")}));
  CHECK(contains(too_few,
                 "The claim (2k; a paper, 1) allows 3.5 steps, too few for these 4: no "
                 "program that sends it that many keeps the claim."));
  CHECK(contains(too_few, "a separate argument, such as the one under the claims."));
  auto const room = one_line_about(busy, run_with(6, {steps_of(4)}));
  CHECK(contains(room,
                 "allows 4 steps, room enough for these 4: at this size the busiest in-port "
                 "alone does not refute it, though this run takes 4."));
  CHECK(contains(room, "a separate argument."));
}

TEST_CASE("claims that hold, on other figures, or of an order are left alone", "[busiest_text]") {
  auto words = steps_of(1);
  words.figure = "words";
  auto const text = one_line_about(
      chart_of_one({0, 2}), run_with(6, {steps_of(6), steps_of(1, comparison::order), words}));
  CHECK_FALSE(contains(text, "The claim"));
}
