// Machines as values, programs and their results, nested and simultaneous machines, observers.

#include <atomic>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;

/// The sum of all ranks, on every processor of a hypercube.
long sum_of_ranks(processor& me) {
  long sum = me.rank();
  for (int bit = 1; bit < me.size(); bit *= 2) sum += me.exchange(me.rank() ^ bit, sum);
  return sum;
}

lockstep::counts counts_of_sum(std::uint64_t dimensions) {
  auto const processors = std::uint64_t{1} << dimensions;
  lockstep::counts expected;
  expected.steps = expected.rounds = expected.startups = expected.words = dimensions;
  expected.volume = expected.messages = dimensions * processors;
  expected.hops = expected.serialised_steps = dimensions;
  expected.barriers = dimensions - 1;
  expected.contention = 1;
  expected.link_words = dimensions;
  return expected;
}

/// A start-up costs 100 and a word 3; a machine of p processors costs p besides.
struct plain_model {
  [[nodiscard]] static std::string_view name() { return "plain"; }
  [[nodiscard]] static std::string_view unit() { return "pebbles"; }
  [[nodiscard]] static double time(lockstep::counts const& of, int processors) {
    return static_cast<double>(100 * of.startups + 3 * of.words) + processors;
  }
};

class recorder : public lockstep::observer {
 public:
  void message(lockstep::message_record const& seen) override {
    messages.push_back(seen);
    thread = std::this_thread::get_id();
  }
  void step(lockstep::step_record const& seen) override {
    messages_before_step.push_back(messages.size());
    steps.push_back(seen);
  }

  std::vector<lockstep::message_record> messages;
  std::vector<lockstep::step_record> steps;
  std::vector<std::size_t> messages_before_step;
  std::thread::id thread;
};

/// Throws when it is told of a message, or of a step, after that many of them.
class refusing : public lockstep::observer {
 public:
  enum class at : std::uint8_t { message, step };
  refusing(at what, std::uint64_t after) : m_what(what), m_left(after) {}

  void message(lockstep::message_record const& /*seen*/) override { count(at::message); }
  void step(lockstep::step_record const& /*seen*/) override { count(at::step); }

  [[nodiscard]] int calls_after_it_threw() const { return m_calls_after; }

 private:
  void count(at what) {
    if (m_threw) ++m_calls_after;
    if (what != m_what || m_left-- > 0) return;
    m_threw = true;
    throw std::length_error("the picture is full");
  }

  at m_what;
  std::uint64_t m_left;
  bool m_threw = false;
  int m_calls_after = 0;
};

/// Counts how many of it were made, and are left.
class counted {
 public:
  explicit counted(std::atomic<int>& left) : m_left(left) { ++m_left; }
  counted(counted const&) = delete;
  counted& operator=(counted const&) = delete;
  ~counted() { --m_left; }

 private:
  std::atomic<int>& m_left;
};

}  // namespace

TEST_CASE("the sample program has exactly the counts of the documentation",
          "[core][machine][sanitize]") {
  machine const cube{hypercube{10}};
  auto run = cube.run([](processor& me) {
    long sum = me.rank();
    for (int dimension = 0; dimension < 10; ++dimension)
      sum += me.exchange(me.rank() ^ (1 << dimension), sum);
    return sum;
  });
  REQUIRE(run.results().size() == 1024);
  for (auto const sum : run.results()) REQUIRE(sum == 523776);
  CHECK(run.counts() == counts_of_sum(10));
  CHECK(run.time(plain_model{}) == 100.0 * 10 + 3.0 * 10 + 1024);
  CHECK(run.phases().empty());
  CHECK(run.phase_times(plain_model{}).empty());
  REQUIRE(run.processors().size() == 1024);
  CHECK(run.processors()[1023] == lockstep::processor_record{10, 10});
  REQUIRE(run.steps().size() == 10);
  CHECK(run.steps()[9].step == 10);
  CHECK(run.steps()[9].messages == 1024);
}

TEST_CASE("the same program on every engine", "[core][machine][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const dimensions = GENERATE(1, 2, 5);
  auto const run = machine{hypercube{dimensions}, on(choice)}.run(sum_of_ranks);
  long const processors = 1L << dimensions;
  for (auto const sum : run.results()) CHECK(sum == processors * (processors - 1) / 2);
  CHECK(run.counts() == counts_of_sum(static_cast<std::uint64_t>(dimensions)));
}

