#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/expectation.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies.hpp>

#include "catch.hpp"

using lockstep::along;
using lockstep::claim;
using lockstep::comparison;
using lockstep::crossbar;
using lockstep::expectation;
using lockstep::hypercube;
using lockstep::machine;
using lockstep::problem_instance;
using lockstep::processor;
using lockstep::run_record;
using lockstep::steps;
using lockstep::takes;
using lockstep::torus;
using lockstep::words;

namespace {

/// On four processors: two steps, of 3 words and of 5, the second in a phase.
[[nodiscard]] run_record two_steps() {
  return machine{crossbar{4}}.run([](processor& me) {
    if (me.rank() == 0) me.send(1, std::vector<int>(3));
    if (me.rank() == 1) (void)me.receive<int>(0);
    me.phase("second");
    if (me.rank() == 2) me.send(3, std::vector<int>(5));
    if (me.rank() == 3) (void)me.receive<int>(2);
  });
}

/// Two messages cross the link 0 -> 1 of a ring in step 1, and one that waits arrives in step 2.
[[nodiscard]] run_record shared_link() {
  return machine{torus{{6}}}.run([](processor& me) {
    if (me.rank() == 0) me.send(2, std::vector<int>(4));
    if (me.rank() == 5) me.send(1, 7);
    if (me.rank() == 3) me.send(2, 8);
    if (me.rank() == 1) (void)me.receive<int>(5);
    if (me.rank() == 2) (void)me.receive<int>(0);
    if (me.rank() == 2) (void)me.receive<int>(3);
  });
}

[[nodiscard]] std::string report_of(run_record const& run, expectation const& expected) {
  auto const found = expected.check(run);
  CHECK_FALSE(found.holds);
  CHECK_FALSE(static_cast<bool>(found));
  auto const first_line_ends = found.report.find('\n');
  CHECK(found.report.substr(0, first_line_ends).find(lockstep::to_string(run.counts())) !=
        std::string::npos);
  return found.report.substr(first_line_ends + 1);
}

}  // namespace

TEST_CASE("an expectation that holds has an empty report", "[core][expectation]") {
  auto const run = two_steps();
  for (auto const& expected :
       {takes(steps(2)).words(8).contention_free(), takes(run.counts()),
        takes(steps(2))
            .rounds(2)
            .startups(2)
            .volume(8)
            .messages(2)
            .hops(2)
            .rearranged(0)
            .serialised_steps(2),
        lockstep::steps_at_most(2), lockstep::words_at_most(9), lockstep::queued_at_most(0),
        lockstep::contention_free(), lockstep::uses_memory_at_most(0),
        lockstep::sent_at_most_words_per_processor(5),
        lockstep::received_at_most_words_per_processor(5),
        expectation().in_phase("second", {steps(1), words(5)}), expectation(),
        takes(lockstep::exactly("barriers", 1)).at_most("queued", 0) && takes(words(8))}) {
    INFO(expected.text());
    auto const found = expected.check(run);
    CHECK(found.holds);
    CHECK(found.report.empty());
    CHECK(expected.match(run));
    CHECK(expected.toString() == expected.text());
    CHECK_NOTHROW(require(run, expected));
  }
}

TEST_CASE("expectations are written as text", "[core][expectation]") {
  CHECK(takes(steps(8)).words(576).contention_free().text() ==
        "takes steps = 8, words = 576, contention <= 1");
  CHECK(lockstep::sent_at_most_words_per_processor(3).in_phase("a", {steps(1)}).text() ==
        "takes words sent by a processor <= 3, in phase \"a\" steps = 1");
  CHECK(lockstep::matches(claim{"steps", "log p", 3, comparison::at_most}).text() ==
        "takes steps <= log p");
}

TEST_CASE("the report begins with the counts and the network", "[core][expectation]") {
  auto const run = two_steps();
  CHECK(takes(steps(3)).check(run).report.starts_with("counted on crossbar:4: steps 2, rounds 2,"));
}

