// Long runs: idle steps and equal ones take no memory, what is over is summed up as the run goes
// on, and what cannot be recorded or held is cut off or refused.

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/expectation.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/machines.hpp"

namespace {

using namespace reference;
using lockstep::crossbar;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::processor;
using lockstep::step_record;

constexpr std::uint64_t no_limit = std::uint64_t{1} << 62U;

/// Sums of what an observer is told, and the number of the last step.
struct summing_watcher : lockstep::observer {
  std::uint64_t volume = 0;
  std::uint64_t words = 0;
  std::uint64_t startups = 0;
  std::uint64_t last = 0;
  bool in_order = true;
  void step(step_record const& seen) override {
    in_order = in_order && seen.step == last + 1;
    last = seen.step;
    volume += seen.volume;
    words += seen.words;
    startups += seen.startups;
  }
};

/// Keeps the steps that it is told of.
struct step_keeper : lockstep::observer {
  std::vector<step_record> told;
  void step(step_record const& seen) override { told.push_back(seen); }
};

/// Keeps the messages that it is told of, and looks at no step.
struct message_keeper : lockstep::observer {
  std::vector<lockstep::message_record> told;
  void message(lockstep::message_record const& seen) override { told.push_back(seen); }
};

/// Processors that exchange a word before each stretch of idle steps, and after the last.
auto idling_for(std::vector<std::uint64_t> stretches) {
  return [stretches = std::move(stretches)](processor& me) {
    (void)me.exchange(1 - me.rank(), 1);
    for (auto const steps : stretches) {
      me.idle(steps);
      (void)me.exchange(1 - me.rank(), 1);
    }
  };
}

std::vector<std::uint64_t> numbers_of(std::vector<step_record> const& steps) {
  std::vector<std::uint64_t> numbers;
  for (auto const& one : steps) numbers.push_back(one.step);
  return numbers;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(LOCKSTEP_TEST_THREAD_SANITIZER)

/// While it lives, the process gets at most that many more bytes of address space.
class address_space_limit {
 public:
  explicit address_space_limit(std::uint64_t more) {
    ::getrlimit(RLIMIT_AS, &m_before);
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    auto now = m_before;
    now.rlim_cur = pages * 4096 + more;
    ::setrlimit(RLIMIT_AS, &now);
  }
  address_space_limit(address_space_limit const&) = delete;
  address_space_limit& operator=(address_space_limit const&) = delete;
  ~address_space_limit() { ::setrlimit(RLIMIT_AS, &m_before); }

 private:
  rlimit m_before{};
};

constexpr std::uint64_t megabyte = std::uint64_t{1} << 20U;

/// The first run of a kind starts threads and maps stacks, which stay.
void warm_up(engine_choice const& choice) {
  machine{crossbar{4}, on(choice)}.run([](processor& me) { me.barrier(); });
}

#endif

}  // namespace

TEST_CASE("an observer without a step of its own takes no time for idle steps", "[core][long]") {
  constexpr auto idle = std::uint64_t{1} << 61U;
  machine const pair{crossbar{2}, {.max_steps = no_limit}};
  message_keeper messages;
  struct : lockstep::observer {
    std::vector<std::string> names;
    void phase(lockstep::phase_start const& begun) override { names.emplace_back(begun.name); }
  } phases;
  struct : lockstep::observer {
  } nothing;
  auto const run = pair.run(
      [](processor& me) {
        me.phase("whole");
        idling_for({idle, 3})(me);
      },
      messages, phases, nothing);
  CHECK(run.counts().steps == idle + 6);
  REQUIRE(messages.told.size() == 6);
  CHECK(messages.told[2].step == idle + 2);
  CHECK(messages.told[5].step == idle + 6);
  CHECK(phases.names == std::vector<std::string>{"whole"});
}

TEST_CASE("many stretches of idle steps, too, take no time of one that looks at no step",
          "[core][long]") {
  machine const pair{crossbar{2}, {.max_steps = no_limit}};
  message_keeper messages;
  std::vector<std::uint64_t> const stretches(20'000, lockstep::observer::most_idle_steps_told);
  auto const run = pair.run(idling_for(stretches), messages);  // 2 * 10^10 steps
  CHECK(messages.told.size() == 2 * 20'001);
  CHECK(messages.told.back().step == run.counts().steps);
}

TEST_CASE("more idle steps than are told one by one are an error for one that looks at steps",
          "[core][long]") {
  constexpr auto idle = std::uint64_t{1} << 61U;
  machine const pair{crossbar{2}, {.max_steps = no_limit}};
  step_keeper keeper;
  CHECK_THROWS_WITH(pair.run(idling_for({idle, 2}), keeper),
                    Catch::Contains("2305843009213693952 idle steps in a row, from step 2 on, are "
                                    "more than an observer is told one by one (1048576); override "
                                    "observer::idle_steps, too"));
  CHECK_THROWS_AS(pair.run(idling_for({idle}), keeper), lockstep::incomplete_trace);
}

TEST_CASE("idle steps are told one by one as far as is promised", "[core][long]") {
  constexpr auto most = lockstep::observer::most_idle_steps_told;
  machine const pair{crossbar{2}, {.max_steps = no_limit}};
  summing_watcher each;
  auto const run = pair.run(idling_for({most, 1, most}), each);
  CHECK(each.in_order);
  CHECK(each.last == run.counts().steps);
  step_keeper keeper;
  CHECK_THROWS_AS(pair.run(idling_for({most + 1}), keeper), lockstep::incomplete_trace);
}

TEST_CASE("a step that calls the one of observer is told idle steps, too", "[core][long]") {
  struct : lockstep::observer {
    std::vector<step_record> told;
    void step(step_record const& seen) override {
      told.push_back(seen);
      observer::step(seen);
    }
  } chained;
  (void)machine{crossbar{2}}.run(idling_for({3, 3}), chained);
  CHECK(numbers_of(chained.told) == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("a step that tells another observer is told idle steps, too", "[core][long]") {
  constexpr std::uint64_t idle = 10'000;
  struct : lockstep::observer {
    message_keeper inner;
    std::uint64_t told = 0;
    void step(step_record const& seen) override {
      ++told;
      inner.step(seen);
    }
  } outer;
  auto const run = machine{crossbar{2}}.run(idling_for({idle}), outer);
  CHECK(outer.told == run.counts().steps);
}

TEST_CASE("idle_steps of an observer that others tell", "[core][long]") {
  step_keeper keeper;
  step_record const first{{}, 5, 0, 0};
  keeper.idle_steps(first, 0);
  CHECK(keeper.told.empty());
  keeper.idle_steps(first, 1);
  keeper.idle_steps({{}, 6, 0, 0}, 2);
  CHECK(numbers_of(keeper.told) == std::vector<std::uint64_t>{5, 6, 7});
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(LOCKSTEP_TEST_THREAD_SANITIZER)

TEST_CASE("idle steps take no memory", "[core][long]") {
  auto const steps = GENERATE(std::uint64_t{100'000'000}, std::uint64_t{1} << 40U);
  warm_up({});
  address_space_limit const little(16 * megabyte);
  auto const run = machine{crossbar{2}, {.max_steps = no_limit}}.run([&](processor& me) {
    (void)me.exchange(1 - me.rank(), 1);
    me.phase("late");
    me.idle(steps);
    (void)me.exchange(1 - me.rank(), 2);
  });
  CHECK(run.counts().steps == steps + 2);
  CHECK(run.counts().messages == 4);
  CHECK(run.counts().startups == 2);
  CHECK(run.phases().front().steps == steps + 1);
  CHECK(run.has_all_steps());
  REQUIRE(run.steps().size() == steps + 2);
  CHECK(run.steps().stretches().size() == 3);
  CHECK(run.steps()[steps] == step_record{{}, steps + 1, 0, 0});
  CHECK(run.steps().back().messages == 2);
  // Asked what went wrong, a run looks at its stretches.
  CHECK(lockstep::takes(lockstep::steps(1))
            .check(run)
            .report.find("step " + std::to_string(steps + 2)) != std::string::npos);
}

TEST_CASE("equal steps take little memory", "[core][long]") {
  constexpr std::uint64_t steps = 1'500'000;
  int const size = GENERATE(2, 5);
  warm_up({});
  // Who waits for a message, or in a barrier, does not keep the steps of others open.
  address_space_limit const little(48 * megabyte);
  auto const run = machine{crossbar{size}, {.max_steps = 2 * steps}}.run([](processor& me) {
    if (me.rank() < 2)
      for (std::uint64_t step = 0; step < steps; ++step) (void)me.exchange(1 - me.rank(), 1);
    if (me.rank() == 0 && me.size() > 2) me.send(2, 1);
    if (me.rank() == 2) (void)me.receive<int>(0);
    me.barrier();
  });
  auto const all = steps + (size > 2 ? 1 : 0);
  CHECK(run.counts().steps == all);
  CHECK(run.counts().messages == steps + all);
  CHECK(run.steps().size() == all);
  CHECK(run.steps().stretches().size() == (size > 2 ? 2 : 1));
}

TEST_CASE("pipelined rounds take little memory", "[core][long]") {
  constexpr std::uint64_t rounds = 1'000'000;
  warm_up({});
  address_space_limit const little(48 * megabyte);
  auto const run = machine{crossbar{2}, {.max_steps = 2 * rounds}}.run([](processor& me) {
    me.pipelined([&] {
      for (std::uint64_t step = 0; step < rounds; ++step) (void)me.exchange(1 - me.rank(), 1);
    });
  });
  CHECK(run.counts().steps == rounds);
  CHECK(run.counts().startups == 1);
  CHECK(run.counts().words == rounds);
  REQUIRE(run.steps().stretches().size() == 2);
  CHECK(run.steps().front().words == rounds);
}

TEST_CASE("pipelined runs that are over take no memory", "[core][long]") {
  machine const many{crossbar{512}, {.workers = 1}};
  auto const idle_rounds = [&](int runs) {
    return many.run([=](processor& me) {
      if (me.rank() == 511) return;
      std::vector<int> members(511);
      std::iota(members.begin(), members.end(), 0);
      auto part = me.subset(members);
      for (int run = 0; run < runs; ++run) part.pipelined([&] { part.idle(1); });
    });
  };
  (void)idle_rounds(1);
  address_space_limit const little(128 * megabyte);  // the runs' tables take 400 MB
  CHECK(idle_rounds(50'000).counts().steps == 0);
}

TEST_CASE("a lack of memory for the counts is not reported as an error of the program",
          "[core][long]") {
  auto const choice = GENERATE(from_range(all_engines()));
  warm_up(choice);
  machine const three{crossbar{3}, on(choice, {.max_steps = no_limit})};
  auto const run = [&] {
    address_space_limit const little(24 * megabyte);
    (void)three.run([](processor& me) {
      if (me.rank() == 0) me.send(2, 0);
      if (me.rank() < 2)
        for (int step = 0; step < 1'000'000; ++step) {
          (void)me.exchange(1 - me.rank(), 1);
          me.idle(1'000);
        }
      if (me.rank() == 1) me.send(2, 0);
      if (me.rank() == 2) (void)me.receive<int>(1);
      if (me.rank() == 2) (void)me.receive<int>(0);
    });
  };
  // The message that 2 takes in last keeps all steps open.
  CHECK_THROWS_AS(run(), lockstep::out_of_memory);
}

#endif

namespace {

/// A pair's exchanges: idle steps before each, and its words.
struct timed_exchange {
  std::uint64_t idle;
  std::size_t words;
};

std::vector<timed_exchange> random_schedule(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<timed_exchange> made;
  std::uint64_t step = 0;
  while (step < 100'000) {
    auto const idle = random() % 4 == 0 ? random() % 3'000 : random() % 3;
    made.push_back({idle, random() % 4 == 0 ? 2U : 1U});
    step += idle + 1;
  }
  return made;
}

constexpr int pairs = 8;

/// Each step of those schedules on pairs of a crossbar, one by one.
std::vector<step_record> dense_model(std::vector<std::vector<timed_exchange>> const& of_pairs) {
  std::vector<step_record> steps;
  for (auto const& schedule : of_pairs) {
    std::uint64_t now = 1;
    for (auto const& one : schedule) {
      now += one.idle;
      if (steps.size() < now) steps.resize(now);
      auto& step = steps[now - 1];
      step.steps = step.rounds = step.startups = 1;
      step.hops = step.contention = step.serialised_steps = 1;
      step.messages += 2;
      step.volume += 2 * one.words;
      step.words = step.largest = step.link_words =
          std::max<std::uint64_t>(step.largest, one.words);
      ++now;
    }
  }
  for (std::size_t at = 0; at < steps.size(); ++at) steps[at].step = at + 1;
  return steps;
}

}  // namespace

TEST_CASE("sparse steps are counted as a dense model has them", "[core][long]") {
  auto const choice = GENERATE(from_range(all_engines()));
  bool const watched = GENERATE(false, true);
  std::vector<std::vector<timed_exchange>> schedules;
  for (int pair = 0; pair < pairs; ++pair)
    schedules.push_back(random_schedule(static_cast<unsigned>(pair)));
  auto const expected = dense_model(schedules);
  machine const all{crossbar{2 * pairs}, on(choice)};
  auto const program = [&](processor& me) {
    for (auto const& one : schedules[static_cast<std::size_t>(me.rank()) / 2]) {
      me.idle(one.idle);
      (void)me.exchange(me.rank() ^ 1, std::vector<int>(one.words));
    }
  };
  step_keeper watching;
  auto const run = watched ? all.run(program, watching) : all.run(program);
  bool const alike = run.steps() == expected;  // too many to print
  CHECK(alike);
  CHECK(run.counts().steps == expected.size());
  std::uint64_t volume = 0;
  for (auto const& one : expected) volume += one.volume;
  CHECK(run.counts().volume == volume);
  if (!watched) return;
  bool const told_alike = watching.told == expected;
  CHECK(told_alike);
}

TEST_CASE("links are loaded in sparse steps, too", "[core][long]") {
  auto const choice = GENERATE(from_range(all_engines()));
  int const rounds = choice.engine == lockstep::engine::threads ? 300 : 10'000;
  auto const run =
      machine{lockstep::torus{{6}}, on(choice, {.max_steps = no_limit})}.run([&](processor& me) {
        for (int round = 0; round < rounds; ++round) {
          if (me.rank() == 0) me.send(2, 4);
          if (me.rank() == 5) me.send(1, 7);
          if (me.rank() == 2) (void)me.receive<int>(0);
          if (me.rank() == 1) (void)me.receive<int>(5);
          me.idle(1'000);
          me.barrier();
        }
      });
  CHECK(run.counts().contention == 2);
  CHECK(run.counts().serialised_steps == 2 * static_cast<std::uint64_t>(rounds));
  CHECK(run.counts().hops == 2 * static_cast<std::uint64_t>(rounds));
  CHECK(run.steps().stretches().size() == 2 * static_cast<std::size_t>(rounds) - 1);
}

TEST_CASE("pipelined runs that overlap pay the same however often steps are summed up",
          "[core][long]") {
  auto const choice = GENERATE(from_range(all_engines()));
  int const rounds = choice.engine == lockstep::engine::threads ? 500 : 7'000;
  machine const four{crossbar{4}, on(choice)};
  auto const program = [&](processor& me) {
    std::array const pair{me.rank() / 2 * 2, me.rank() / 2 * 2 + 1};
    auto both = me.subset(pair);
    me.phase("before");
    (void)me.exchange(me.rank() ^ 1, 1);
    me.phase("pipelined");
    for (int part = 0; part < 3; ++part) {
      // The runs of one pair begin where those of the other are halfway.
      for (int round = 0; me.rank() >= 2 && part == 0 && round < rounds / 2; ++round)
        (void)me.exchange(me.rank() ^ 1, std::vector<int>(2));
      both.pipelined([&] {
        for (int round = 0; round < rounds; ++round) (void)me.exchange(me.rank() ^ 1, round);
      });
    }
    me.barrier();
    me.phase("after");
    (void)me.exchange(me.rank() ^ 1, 1);
  };
  step_keeper watching;
  auto const watched = four.run(program, watching);
  auto const plain = four.run(program);
  CHECK(plain.counts() == watched.counts());
  CHECK(plain.phases() == watched.phases());
  bool const alike = plain.steps() == watched.steps() && watching.told == watched.steps();
  CHECK(alike);
  auto const each = static_cast<std::uint64_t>(rounds);
  // Before and after a word each; in step 2 all runs; beside them, the steps outside runs.
  CHECK(plain.steps()[1].words == 3 * each + 2);
  CHECK(plain.counts().words == 1 + 3 * each + 2 * (each / 2) + 1);
  CHECK(plain.counts().startups == 1 + 1 + each / 2 + 1);
  CHECK(plain.phases()[1].words == 3 * each + 2 * (each / 2));
}

namespace {

constexpr std::uint64_t most_stretches = 1'048'576;
constexpr std::uint64_t beyond = most_stretches + 5'001;

}  // namespace

TEST_CASE("steps are recorded up to a limit; counts and phases go on", "[core][long]") {
  machine const two{crossbar{2}, {.max_steps = 2 * beyond}};
  bool const pipelined = GENERATE(false, true);
  auto const program = [&](processor& me) {
    me.phase("long");
    auto const rounds = [&] {
      for (std::uint64_t step = 0; step < beyond; ++step)
        if (step % 2 == 0)
          (void)me.exchange(1 - me.rank(), 1);
        else
          (void)me.exchange(1 - me.rank(), std::array{1, 2});
    };
    pipelined ? me.pipelined(rounds) : rounds();
    me.phase("late");
    (void)me.exchange(1 - me.rank(), std::array{1, 2, 3, 4, 5});
  };
  auto const words = 1 + beyond / 2 * 3;
  auto const run = two.run(program);
  CHECK(run.counts().steps == beyond + 1);
  CHECK(run.counts().volume == 2 * (words + 5));
  CHECK(run.counts().words == words + 5);
  CHECK(run.counts().startups == (pipelined ? 2 : beyond + 1));
  REQUIRE(run.phases().size() == 2);
  CHECK(run.phases()[0].steps == beyond);
  CHECK(run.phases()[0].words == words);
  CHECK(run.phases()[1].first_step == beyond + 1);
  CHECK(run.phases()[1].words == 5);
  CHECK_FALSE(run.has_all_steps());
  CHECK(run.steps().stretches().size() == most_stretches);
  REQUIRE(run.steps().size() == most_stretches);
  CHECK(run.steps().front().words == (pipelined ? words : 1));
  CHECK(run.steps().back().volume == 4);
  CHECK(lockstep::takes(lockstep::steps(beyond))
            .check(run)
            .report.find("steps after 1048576 were not recorded") != std::string::npos);
}

TEST_CASE("observers are told of all steps, recorded or not", "[core][long]") {
  machine const two{crossbar{2}, {.max_steps = 2 * beyond}};
  summing_watcher watching;
  auto const run = two.run(
      [&](processor& me) {
        for (std::uint64_t step = 0; step < beyond; ++step)
          (void)me.exchange(1 - me.rank(), std::vector<int>(1 + step % 2));
      },
      watching);
  CHECK_FALSE(run.has_all_steps());
  CHECK(watching.in_order);
  CHECK(watching.last == beyond);
  CHECK(watching.volume == run.counts().volume);
  CHECK(watching.words == run.counts().words);
  CHECK(watching.startups == run.counts().startups);
}