TEST_CASE("programs may return any movable type or nothing", "[core][machine][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const four{crossbar{4}, on(choice)};
  SECTION("nothing") {
    std::atomic<int> calls = 0;
    auto const run = four.run([&](processor&) { ++calls; });
    CHECK(calls == 4);
    CHECK(run.counts() == lockstep::counts{});
    CHECK(run.processors().size() == 4);
    CHECK(run.steps().empty());
  }
  SECTION("bool") {
    auto const run = four.run([](processor& me) { return me.rank() % 2 == 1; });
    CHECK(run.results() == std::vector<bool>{false, true, false, true});
  }
  SECTION("a type that can only be moved") {
    auto run = four.run([](processor& me) { return std::make_unique<int>(me.rank() * 10); });
    for (int rank = 0; rank < 4; ++rank)
      CHECK(*run.results()[static_cast<std::size_t>(rank)] == rank * 10);
    auto const taken = std::move(run).results();
    CHECK(*taken[3] == 30);
  }
  SECTION("a type without a default") {
    struct labelled {
      explicit labelled(std::string text) : label(std::move(text)) {}
      std::string label;
    };
    auto const run = four.run([](processor& me) { return labelled(std::to_string(me.rank())); });
    CHECK(run.results()[2].label == "2");
  }
  SECTION("a reference, of which a copy is kept") {
    auto const text = std::string("kept");
    auto const run = four.run([&](processor&) -> std::string const& { return text; });
    CHECK(run.results() == std::vector<std::string>(4, "kept"));
  }
}

TEST_CASE("results asked of a temporary run are moved out of it", "[core][machine][sanitize]") {
  auto const pair = machine{crossbar{2}};
  auto const program = [](processor& me) {
    me.phase("greeting");
    return me.exchange(1 - me.rank(), 7 + me.rank());
  };
  std::vector<int> sums;
  for (int const result : pair.run(program).results()) sums.push_back(result);
  CHECK(sums == std::vector{8, 7});
  std::uint64_t messages = 0;
  for (auto const& step : pair.run(program).steps()) messages += step.messages;
  CHECK(messages == 2);
  for (auto const& phase : pair.run(program).phases()) CHECK(phase.name == "greeting");
  std::uint64_t sent = 0;
  for (auto const& one : pair.run(program).processors()) sent += one.words_sent;
  CHECK(sent == 2);
}

TEST_CASE("a program is called as const, once for each processor", "[core][machine]") {
  struct program {
    int operator()(processor&) { return -1; }
    int operator()(processor& me) const { return me.rank(); }
  };
  auto const choice = GENERATE(from_range(all_engines()));
  program counted;
  CHECK(machine{crossbar{3}, on(choice)}.run(counted).results() == std::vector<int>{0, 1, 2});
}

TEST_CASE("a machine of one processor", "[core][machine]") {
  auto const choice = GENERATE(from_range(all_engines()));
  std::vector<std::shared_ptr<lockstep::topology const>> const networks{
      std::make_shared<crossbar>(1), std::make_shared<hypercube>(0),
      std::make_shared<torus>(std::vector<int>{1, 1})};
  for (auto const& network : networks) {
    INFO(network->spec());
    machine const one{network, on(choice)};
    CHECK(one.size() == 1);
    auto const run = one.run([](processor& me) {
      me.barrier();
      me.phase("alone");
      me.idle(3);
      me.pipelined([&] { me.idle(); });
      me.rearrange(8);
      return std::vector<std::uint64_t>{static_cast<std::uint64_t>(me.size()), me.now()};
    });
    CHECK(run.results()[0] == std::vector<std::uint64_t>{1, 5});
    CHECK(run.counts().steps == 0);
    CHECK(run.counts().rearranged == 8);
    CHECK(run.phases().size() == 1);
    CHECK_THROWS_AS(one.run([](processor& me) { me.send(0, 1); }), lockstep::invalid_rank);
  }
}

TEST_CASE("what a processor knows", "[core][machine]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const box{torus{{3, 2}}, on(choice)};
  CHECK(box.size() == 6);
  CHECK(box.topology().spec() == "torus:3x2");
  auto const run = box.run([](processor& me) {
    return std::to_string(me.rank()) + " of " + std::to_string(me.size()) + " in " +
           me.topology().spec();
  });
  CHECK(run.results()[4] == "4 of 6 in torus:3x2");
}

