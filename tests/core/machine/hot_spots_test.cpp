// hot_startups (docs/counting-rules.md, rule 10): one-sided requests of pipelined rounds that meet
// at an owner, as the Block Distributed Memory model prices them.

#include <cstdint>
#include <stdexcept>
#include <vector>

#include <lockstep/cost_models.hpp>
#include <lockstep/expectation.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

using lockstep::crossbar;
using lockstep::machine;
using lockstep::processor;

namespace {

constexpr std::size_t packet = 4;
lockstep::block_distributed_model const model{.tau_words = 16};

machine eight_processors() {
  lockstep::machine_options options;
  options.packet = packet;
  return machine(crossbar{8}, options);
}

using block = std::vector<std::int64_t>;
block a_packet(int value) { return block(packet, value); }

/// Takes part in a round: reads a packet of an owner, or serves where it is its own.
bool reads_from(processor& me, int owner) {
  auto const mine = a_packet(me.rank());
  if (owner == me.rank()) {
    me.serve(mine);
    return true;
  }
  return me.read(owner, 0, packet, mine) == a_packet(owner);
}

void check_right(std::vector<bool> const& results) {
  for (bool const right : results) CHECK(right);
}

/// An element that takes no words.
struct free_of_charge {
  std::int64_t value = 0;
};

}  // namespace

template <>
inline constexpr std::uint64_t lockstep::words_of<free_of_charge> = 0;

TEST_CASE("requests of 7 processors to one take 7 (tau + m), pipelined or not", "[sanitize]") {
  auto const pipelined = eight_processors().run([](processor& me) {
    bool right = false;
    me.pipelined([&] { right = reads_from(me, 0); });
    return right;
  });
  check_right(pipelined.results());
  CHECK(pipelined.counts().startups == 1);
  CHECK(pipelined.counts().words == 28);
  CHECK(pipelined.counts().hot_startups == 6);
  CHECK(pipelined.time(model) == 140);

  auto const one_by_one = eight_processors().run([](processor& me) { return reads_from(me, 0); });
  check_right(one_by_one.results());
  CHECK(one_by_one.counts().hot_startups == 0);
  CHECK(one_by_one.time(model) == 140);

  auto const writes = eight_processors().run([](processor& me) {
    block mine(8 * packet);
    me.pipelined([&] {
      if (me.rank() == 0)
        me.serve(mine);
      else
        me.write(0, packet * static_cast<std::size_t>(me.rank()), a_packet(me.rank()), mine);
    });
    return mine;
  });
  CHECK(writes.results()[0][5 * packet] == 5);
  CHECK(writes.time(model) == 140);
}

TEST_CASE("pipelined rounds of permutations take tau + k m", "[sanitize]") {
  auto const run = eight_processors().run([](processor& me) {
    bool right = true;
    me.pipelined([&] {
      for (int distance = 1; distance < 8; ++distance)
        right = reads_from(me, (me.rank() + distance) % 8) && right;
    });
    return right;
  });
  check_right(run.results());
  CHECK(run.counts().hot_startups == 0);
  CHECK(run.time(model) == 44);
}

TEST_CASE("each step of a run in which requests that meet came in pays its start-up") {
  auto const two_owners = eight_processors().run([](processor& me) {
    bool right = false;
    me.pipelined([&] { right = reads_from(me, me.rank() < 3 ? 0 : 3); });
    return right;
  });
  check_right(two_owners.results());
  CHECK(two_owners.counts().hot_startups == 3);  // 4 to 7 at 3; 1 and 2 at 0

  auto const two_rounds = eight_processors().run([](processor& me) {
    me.phase("reads");
    me.pipelined([&] {
      for (int round = 0; round < 2; ++round) (void)reads_from(me, 0);
    });
    me.phase("nothing");
  });
  CHECK(two_rounds.counts().hot_startups == 13);
  CHECK(two_rounds.phases()[0].hot_startups == 13);
  CHECK(two_rounds.phases()[1].hot_startups == 0);
  CHECK(two_rounds.time(model) == 2 * 140);
}

TEST_CASE("requests that bring nothing meet nobody") {
  auto const run = eight_processors().run([](processor& me) {
    auto const mine = a_packet(me.rank());
    me.pipelined([&] {
      if (me.rank() == 0)
        me.serve(mine);
      else
        (void)me.read(0, 0, 0, mine);
    });
  });
  CHECK(run.counts().hot_startups == 0);
}

TEST_CASE("words of no size meet nobody") {
  auto const run = eight_processors().run([](processor& me) {
    std::vector<free_of_charge> const mine(packet);
    me.pipelined([&] {
      if (me.rank() == 0)
        me.serve(mine);
      else
        (void)me.read(0, 0, packet, mine);
      (void)me.exchange(me.rank() ^ 1, a_packet(0));
    });
  });
  CHECK(run.counts().hot_startups == 0);
  CHECK(run.time(model) == 16 + packet);
}