TEST_CASE("too many steps: the first one that ought not to be", "[core][expectation]") {
  CHECK(report_of(two_steps(), takes(steps(1))) ==
        "steps: 2, instead of 1\n"
        "  after step 1 come in, in step 2 (phase \"second\"):\n"
        "    2 -> 3: 5 words\n");
  CHECK(report_of(two_steps(), lockstep::steps_at_most(0)) ==
        "steps: 2, more than 0\n"
        "  after step 0 come in, in step 1:\n"
        "    0 -> 1: 3 words\n");
}

TEST_CASE("too few steps: the report has the last step, and the processors idle in it",
          "[core][expectation]") {
  CHECK(report_of(two_steps(), takes(steps(3))) ==
        "steps: 2, instead of 3\n"
        "  the last message comes in during step 2 (phase \"second\"):\n"
        "    2 -> 3: 5 words\n"
        "  idle in it: processors 0, 1\n");
  auto const nothing = machine{crossbar{2}}.run([](processor&) {});
  CHECK(report_of(nothing, takes(steps(1))) ==
        "steps: 0, instead of 1\n  no message came in at all\n");
}

TEST_CASE("rounds are steps with empty messages", "[core][expectation]") {
  auto const run = machine{crossbar{2}}.run([](processor& me) {
    if (me.rank() == 0) me.send(1, std::vector<int>{});
    if (me.rank() == 1) (void)me.receive<int>(0);
  });
  CHECK(report_of(run, takes(lockstep::rounds(0))) ==
        "rounds: 1, instead of 0\n"
        "  after step 0 come in, in step 1:\n"
        "    0 -> 1: 0 words\n");
}

TEST_CASE("sums: the report has the step that exceeds the expectation", "[core][expectation]") {
  auto const run = two_steps();
  for (std::string const figure : {"words", "volume"}) {
    CHECK(report_of(run, expectation().at_most(figure, 7)) ==
          figure + ": 8, more than 7\n  step 2 (phase \"second\") takes " + figure +
              " from 3 to 8:\n    2 -> 3: 5 words\n");
    CHECK(report_of(run, expectation().exactly(figure, 9)) ==
          figure +
              ": 8, instead of 9\n  step 2 (phase \"second\") is the last that adds to it, "
              "up to 8:\n    2 -> 3: 5 words\n");
  }
  CHECK(report_of(run, takes(lockstep::startups(1))) ==
        "startups: 2, instead of 1\n"
        "  step 2 (phase \"second\") takes startups from 1 to 2:\n"
        "    2 -> 3: 5 words\n");
  CHECK(report_of(run, expectation().rearranged(2)) == "rearranged: 0, instead of 2\n");
}

TEST_CASE("contention: the link, and the messages on it by their ways", "[core][expectation]") {
  CHECK(report_of(shared_link(), lockstep::contention_free()) ==
        "contention: 2, more than 1\n"
        "  in step 1 the link 0 -> 1 carries 2 messages:\n"
        "    5 -> 1: 1 word over 5 -> 0 -> 1\n"
        "    0 -> 2: 4 words over 0 -> 1 -> 2\n"
        "note: messages share links, up to 2 in a step; where they take turns: steps 3, words 6\n");
}

TEST_CASE("queues: the report has the messages that wait", "[core][expectation]") {
  CHECK(report_of(shared_link(), lockstep::queued_at_most(0)) ==
        "queued: 1, more than 0\n"
        "  after a wait, these messages come in during step 2:\n"
        "    3 -> 2: 1 word, sent in step 1\n"
        "note: messages share links, up to 2 in a step; where they take turns: steps 3, words 6\n");
}