TEST_CASE("thousands of machines, one after another", "[core][machine]") {
  for (int round = 0; round < 3000; ++round) {
    // Two workers wait for each other, which takes long on a busy computer.
    machine const cube{hypercube{3}, {.workers = round % 8 == 0 ? 2 : 1}};
    REQUIRE(cube.run(sum_of_ranks).results()[static_cast<std::size_t>(round % 8)] == 28);
  }
  for (int round = 0; round < 200; ++round) {
    machine const cube{hypercube{3}, {.engine = lockstep::engine::threads}};
    REQUIRE(cube.run(sum_of_ranks).results()[7] == 28);
  }
}

TEST_CASE("machines that fail leave nothing behind", "[core][machine][sanitize]") {
  for (int round = 0; round < 500; ++round) {
    machine const cube{hypercube{3}, {.workers = 1 + round % 2}};
    CHECK_THROWS_AS(cube.run([](processor& me) {
      if (me.rank() == 5) throw std::runtime_error("stop");
      return sum_of_ranks(me);
    }),
                    lockstep::processor_failed);
    REQUIRE(cube.run(sum_of_ranks).counts() == counts_of_sum(3));
  }
}

TEST_CASE("several machines at the same time", "[core][machine][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const shared{hypercube{4}, on(choice)};
  std::atomic<int> right = 0;
  std::vector<std::jthread> users;
  for (int user = 0; user < 6; ++user)
    users.emplace_back([&, user] {
      for (int round = 0; round < 10; ++round) {
        machine const copy = shared;
        auto const& used = user % 2 == 0 ? shared : copy;
        auto const run = used.run(sum_of_ranks);
        if (run.results() == std::vector<long>(16, 120) && run.counts() == counts_of_sum(4))
          ++right;
      }
    });
  users.clear();
  CHECK(right == 60);
}

TEST_CASE("a machine inside another's program", "[core][machine][sanitize][threads]") {
  auto const outer = GENERATE(from_range(all_engines()));
  auto const inner = GENERATE(from_range(all_engines()));
  INFO(outer << " around " << inner);
  machine const cube{hypercube{2}, on(outer)};
  auto const run = cube.run([&](processor& me) {
    int const before = me.exchange(me.rank() ^ 1, me.rank());
    auto const nested = machine{hypercube{2}, on(inner)}.run([&](processor& mine) {
      return mine.exchange(mine.rank() ^ 2, 10 * me.rank() + mine.rank());
    });
    int const after = me.exchange(me.rank() ^ 2, nested.results()[0]);
    return std::vector<int>{before, nested.results()[0], after,
                            static_cast<int>(nested.counts().steps)};
  });
  CHECK(run.results()[0] == std::vector<int>{1, 2, 22, 1});
  CHECK(run.results()[3] == std::vector<int>{2, 32, 12, 1});
  CHECK(run.counts() == counts_of_sum(2));
}

TEST_CASE("an error of an inner machine is the program's own",
          "[core][machine][sanitize][threads]") {
  auto const outer = GENERATE(from_range(all_engines()));
  auto const inner = GENERATE(from_range(all_engines()));
  machine const cube{hypercube{2}, on(outer)};
  auto const broken = [&](processor& me) {
    if (me.rank() == 2)
      machine{hypercube{1}, on(inner)}.run([](processor& mine) { mine.send(mine.rank(), 1); });
    me.barrier();
  };
  try {
    cube.run(broken);
    FAIL("nothing was thrown");
  } catch (lockstep::processor_failed const& failed) {
    CHECK(failed.rank() == 2);
    CHECK_THROWS_AS(std::rethrow_if_nested(failed), lockstep::invalid_rank);
  }
  auto const run = cube.run([&](processor& me) {
    try {
      machine{hypercube{1}, on(inner)}.run([](processor& mine) { mine.send(mine.rank(), 1); });
    } catch (lockstep::invalid_rank const&) {
      return me.exchange(me.rank() ^ 1, 1);
    }
    return 0;
  });
  CHECK(run.results() == std::vector<int>(4, 1));
}