TEST_CASE("an owner outside a run serves those in it for what they would pay outside") {
  auto const run = eight_processors().run([](processor& me) {
    bool right = true;
    if (me.rank() == 0) return reads_from(me, 0);
    auto others = me.subset(std::vector<int>{1, 2, 3, 4, 5, 6, 7});
    me.idle();
    others.pipelined([&] { right = reads_from(me, 0); });
    return right;
  });
  check_right(run.results());
  CHECK(run.counts().startups == 2);  // the first message came in before the run
  CHECK(run.counts().hot_startups == 5);
  CHECK(run.time(model) == 140);
}

TEST_CASE("writers outside of the run that the owner is in count as those in it") {
  auto const run = eight_processors().run([](processor& me) {
    block mine(8 * packet);
    auto const write = [&] {
      me.write(0, packet * static_cast<std::size_t>(me.rank()), a_packet(me.rank()), mine);
    };
    auto const serve = [&] { me.rank() == 0 ? me.serve(mine) : write(); };
    if (me.rank() < 2)
      me.subset(std::vector<int>{0, 1}).pipelined(serve);
    else
      serve();
    return mine;
  });
  CHECK(run.results()[0][7 * packet] == 7);
  CHECK(run.counts().startups == 1);
  CHECK(run.counts().hot_startups == 6);
}

TEST_CASE("requests that come in over links of their own take a step together") {
  lockstep::machine_options options;
  options.packet = packet;
  options.ports = lockstep::ports::all;
  auto const run = machine(crossbar{8}, options).run([](processor& me) {
    bool right = false;
    me.pipelined([&] { right = reads_from(me, 0); });
    return right;
  });
  check_right(run.results());
  CHECK(run.counts().steps == 1);
  CHECK(run.counts().hot_startups == 0);
}

TEST_CASE("reads and writes of one owner take different ports, pipelined or not") {
  auto const requests = [](processor& me) {
    block mine(8 * packet);
    if (me.rank() == 0)
      me.serve(mine);
    else if (me.rank() < 4)
      (void)me.read(0, 0, packet, mine);
    else if (me.rank() < 7)
      me.write(0, packet, a_packet(me.rank()), mine);
    else
      me.serve(mine);
  };
  auto const pipelined =
      eight_processors().run([&](processor& me) { me.pipelined([&] { requests(me); }); });
  CHECK(pipelined.counts().hot_startups == 2);
  CHECK(pipelined.time(model) == eight_processors().run(requests).time(model));
}

TEST_CASE("runs that do not overlap pay apart for requests of the same round") {
  auto const run = eight_processors().run([](processor& me) {
    std::vector<int> const members =
        me.rank() < 4 ? std::vector<int>{0, 1, 2, 3} : std::vector<int>{4, 5, 6, 7};
    auto half = me.subset(members);
    bool right = false;
    if (me.rank() >= 4) me.idle(20);
    half.pipelined([&] { right = reads_from(me, members.front()); });
    return right;
  });
  check_right(run.results());
  CHECK(run.counts().startups == 2);
  CHECK(run.counts().hot_startups == 4);
}

namespace {

/// What observers are told of the requests that meet.
class hot_startups_told : public lockstep::observer {
 public:
  void step(lockstep::step_record const& of) override { total += of.hot_startups; }
  std::uint64_t total = 0;
};

}  // namespace

TEST_CASE("observers of a run that fails are told of the requests that came in before",
          "[sanitize]") {
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads}) {
    for (int const late : {0, 20}) {
      CAPTURE(late);
      hot_startups_told told;
      lockstep::machine_options options;
      options.packet = packet;
      options.engine = engine;
      auto const program = [&](processor& me) {
        if (me.rank() == 8) {
          me.idle(9);
          throw std::runtime_error("on purpose");
        }
        me.subset(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}).pipelined([&] {
          if (me.rank() == 7) me.idle(static_cast<std::uint64_t>(late));
          (void)reads_from(me, 0);
        });
      };
      CHECK_THROWS_AS(machine(crossbar{9}, options).run(program, told), lockstep::processor_failed);
      CHECK(told.total == (late == 0 ? 6 : 5));
    }
  }
}

TEST_CASE("the owner of one subset counts where two subsets ask at once") {
  auto const run = eight_processors().run([](processor& me) {
    std::vector<int> const members =
        me.rank() < 4 ? std::vector<int>{0, 1, 2, 3} : std::vector<int>{4, 5, 6, 7};
    auto half = me.subset(members);
    bool right = false;
    half.pipelined([&] {
      auto const mine = a_packet(half.rank());
      if (half.rank() == 0)
        half.serve(mine);
      else
        right = half.read(0, 0, packet, mine) == a_packet(0);
    });
    return right || half.rank() == 0;
  });
  check_right(run.results());
  CHECK(run.counts().startups == 1);
  CHECK(run.counts().hot_startups == 2);
}

TEST_CASE("an expectation may leave hot_startups out, or ask for them") {
  auto const run =
      eight_processors().run([](processor& me) { me.pipelined([&] { (void)reads_from(me, 0); }); });
  auto wanted = run.counts();
  wanted.hot_startups = 0;
  CHECK(lockstep::takes(wanted).check(run).holds);
  wanted.hot_startups = 5;
  CHECK_FALSE(lockstep::takes(wanted).check(run).holds);
}