TEST_CASE("ports: which processor, and when", "[core][expectation]") {
  auto const run = machine{crossbar{4}}.run([](processor& me) {
    for (int to = 1; to < 4; ++to) {
      if (me.rank() == 0) me.send(to, std::vector<int>(2));
      if (me.rank() == to) (void)me.receive<int>(0);
    }
  });
  CHECK(report_of(run, lockstep::sent_at_most_words_per_processor(3)) ==
        "words sent by a processor: 6, more than 3\n"
        "  processor 0: 6 words\n"
        "  processor 0 passes 3 in step 2, with\n"
        "    0 -> 2: 2 words\n");
  CHECK(report_of(run, lockstep::received_at_most_words_per_processor(1)) ==
        "words received by a processor: 2, more than 1\n"
        "  processor 1: 2 words, processor 2: 2 words, processor 3: 2 words\n"
        "  processor 1 passes 1 in step 1, with\n"
        "    0 -> 1: 2 words\n");
}

TEST_CASE("memory: which processors", "[core][expectation]") {
  auto const run = machine{crossbar{2}}.run([](processor& me) {
    std::pmr::vector<double> const mine(static_cast<std::size_t>(10 * (me.rank() + 1)),
                                        me.memory());
    return mine.size();
  });
  CHECK(lockstep::uses_memory_at_most(20).check(run).holds);
  CHECK(report_of(run, lockstep::uses_memory_at_most(19)) ==
        "memory: 20, more than 19\n  processor 1: 20 words\n");
}

TEST_CASE("phases are found by name", "[core][expectation]") {
  auto const run = two_steps();
  CHECK(report_of(run, expectation().in_phase("second", {steps(2), words(5)})) ==
        "phase \"second\", from step 2 on: steps: 1, instead of 2\n"
        "  the last message comes in during step 2 (phase \"second\"):\n"
        "    2 -> 3: 5 words\n"
        "  idle in it: processors 0, 1\n");
  CHECK(report_of(run, expectation().in_phase("second", {words(4)})) ==
        "phase \"second\", from step 2 on: words: 5, instead of 4\n"
        "  step 2 (phase \"second\") takes words from 0 to 5:\n"
        "    2 -> 3: 5 words\n");
  CHECK(report_of(run, expectation().in_phase("third", {steps(2)})) ==
        "phase \"third\" does not occur; the run has \"second\"\n");
}

TEST_CASE("claims are checked where the run was", "[core][expectation]") {
  claim const log_p{"steps", "log2 p", [](problem_instance const& at) { return std::log2(at.p()); },
                    comparison::equal, "page 1"};
  claim const of_m{"words", "2m", [](problem_instance const& at) { return 2 * at["m"]; },
                   comparison::at_most};
  auto const run = two_steps();
  CHECK(lockstep::matches(log_p).check(run).holds);
  CHECK(lockstep::matches({log_p, of_m}, {{"m", 4}}).check(run).holds);
  CHECK(report_of(run, lockstep::matches(of_m, {{"m", 3}})) ==
        "words: 8, more than 6 = 2m\n"
        "  step 2 (phase \"second\") takes words from 3 to 8:\n"
        "    2 -> 3: 5 words\n");
  auto wrong = log_p;
  wrong.value = [](problem_instance const& at) { return at.p() / 4; };
  wrong.erratum = "made for p = 8";
  CHECK(report_of(run, lockstep::matches(wrong)) ==
        "steps: 2, instead of 1 = log2 p (page 1)\n"
        "  known: made for p = 8\n"
        "  after step 1 come in, in step 2 (phase \"second\"):\n"
        "    2 -> 3: 5 words\n");
  CHECK_THROWS_AS(lockstep::matches(of_m).check(run), lockstep::invalid_argument);
  claim timed{.figure = "time", .formula = "tau", .value = 16, .bound = comparison::at_most};
  timed.model = lockstep::block_distributed_model{.tau_words = 10};
  CHECK(report_of(run, lockstep::matches(timed)) == "time: 28, more than 16 = tau\n");
}