TEST_CASE("the program of an inner machine may not use the outer processor",
          "[core][machine][sanitize][threads]") {
  auto const outer = GENERATE(from_range(all_engines()));
  auto const inner = GENERATE(from_range(all_engines()));
  INFO(outer << " around " << inner);
  machine const pair{crossbar{2}, on(outer)};
  /// What comes of such a use in the inner machine's program.
  auto const use = [&](auto const& call) {
    std::atomic<int> refused = 0;
    auto const run = pair.run([&](processor& me) {
      machine const small{crossbar{2}, on(inner)};
      try {
        small.run([&](processor& mine) {
          if (mine.rank() == 1) call(me);
        });
      } catch (lockstep::processor_failed const& failed) {
        try {
          std::rethrow_if_nested(failed);
        } catch (lockstep::invalid_argument const& original) {
          if (original.message().find("another program") != std::string::npos && failed.rank() == 1)
            ++refused;
        }
      }
      return me.exchange(1 - me.rank(), me.rank());  // it is free to use again
    });
    CHECK(run.results() == std::vector<int>{1, 0});
    CHECK(run.counts().messages == 2);
    CHECK(run.counts().steps == 1);
    return refused.load();
  };
  CHECK(use([](processor& me) { me.send(1 - me.rank(), 5); }) == 2);
  CHECK(use([](processor& me) { me.send(1 - me.rank(), std::vector<int>(3)); }) == 2);
  CHECK(use([](processor& me) { (void)me.receive<int>(1 - me.rank()); }) == 2);
  CHECK(use([](processor& me) { (void)me.exchange(1 - me.rank(), 5); }) == 2);
  CHECK(use([](processor& me) { me.barrier(); }) == 2);
  CHECK(use([](processor& me) { me.idle(3); }) == 2);
  CHECK(use([](processor& me) { me.phase("inner"); }) == 2);
  CHECK(use([](processor& me) { me.pipelined([] {}); }) == 2);
  CHECK(use([](processor& me) { me.rearrange(7); }) == 2);
  CHECK(use([](processor& me) { me.pass(1); }) == 2);
  CHECK(use([](processor& me) { (void)me.subset(std::vector{0, 1}); }) == 2);
  CHECK(use([](processor& me) { me.serve(std::vector<int>(3)); }) == 2);
  // Uncaught it ends the run, with what the inner machine threw inside.
  try {
    pair.run([&](processor& me) {
      if (me.rank() == 0)
        machine{crossbar{1}, on(inner)}.run([&](processor& /*mine*/) { me.send(1, 1); });
      me.barrier();
    });
    FAIL("nothing was thrown");
  } catch (lockstep::processor_failed const& failed) {
    CHECK(failed.rank() == 0);
    CHECK_THROWS_AS(std::rethrow_if_nested(failed), lockstep::processor_failed);
  }
  // Who and where it is, it may still be asked.
  auto const asked = pair.run([&](processor& me) {
    me.idle(4);
    return machine{crossbar{1}, on(inner)}
        .run([&](processor& /*mine*/) {
          return std::vector<std::uint64_t>{static_cast<std::uint64_t>(me.rank()),
                                            static_cast<std::uint64_t>(me.size()), me.now()};
        })
        .results()[0];
  });
  CHECK(asked.results()[1] == std::vector<std::uint64_t>{1, 2, 5});
}

TEST_CASE("a program may not use another processor than its own", "[core][machine][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  // There the address of a local variable, as `me` is, means the variable of the one that runs.
  if (choice.stacks == lockstep::stacks::copied) return;
  machine const pair{crossbar{2}, on(choice)};
  std::atomic<processor*> lent = nullptr;
  try {
    pair.run([&](processor& me) {
      if (me.rank() == 0) lent = &me;
      me.barrier();
      if (me.rank() == 1) lent.load()->send(1, 5);
      me.barrier();
    });
    FAIL("nothing was thrown");
  } catch (lockstep::processor_failed const& failed) {
    CHECK(failed.rank() == 1);
    CHECK_THROWS_AS(std::rethrow_if_nested(failed), lockstep::invalid_argument);
  }
}

