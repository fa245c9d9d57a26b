// The words where messages that share a link take turns.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#define LOCKSTEP_MANY_WORKERS_IN_TESTS  // of which the other sources have tests
#include <lockstep/catch2.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/expectation.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/mesh.hpp>

#include "catch.hpp"

using lockstep::machine;
using lockstep::mesh;
using lockstep::processor;

namespace {

std::vector<int> words(std::uint64_t count) { return std::vector<int>(count); }

/// A message from one processor to another, and its words.
struct sent_words {
  int from;
  int to;
  std::uint64_t words;
};

/// Sends these messages, each processor its own in this order.
void send_all(processor& me, std::vector<sent_words> const& messages) {
  for (auto const& one : messages)
    if (one.from == me.rank()) me.send(one.to, words(one.words));
  for (auto const& one : messages)
    if (one.to == me.rank()) (void)me.receive<int>(one.from);
}

lockstep::run_of<void> run_on_line(std::vector<sent_words> const& messages) {
  return machine{mesh{{6}}}.run([&](processor& me) { send_all(me, messages); });
}

}  // namespace

TEST_CASE("link words: messages of one step add up on the link that they share", "[core][links]") {
  auto const equal = run_on_line({{0, 3, 4}, {1, 4, 4}, {2, 5, 4}}).counts();
  CHECK(equal.contention == 3);
  CHECK(equal.words == 4);
  CHECK(equal.link_words == 12);
  auto const unequal = run_on_line({{0, 2, 5}, {1, 3, 7}, {4, 5, 9}}).counts();
  CHECK(unequal.contention == 2);
  CHECK(unequal.words == 9);
  CHECK(unequal.link_words == 12);
  auto const largest_alone = run_on_line({{0, 2, 2}, {1, 3, 3}, {4, 5, 9}}).counts();
  CHECK(largest_alone.contention == 2);
  CHECK(largest_alone.link_words == 9);
}

TEST_CASE("link words: a message that shares no link counts its words", "[core][links]") {
  auto const apart = run_on_line({{0, 2, 5}, {2, 4, 3}, {4, 5, 9}, {5, 3, 8}}).counts();
  CHECK(apart.contention == 1);
  CHECK(apart.link_words == apart.words);
  auto const empty = run_on_line({{0, 2, 5}, {1, 3, 0}}).counts();
  CHECK(empty.link_words == 5);
}

TEST_CASE("link words: partners stay while the words of their messages change", "[core][links]") {
  std::vector<std::uint64_t> const first{1, 2, 3, 3, 5};
  std::vector<std::uint64_t> const second{3, 1, 2, 2, 4};
  std::vector<sent_words> all;
  for (std::size_t at = 0; at < first.size(); ++at) {
    all.push_back({0, 2, first[at]});
    all.push_back({1, 3, second[at]});
  }
  auto const run = run_on_line(all);
  REQUIRE(run.steps().size() == 5);
  for (std::size_t at = 0; at < first.size(); ++at)
    CHECK(run.steps()[at].link_words == first[at] + second[at]);
  CHECK(run.counts().words == 3 + 2 + 3 + 3 + 5);
  CHECK(run.counts().link_words == 4 + 3 + 5 + 5 + 9);
}

TEST_CASE("link words: words that do not fit into 32 bits are counted", "[core][links]") {
  auto const run = machine{mesh{{4}}, {.packet = std::uint64_t{1} << 32}}.run([](processor& me) {
    send_all(me, {{0, 2, 1}, {1, 3, 1}, {0, 2, 1}, {1, 3, 1}});
  });
  CHECK(run.counts().words == std::uint64_t{2} << 32);
  CHECK(run.counts().link_words == std::uint64_t{4} << 32);
}