TEST_CASE("a claim that a run does not decide does not match", "[core][expectation]") {
  auto const run = two_steps();
  claim order{"words", "2m", [](problem_instance const& at) { return 2 * at["m"]; },
              comparison::order};
  CHECK(report_of(run, lockstep::matches(order, {{"m", 4}})) ==
        "words: 8, order 2m: decides nothing, one size decides nothing\n");
  order.bound = comparison::at_most;
  order.where = {{"m >= 5", [](problem_instance const& at) { return at["m"] >= 5; }}};
  CHECK(report_of(run, lockstep::matches(order, {{"m", 4}})) ==
        "words: 8, <= 2m: outside the claim, made for m >= 5\n");
  CHECK(lockstep::matches(order, {{"m", 5}}).check(run).holds);
}

TEST_CASE("lists of messages and processors are cut short", "[core][expectation]") {
  auto const run = machine{crossbar{30}}.run([](processor& me) {
    if (me.rank() < 10)
      me.send(me.rank() + 10, 1);
    else if (me.rank() < 20)
      (void)me.receive<int>(me.rank() - 10);
  });
  CHECK(report_of(run, takes(steps(2))) ==
        "steps: 1, instead of 2\n"
        "  the last message comes in during step 1:\n"
        "    0 -> 10: 1 word\n    1 -> 11: 1 word\n    2 -> 12: 1 word\n    3 -> 13: 1 word\n"
        "    4 -> 14: 1 word\n    5 -> 15: 1 word\n    6 -> 16: 1 word\n    7 -> 17: 1 word\n"
        "    and 2 more\n"
        "  idle in it: processors 20, 21, 22, 23, 24, 25, 26, 27 and 2 more\n");
}

TEST_CASE("long ways are cut short", "[core][expectation]") {
  auto const run = machine{torus{{40}}}.run([](processor& me) {
    if (me.rank() == 0) me.send(along{0, 12}, 1);
    if (me.rank() == 12) (void)me.receive<int>(0);
  });
  CHECK(report_of(run, takes(lockstep::hops(4))) ==
        "hops: 12, instead of 4\n"
        "  step 1 takes hops from 0 to 12:\n"
        "    0 -> 12: 1 word over 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> ... -> 12\n");
}