TEST_CASE("options out of their range", "[core][machine]") {
  using lockstep::machine_options;
  /// What the machine says to them when it is made; nothing where it takes them.
  auto const refusal = [](machine_options const& options) {
    try {
      machine const made{crossbar{2}, options};
      return std::string();
    } catch (lockstep::invalid_argument const& refused) {
      CHECK(refused.rank() == -1);
      CHECK(refused.step() == 0);
      return std::string(refused.what());
    }
  };
  auto const says = [](std::string const& text, std::vector<std::string> const& words) {
    INFO(text);
    CHECK(text.find('\n') == std::string::npos);
    for (auto const& word : words) CHECK(text.find(word) != std::string::npos);
  };
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads}) {
    auto const with = [&](machine_options options) {
      options.engine = engine;
      return refusal(options);
    };
    constexpr std::size_t least = std::size_t{16} * 1024;
    constexpr std::size_t most = std::size_t{1} << 40U;
    for (auto const stack : {std::size_t{0}, std::size_t{1}, least - 1, most + 1, ~std::size_t{0}})
      says(with({.stack = stack}), {"machine_options::stack", std::to_string(stack),
                                    std::to_string(least), std::to_string(most)});
    CHECK(with({.stack = least}).empty());
    CHECK(with({.stack = most}).empty());

    constexpr auto largest = std::uint64_t{1} << 32U;
    for (auto const packet : {std::uint64_t{0}, largest + 1, ~std::uint64_t{0}})
      says(with({.packet = packet}),
           {"machine_options::packet", std::to_string(packet), std::to_string(largest)});
    CHECK(with({.packet = largest}).empty());

    for (int const workers :
         {-1, std::numeric_limits<int>::min(), 257, std::numeric_limits<int>::max()})
      says(with({.workers = workers}),
           {"machine_options::workers", std::to_string(workers), "256"});
    CHECK(with({.workers = 256}).empty());

    says(with({.ports = lockstep::ports{7}}),
         {"machine_options::ports is 7: take one of ports::one, ports::all, ports::per_pass"});
    says(with({.switching = lockstep::switching{2}}),
         {"machine_options::switching is 2: take one of switching::neighbour, "
          "switching::cut_through"});

    says(with({.max_steps = 0}), {"machine_options::max_steps", "0"});
    CHECK(with({.max_steps = 1}).empty());
  }
  says(refusal({.engine = lockstep::engine{255}}),
       {"machine_options::engine is 255: take one of engine::fibers, engine::threads"});
  CHECK_THROWS_AS((machine{std::shared_ptr<lockstep::topology const>{}}),
                  lockstep::invalid_argument);
}

TEST_CASE("options at their limits", "[core][machine][sanitize]") {
  SECTION("the smallest stack") {
    machine const cube{hypercube{4}, {.stack = std::size_t{16} * 1024}};
    CHECK(cube.run(sum_of_ranks).counts() == counts_of_sum(4));
    CHECK_THROWS_AS(cube.run([](processor& me) {
      if (me.rank() == 3) throw std::runtime_error("there is room for this, too");
      me.barrier();
    }),
                    lockstep::processor_failed);
  }
  SECTION("the largest packet") {
    auto const run = machine{hypercube{3}, {.packet = std::uint64_t{1} << 32U}}.run(sum_of_ranks);
    CHECK(run.counts().words == std::uint64_t{3} << 32U);
    CHECK(run.counts().volume == std::uint64_t{24} << 32U);
  }
  SECTION("the most workers") {
    for (int const dimensions : {3, 9}) {
      auto const run = machine{hypercube{dimensions}, {.workers = 256}}.run(sum_of_ranks);
      CHECK(run.counts() == counts_of_sum(static_cast<std::uint64_t>(dimensions)));
    }
  }
}

TEST_CASE("stacks that no address space can hold are refused before anything runs",
          "[core][machine]") {
  std::atomic<bool> started = false;
  machine const cube{hypercube{10}, {.stack = std::size_t{1} << 40U}};
  CHECK_THROWS_AS(cube.run([&](processor&) { started = true; }), lockstep::out_of_memory);
  CHECK_FALSE(started);
}

TEST_CASE("memory can be asked for before input is made", "[core][machine]") {
  machine const cube{hypercube{10}};
  CHECK_NOTHROW(cube.require_memory(0));
  CHECK_THROWS_WITH(cube.require_memory(std::size_t{1} << 40U),
                    has_text("hypercube:10 has 1024 processors"));
  CHECK_THROWS_AS(machine{hypercube{30}}.require_memory(0), lockstep::out_of_memory);
}