TEST_CASE("link words: a pipelined run counts those of a link over all its steps",
          "[core][links]") {
  std::vector<sent_words> const messages{{0, 2, 5}, {1, 3, 4}};
  auto const pipelined = machine{mesh{{4}}}.run([&](processor& me) {
    me.phase("run");
    me.pipelined([&] {
      if (me.rank() == 1) me.idle();  // so that the second comes in a step later
      send_all(me, messages);
    });
    me.phase("after");
    send_all(me, messages);
  });
  auto const& phases = pipelined.phases();
  CHECK(phases[0].contention == 1);
  CHECK(phases[0].words == 5);
  CHECK(phases[0].link_words == 9);  // over 1 -> 2
  CHECK(phases[1].contention == 2);
  CHECK(phases[1].link_words == 9);
  CHECK(pipelined.counts().words == 10);
  CHECK(pipelined.counts().link_words == 18);
}

TEST_CASE("link words: a strict machine counts those of a pipelined run, too", "[core][links]") {
  auto const run = machine{mesh{{4}}, {.strict = true}}.run([](processor& me) {
    me.pipelined([&] {
      if (me.rank() == 0) me.send(2, words(5));
      if (me.rank() == 2) (void)me.receive<int>(0);
      me.barrier();
      if (me.rank() == 1) me.send(3, words(4));
      if (me.rank() == 3) (void)me.receive<int>(1);
    });
  });
  CHECK(run.counts().words == 5);
  CHECK(run.counts().link_words == 9);
  CHECK(
      lockstep::takes(lockstep::words(5)).check(run).report ==
      "note: messages share links, in the time of a pipelined run; where they take turns: steps 2, "
      "words 9\n");
}

TEST_CASE("link words: pipelined runs one after the other count apart", "[core][links]") {
  for (bool const strict : {false, true}) {
    auto const run = machine{mesh{{4}}, {.strict = strict}}.run([](processor& me) {
      for (int again = 0; again < 20; ++again)
        me.pipelined([&] { send_all(me, {{0, 2, 2}, {3, 1, 3}}); });
    });
    CHECK(run.counts().words == 20 * 3);
    CHECK(run.counts().link_words == 20 * 3);
  }
}

TEST_CASE("link words: a run that shares no link has its words", "[core][links]") {
  auto const run = machine{lockstep::crossbar{4}}.run([](processor& me) {
    me.pipelined([&] {
      for (int other = 0; other < 4; ++other)
        if (other != me.rank()) me.send(other, words(3));
      for (int other = 0; other < 4; ++other)
        if (other != me.rank()) (void)me.receive<int>(other);
    });
  });
  CHECK(run.counts().words == 9);
  CHECK(run.counts().link_words == 9);
  CHECK_FALSE(lockstep::shares_links(run.counts()));
}

TEST_CASE("link words: the price with turns has them in place of words", "[core][links]") {
  auto const run = run_on_line({{0, 3, 4}, {1, 4, 4}, {2, 5, 4}});
  struct words_and_steps {
    [[nodiscard]] static std::string_view name() { return "words and steps"; }
    [[nodiscard]] static std::string_view unit() { return "units"; }
    [[nodiscard]] static double time(lockstep::counts const& of, int /*processors*/) {
      return static_cast<double>(of.words + 100 * of.steps);
    }
  };
  CHECK(lockstep::shares_links(run.counts()));
  CHECK(run.time(words_and_steps{}) == 104);
  CHECK(run.time_with_turns_on_links(words_and_steps{}) == 312);
}

TEST_CASE("link words: what passes and what fails says that links are shared", "[core][links]") {
  auto const run = run_on_line({{0, 3, 4}, {1, 4, 4}, {2, 5, 4}});
  std::string const note =
      "note: messages share links, up to 3 in a step; where they take turns: steps 3, words 12\n";
  auto const passed = lockstep::takes(lockstep::steps(1)).words(4).check(run);
  CHECK(passed.holds);
  CHECK(passed.report == note);
  auto const failed = lockstep::takes(lockstep::steps(2)).check(run);
  CHECK_FALSE(failed.holds);
  CHECK(failed.report.ends_with(note));
  auto const expected = lockstep::takes(lockstep::steps(1));
  CHECK(expected.match(run));
  CHECK(expected.toString().ends_with(note));

  auto const apart = run_on_line({{0, 3, 4}});
  CHECK(expected.check(apart).report.empty());
  CHECK_THAT(run, lockstep::takes(lockstep::steps(1)).link_words(12));
}