TEST_CASE("messages that were not kept are missed by name", "[core][expectation]") {
  auto const run = machine{crossbar{2}}.run([](processor& me) {
    for (int step = 0; step < 20'000; ++step) (void)me.exchange(1 - me.rank(), step);
  });
  REQUIRE(run.steps_kept() < 20'000);
  CHECK(report_of(run, takes(steps(19'999))) ==
        "steps: 20000, instead of 19999\n"
        "  after step 19999 come in, in step 20000:\n"
        "    its messages were not kept (those of steps 1 to " +
            std::to_string(run.steps_kept()) +
            " are); give `run` an observer,\n"
            "    such as csv_trace, which sees those of step 20000, too\n");
}

TEST_CASE("a record that no machine made is checked by its counts", "[core][expectation]") {
  run_record const made({.steps = 3, .words = 4, .contention = 2}, {}, {}, {});
  CHECK(takes(steps(3)).check(made).holds);
  CHECK(report_of(made, takes(steps(2)).words(3).contention_free()) ==
        "steps: 3, instead of 2\n"
        "  the last message comes in during step 3:\n"
        "    its messages were not kept (none are); give `run` an observer,\n"
        "    such as csv_trace, which sees those of step 3, too\n"
        "words: 4, instead of 3\n"
        "  no step adds to it\n"
        "contention: 2, more than 1\n"
        "  no message came in at all\n"
        "note: messages share links, up to 2 in a step; where they take turns: steps 3, words 4\n");
}

TEST_CASE("without a framework a run that is not as expected throws", "[core][expectation]") {
  auto const run = two_steps();
  auto const expected = takes(steps(1));
  CHECK_THROWS_AS(require(run, expected), lockstep::expectation_failed);
  try {
    require(run, expected);
  } catch (lockstep::error const& failed) {
    CHECK(failed.message() == "takes steps = 1\n" + expected.check(run).report);
  }
}

TEST_CASE("a matcher shows the report on the last run it was asked about", "[core][expectation]") {
  auto const expected = takes(steps(2));
  CHECK(expected.match(two_steps()));
  CHECK_FALSE(expected.match(machine{crossbar{2}}.run([](processor&) {})));
  CHECK(expected.toString().starts_with("takes steps = 2\ncounted on crossbar:2: steps 0,"));
  CHECK(expected.match(two_steps()));
  CHECK(expected.toString() == "takes steps = 2");
}

TEST_CASE("names that are not figures are refused at once", "[core][expectation]") {
  CHECK_THROWS_AS(takes(lockstep::exactly("step", 1)), lockstep::invalid_argument);
  CHECK_THROWS_AS(takes(steps(1)).at_most("word", 1), lockstep::invalid_argument);
  CHECK_THROWS_AS(expectation().in_phase("a", {{"hop", 1}}), lockstep::invalid_argument);
  CHECK_THROWS_AS(takes({"steps", 1, comparison::order}), lockstep::invalid_argument);
  CHECK_THROWS_AS(expectation().in_phase("a", {{"hops", 1, comparison::order}}),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::matches(claim{"bins", "n", 1}), lockstep::invalid_argument);
}

TEST_CASE("steps of a phase are counted from its beginning", "[core][expectation]") {
  auto const run = machine{crossbar{2}}.run([](processor& me) {
    (void)me.exchange(1 - me.rank(), 0);
    me.phase("twice");
    for (int round = 0; round < 2; ++round) (void)me.exchange(1 - me.rank(), round);
  });
  CHECK(report_of(run, expectation().in_phase("twice", {steps(1)})) ==
        "phase \"twice\", from step 2 on: steps: 2, instead of 1\n"
        "  after step 2 come in, in step 3 (phase \"twice\"):\n"
        "    1 -> 0: 1 word\n"
        "    0 -> 1: 1 word\n");
}

TEST_CASE("too many serialised steps: the link that is shared", "[core][expectation]") {
  auto const run = machine{torus{{16}}}.run([](processor& me) {
    if (me.rank() == 0 || me.rank() == 1) me.send(me.rank() + 2, 7);
    if (me.rank() == 2 || me.rank() == 3) (void)me.receive<int>(me.rank() - 2);
    if (me.rank() == 8) me.send(15, 7);  // over seven links, and in nobody's way
    if (me.rank() == 15) (void)me.receive<int>(8);
  });
  CHECK(report_of(run, expectation().serialised_steps(1)) ==
        "serialised_steps: 2, instead of 1\n"
        "  step 1 takes serialised_steps from 0 to 2:\n"
        "  in step 1 the link 1 -> 2 carries 2 messages:\n"
        "    0 -> 2: 1 word over 0 -> 1 -> 2\n"
        "    1 -> 3: 1 word over 1 -> 2 -> 3\n"
        "note: messages share links, up to 2 in a step; where they take turns: steps 2, words 2\n");
}

TEST_CASE("pipelined rounds pay in their first step, and the report says so",
          "[core][expectation]") {
  auto const run = machine{crossbar{2}}.run([](processor& me) {
    me.pipelined([&] {
      (void)me.exchange(1 - me.rank(), 1);
      (void)me.exchange(1 - me.rank(), std::vector<int>(5));
    });
  });
  CHECK(report_of(run, takes(words(5))) ==
        "words: 6, instead of 5\n"
        "  step 1 takes words from 0 to 6, for all pipelined rounds that begin in it:\n"
        "    1 -> 0: 1 word\n"
        "    0 -> 1: 1 word\n");
}

TEST_CASE("an expectation that is extended forgets earlier reports", "[core][expectation]") {
  auto const expected = takes(steps(9));
  CHECK_FALSE(expected.match(two_steps()));
  CHECK(expected.words(4).toString() == "takes steps = 9, words = 4");
  CHECK((expected && takes(words(4))).toString() == "takes steps = 9, words = 4");
}