TEST_CASE("options that change nothing in the counts", "[core][machine][sanitize]") {
  for (int const workers : {0, 1, 2, 3, 16})
    for (std::size_t const stack :
         {std::size_t{16} * 1024, std::size_t{100'000}, std::size_t{1} << 20}) {
      machine const cube{hypercube{6}, {.workers = workers, .stack = stack}};
      CHECK(cube.options().stack == stack);
      auto const run = cube.run(sum_of_ranks);
      CHECK(run.results()[63] == 2016);
      CHECK(run.counts() == counts_of_sum(6));
    }
}

TEST_CASE("a fiber that is suspended in a handler keeps its own exception",
          "[core][machine][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{hypercube{4}, on(choice)}.run([](processor& me) {
    int seen = -1;
    try {
      try {
        throw me.rank();
      } catch (int) {
        for (int bit = 1; bit < me.size(); bit *= 2) (void)me.exchange(me.rank() ^ bit, bit);
        throw;  // the exception that was caught above, and no other processor's
      }
    } catch (int caught) {
      seen = caught;
      me.barrier();
    }
    return seen == me.rank() && std::current_exception() == nullptr;
  });
  CHECK(run.results() == std::vector<bool>(16, true));
}

TEST_CASE("observers", "[core][observer][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  recorder first;
  recorder second;
  machine const ring{torus{{5}}, on(choice, {.packet = 2})};
  auto const run = ring.run(
      [](processor& me) {
        me.phase("shift");
        me.send((me.rank() + 1) % 5, std::vector<int>(3));
        (void)me.receive<int>((me.rank() + 4) % 5);
        me.idle();
        if (me.rank() > 2) me.send(1, me.rank());
        if (me.rank() == 1) {
          (void)me.receive<int>(4);
          (void)me.receive<int>(3);
        }
      },
      first, second);
  CHECK(first.steps == run.steps());
  CHECK(second.steps == run.steps());
  CHECK(first.messages == second.messages);
  CHECK(first.messages_before_step == std::vector<std::size_t>{5, 5, 6, 7});
  CHECK(first.thread == std::this_thread::get_id());
  // Step 1: receivers 0 .. 4 in order; then 4 -> 1 in step 3 and 3 -> 1, sent in 3, in step 4.
  REQUIRE(first.messages.size() == 7);
  for (int to = 0; to < 5; ++to)
    CHECK(first.messages[static_cast<std::size_t>(to)] ==
          lockstep::message_record{1, 1, (to + 4) % 5, to, 4, 1, 0, 0, {}, 1, 2});
  CHECK(first.messages[5] == lockstep::message_record{3, 3, 4, 1, 2, 2, 0, 0, {}, 3, 3});
  CHECK(first.messages[6] == lockstep::message_record{4, 3, 3, 1, 2, 2, 0, 0, {}, 3, 4});
  CHECK(run.counts().queued == 1);
}

TEST_CASE("observers are told the contention that ends a run of a strict machine",
          "[core][observer][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  recorder seen;
  machine const line{lockstep::mesh{{4}}, on(choice, {.strict = true})};
  CHECK_THROWS_AS(line.run(
                      [](processor& me) {
                        me.idle();
                        if (me.rank() == 0) me.send(3, 1);  // over 1 -> 2, and never received
                        if (me.rank() == 1) me.send(2, 1);
                        if (me.rank() == 2) (void)me.receive<int>(1);
                      },
                      seen),
                  lockstep::link_contention);
  REQUIRE(seen.steps.size() == 2);
  CHECK(seen.steps[1].contention == 2);
}

TEST_CASE("exceptions of an observer come out of run", "[core][observer][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const what = GENERATE(refusing::at::message, refusing::at::step);
  machine const four{crossbar{4}, on(choice)};
  std::atomic<int> left = 0;
  refusing watching(what, 2);
  SECTION("at the end of a run") {
    CHECK_THROWS_WITH(four.run(
                          [&](processor& me) {
                            counted const here(left);
                            for (int round = 0; round < 3; ++round)
                              (void)me.exchange(me.rank() ^ 1, std::vector<int>(100));
                          },
                          watching),
                      "the picture is full");
  }
  SECTION("beside an error of the program, later or without any") {
    CHECK_THROWS_AS(four.run(
                        [&](processor& me) {
                          counted const here(left);
                          for (int round = 0; round < 3; ++round)
                            (void)me.exchange(me.rank() ^ 1, 1);
                          if (me.rank() == 1) me.send(0, 1);  // never received
                        },
                        watching),
                    std::length_error);
  }
  SECTION("in the middle of a run that would not end soon") {
    std::atomic<std::uint64_t> rounds = 0;
    CHECK_THROWS_AS(four.run(
                        [&](processor& me) {
                          counted const here(left);
                          for (int round = 0; round < 8000; ++round) {
                            for (int sent = 0; sent < 50; ++sent) me.send(me.rank() ^ 1, sent);
                            for (int sent = 0; sent < 50; ++sent)
                              (void)me.receive<int>(me.rank() ^ 1);
                            if (round % 20 == 0) {
                              me.send(me.rank() ^ 2, std::vector<int>(10));
                              me.barrier();
                              (void)me.receive<int>(me.rank() ^ 2);
                            }
                            ++rounds;
                          }
                        },
                        watching),
                    std::length_error);
    CHECK(rounds < 20'000);  // of 32,000
  }
  CHECK(left == 0);
  CHECK(watching.calls_after_it_threw() == 0);
  // The machine and the process are as good as new.
  recorder after;
  auto const run =
      four.run([](processor& me) { return me.exchange(me.rank() ^ 1, me.rank()); }, after);
  CHECK(run.results() == std::vector<int>{1, 0, 3, 2});
  CHECK(after.messages.size() == 4);
}

TEST_CASE("the other observers are not told twice when one throws", "[core][observer]") {
  auto const choice = GENERATE(from_range(all_engines()));
  recorder first;
  refusing second(refusing::at::message, 3);
  CHECK_THROWS_AS((machine{crossbar{4}, on(choice)}.run(
                      [](processor& me) {
                        for (int round = 0; round < 3; ++round)
                          (void)me.exchange(me.rank() ^ 1, round);
                      },
                      first, second)),
                  std::length_error);
  CHECK(first.messages.size() == 4);
  CHECK(first.steps.empty());
}

TEST_CASE("observers are told of a phase before its first step", "[core][observer][sanitize]") {
  struct diary : lockstep::observer {
    void phase(lockstep::phase_start const& begun) override {
      lines.push_back(std::to_string(begun.index) + " " + std::string(begun.name) + " from " +
                      std::to_string(begun.step));
    }
    void message(lockstep::message_record const& seen) override {
      lines.push_back("message of phase " + std::to_string(seen.phase));
    }
    void step(lockstep::step_record const& seen) override {
      lines.push_back("step " + std::to_string(seen.step));
    }
    std::vector<std::string> lines;
  };
  auto const choice = GENERATE(from_range(all_engines()));
  diary watching;
  machine{crossbar{2}, on(choice)}.run(
      [](processor& me) {
        me.phase("empty");
        me.phase("one");
        if (me.rank() == 0) me.send(1, 1);
        if (me.rank() == 1) (void)me.receive<int>(0);
        me.idle();
        me.phase("two");
        if (me.rank() == 1) me.send(0, 1);
        if (me.rank() == 0) (void)me.receive<int>(1);
        me.phase("after the last message");
      },
      watching);
  CHECK(watching.lines == std::vector<std::string>{"0 empty from 1", "1 one from 1",
                                                   "message of phase 1", "step 1", "step 2",
                                                   "2 two from 3", "message of phase 2", "step 3"});
}

TEST_CASE("observers that are known at run time only", "[core][observer]") {
  recorder watching;
  std::vector<lockstep::observer*> const list{&watching};
  auto const run = machine{hypercube{3}}.run(sum_of_ranks, std::span(list));
  CHECK(watching.messages.size() == run.counts().messages);
}

TEST_CASE("phases are priced", "[core][machine]") {
  auto const run = machine{crossbar{2}}.run([](processor& me) {
    me.phase("one");
    (void)me.exchange(1 - me.rank(), std::vector<int>(5));
    me.phase("two");
    (void)me.exchange(1 - me.rank(), 1);
    (void)me.exchange(1 - me.rank(), 1);
  });
  CHECK(run.phase_times(plain_model{}) == std::vector<double>{100 + 15 + 2, 200 + 6 + 2});
  CHECK(run.time(plain_model{}) == 300 + 21 + 2);
}

TEST_CASE("the table has a row for each step", "[core][machine]") {
  auto const run = machine{crossbar{3}}.run([](processor& me) {
    (void)me.exchange((me.rank() + 1) % 3, std::vector<int>(17), (me.rank() + 2) % 3);
    me.phase("second part");
    me.idle(2);
    if (me.rank() == 0) me.send(1, 1);
    if (me.rank() == 1) (void)me.receive<int>(0);
  });
  REQUIRE(run.steps().size() == 4);
  std::istringstream table(run.table());
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(table, line);) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; cells >> cell;) row.push_back(cell);
    if (!row.empty() && row.front().find_first_not_of("0123456789") == std::string::npos)
      rows.push_back(row);
  }
  REQUIRE(rows.size() == 4);
  INFO(run.table());
  for (std::size_t step = 0; step < 4; ++step)
    CHECK(rows[step].front() == std::to_string(step + 1));
  // messages, largest message, volume, longest route, contention
  auto const figures = [](std::vector<std::string> const& row) {
    return std::vector<std::string>(row.end() - 5, row.end());
  };
  CHECK(figures(rows[0]) == std::vector<std::string>{"3", "17", "51", "1", "1"});
  CHECK(figures(rows[3]) == std::vector<std::string>{"1", "1", "1", "1", "1"});
  CHECK(run.table().find("second part") != std::string::npos);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(LOCKSTEP_TEST_THREAD_SANITIZER)

namespace {

/// The most memory that this process has had since the last call, in MB.
double peak_memory() {
  std::ifstream file("/proc/self/status");
  std::string name;
  double kibibytes = 0;
  while (file >> name)
    if (name == "VmHWM:" && file >> kibibytes) break;
  std::ofstream("/proc/self/clear_refs") << 5;
  return kibibytes * 1024e-6;
}

}  // namespace

TEST_CASE("messages do not pile up where one processor does nothing but send",
          "[core][machine][memory]") {
  auto const workers = GENERATE(1, 2);
  int const processors = GENERATE(1024, 16'384);
  machine const many{crossbar{processors}, {.workers = workers}};
  auto const run = [&](int messages) {
    static_cast<void>(peak_memory());
    static_cast<void>(many.run([&](processor& me) {
      std::vector<int> block(2048);
      if (me.rank() == 0)
        for (int i = 0; i < messages; ++i) me.send(me.size() - 1, block);
      if (me.rank() == me.size() - 1)
        for (int i = 0; i < messages; ++i) me.receive_into(0, block);
    }));
    return peak_memory();
  };
  CHECK(run(60'000) < run(10) + 250);  // 490 MB in all
}

#endif

TEST_CASE("more threads than have lists of their own count phases and pipelined runs",
          "[core][threads]") {
  constexpr int processors = 300;
  constexpr int last = processors - 1;
  // The sender has more words than any receiver, once as a member and once not.
  auto const program = [](lockstep::processor& me) {
    me.phase("from a member");
    for (int to = 1; to <= 5; ++to) {
      if (me.rank() == 0) me.send(to, to);
      if (me.rank() == to) static_cast<void>(me.receive_value<int>(0));
    }
    me.phase("from outside");
    if (me.rank() == last)
      for (int to = 0; to < 4; ++to) me.send(to, to);
    if (me.rank() >= 4) return;
    auto pair = me.subset(std::vector{me.rank() / 2 * 2, me.rank() / 2 * 2 + 1});
    pair.pipelined([&] { static_cast<void>(me.receive_value<int>(last)); });
  };
  auto const counted = [&](lockstep::engine engine) {
    return lockstep::machine{lockstep::crossbar{processors}, {.engine = engine}}.run(program);
  };
  auto const by_fibers = counted(lockstep::engine::fibers);
  auto const by_threads = counted(lockstep::engine::threads);
  CHECK(by_threads.counts() == by_fibers.counts());
  CHECK(by_threads.phases().at(0).port_words == 5);
  CHECK(by_threads.counts().words == 5 + 4);
  CHECK(by_threads.phases() == by_fibers.phases());
}
