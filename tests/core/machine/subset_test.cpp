// Parts of a machine, and one-sided reads and writes.

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/graph.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;
using lockstep::dimensions;

}  // namespace

TEST_CASE("a subcube is a hypercube", "[core][subset][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{hypercube{4}, on(choice)}.run([](processor& me) {
    auto part = me.subset(dimensions{1, 3});
    int sum = me.rank();
    for (int bit = 1; bit < part.size(); bit *= 2) sum += part.exchange(part.rank() ^ bit, sum);
    return std::vector<int>{part.size(), part.rank(), sum, part.topology().spec() == "hypercube:2"};
  });
  // 13 = 1101: the subcube 5, 7, 13, 15.
  CHECK(run.results()[13] == std::vector<int>{4, 2, 5 + 7 + 13 + 15, 1});
  CHECK(run.results()[0] == std::vector<int>{4, 0, 0 + 2 + 8 + 10, 1});
  CHECK(run.counts().steps == 2);
  CHECK(run.counts().messages == 32);
}

TEST_CASE("a row is a ring", "[core][subset][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  torus const network{{3, 4}};
  auto const run = machine{network, on(choice)}.run([](processor& me) {
    auto row = me.subset(dimensions{1});
    int const next = (row.rank() + 1) % row.size();
    int const before = (row.rank() + row.size() - 1) % row.size();
    int const seen = row.exchange(next, me.rank(), before);
    auto const place = me.topology().coordinates(me.rank());
    auto const expected = me.topology().rank_at(std::vector{place[0], (place[1] + 3) % 4});
    return std::vector<int>{row.size(), seen == expected, row.topology().adjacent(0, 3),
                            row.topology().adjacent(0, 2)};
  });
  for (auto const& one : run.results()) CHECK(one == std::vector<int>{4, 1, 1, 0});
  CHECK(run.counts().hops == 1);
  CHECK(run.counts().contention == 1);
}

TEST_CASE("any group has ranks in the order of its members", "[core][subset][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{6}, on(choice)}.run([](processor& me) {
    std::vector<int> const members{4, 1, 3};
    if (me.rank() != 1 && me.rank() != 3 && me.rank() != 4) return -1;
    auto group = me.subset(members);
    if (group.rank() == 0) group.send(2, 99);
    if (group.rank() == 2) return 1000 * group.size() + group.receive_value<int>(0);
    return group.rank();
  });
  CHECK(run.results() == std::vector<int>{-1, 1, -1, 3099, 0, -1});
  CHECK(run.processors()[4].words_sent == 1);
}

TEST_CASE("a group that is nothing special is a crossbar", "[core][subset][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{hypercube{3}, on(choice)}.run([](processor& me) {
    if (me.rank() != 0 && me.rank() != 3 && me.rank() != 5) return std::string();
    return me.subset(std::vector{0, 3, 5}).topology().spec();
  });
  CHECK(run.results()[5] == "crossbar:3");
}

TEST_CASE("a subset has the same clock, ports and channels", "[core][subset][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{3}, on(choice)}.run([](processor& me) {
    if (me.rank() == 2) return std::vector<std::uint64_t>{};
    auto pair = me.subset(std::vector{1, 0});
    std::vector<std::uint64_t> seen;
    if (me.rank() == 0) {
      me.send(1, 5);
      pair.send(0, 6);  // the same out-port: step 2; the same channel
      seen = {me.now(), pair.now()};
    } else {
      seen.push_back(static_cast<std::uint64_t>(pair.receive_value<int>(1)));
      seen.push_back(static_cast<std::uint64_t>(me.receive_value<int>(0)));
    }
    return seen;
  });
  CHECK(run.results()[0] == std::vector<std::uint64_t>{2, 2});
  CHECK(run.results()[1] == std::vector<std::uint64_t>{5, 6});
  CHECK(run.counts().steps == 2);
}

TEST_CASE("barriers and phases of a subset concern its members only",
          "[core][subset][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{4}, on(choice)}.run([](processor& me) {
    auto half = me.subset(me.rank() < 2 ? std::vector{0, 1} : std::vector{2, 3});
    if (me.rank() == 1) half.idle(4);
    if (me.rank() == 3) half.idle(8);
    half.barrier();
    auto const first = me.now();
    if (half.rank() == 0) half.send(1, 1);
    if (half.rank() == 1) (void)half.receive<int>(0);
    half.phase("names nothing");
    return std::vector{first, half.now()};
  });
  CHECK(run.results()[0] == std::vector<std::uint64_t>{5, 6});
  CHECK(run.results()[1] == std::vector<std::uint64_t>{5, 6});
  CHECK(run.results()[2] == std::vector<std::uint64_t>{9, 10});
  CHECK(run.results()[3] == std::vector<std::uint64_t>{9, 10});
  CHECK(run.phases().empty());
  CHECK(run.counts().steps == 9);
}

TEST_CASE("a subset of a subset", "[core][subset][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{hypercube{3}, on(choice)}.run([](processor& me) {
    auto plane = me.subset(dimensions{1, 2});
    auto line = plane.subset(dimensions{1});  // dimension 2 of the machine
    auto same = plane.subset(std::vector{plane.rank() & 1, (plane.rank() & 1) + 2});
    return std::vector<int>{line.size(), line.exchange(1 - line.rank(), me.rank()),
                            same.exchange(1 - same.rank(), me.rank())};
  });
  for (int rank = 0; rank < 8; ++rank)
    CHECK(run.results()[static_cast<std::size_t>(rank)] == std::vector<int>{2, rank ^ 4, rank ^ 4});
}

TEST_CASE("subsets of the same members that were made in different ways",
          "[core][subset][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  using lockstep::along;
  SECTION("a row is the same subset whether its dimension or its members are named") {
    auto const run = machine{torus{{3, 4}}, on(choice)}.run([&](processor& me) {
      int const first = me.rank() / 4 * 4;
      auto row = me.subset(dimensions{1});
      auto listed = me.subset(std::vector{first, first + 1, first + 2, first + 3});
      auto const sent_by = first + (me.rank() + 1) % 4;  // three links round is one back
      // One names the barrier and the way by the one, one by the other.
      auto& mine = me.rank() % 2 == 0 ? row : listed;
      mine.barrier();
      auto const came = mine.exchange(along{0, 3}, me.rank(), (mine.rank() + 1) % 4);
      return came == sent_by && row.topology().spec() == listed.topology().spec();
    });
    for (bool const right : run.results()) CHECK(right);
    CHECK(run.counts().hops == 3);
    CHECK(run.counts().contention == 3);
  }
  SECTION("members out of order have no dimension to go along") {
    machine const ring{torus{{4}}, on(choice)};
    CHECK_THROWS_AS(ring.run([](processor& me) {
      auto mixed = me.subset(std::vector{1, 0, 2, 3});
      mixed.send(along{0, 1}, 1);
    }),
                    lockstep::invalid_argument);
  }
  SECTION("the order of the members makes another topology and other ranks") {
    auto const run = machine{hypercube{3}, on(choice)}.run([](processor& me) {
      auto cube = me.subset(std::vector{0, 1, 2, 3, 4, 5, 6, 7});
      auto turned = me.subset(std::vector{0, 2, 1, 3, 4, 6, 5, 7});
      auto mixed = me.subset(std::vector{3, 0, 1, 2, 4, 5, 6, 7});
      auto made = me.subset(dimensions{2, 1, 0});
      return std::vector<std::string>{cube.topology().spec(), std::to_string(turned.rank()),
                                      mixed.topology().spec(), std::to_string(mixed.rank()),
                                      made.topology().spec()};
    });
    CHECK(run.results()[2] ==
          std::vector<std::string>{"hypercube:3", "1", "crossbar:8", "3", "hypercube:3"});
  }
  SECTION("dimensions of one processor, and dimensions named twice, count for nothing") {
    auto const run = machine{torus{{3, 1, 5}}, on(choice)}.run([](processor& me) {
      auto plane = me.subset(dimensions{0, 2});
      auto all = me.subset(dimensions{0, 1, 2});
      auto twice = me.subset(dimensions{2, 0, 2, 0});
      std::vector<int> seen;
      for (auto* const part : {&plane, &all, &twice}) {
        auto const place = part->topology().coordinates(part->rank());
        auto const from = part->topology().rank_at(std::vector{place[0], (place[1] + 4) % 5});
        seen.push_back(part->exchange(along{1, 1}, part->rank(), from) == from);
        auto row = part->subset(dimensions{1});
        auto const before = (row.rank() + 3) % 5;
        seen.push_back(row.exchange(along{0, 2}, row.rank(), before) == before);
      }
      return seen;
    });
    for (auto const& one : run.results()) CHECK(one == std::vector<int>(6, 1));
    CHECK(run.counts().steps == 6);
    CHECK(run.counts().hops == 3 * (1 + 2));
  }
}

TEST_CASE("a subset that cannot be", "[core][subset][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const cube{hypercube{2}, on(choice)};
  auto const make = [&](std::vector<int> const& members) {
    cube.run([&](processor& me) { (void)me.subset(members); });
  };
  CHECK_THROWS_AS(make({0, 1, 2, 4}), lockstep::invalid_rank);
  CHECK_THROWS_AS(make({0, 1, -1}), lockstep::invalid_rank);
  CHECK_THROWS_AS(make({0, 1, 2, 3, 1}), lockstep::invalid_argument);
  CHECK_THROWS_AS(make({0, 1}), lockstep::invalid_argument);  // 2 is not a member
  CHECK_THROWS_AS(cube.run([](processor& me) { (void)me.subset(dimensions{2}); }),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(
      (machine{crossbar{4}, on(choice)}.run([](processor& me) { (void)me.subset(dimensions{0}); })),
      lockstep::invalid_argument);
  CHECK_THROWS_AS(cube.run([](processor& me) {
    auto pair = me.subset(dimensions{0});
    pair.send(2, 1);  // ranks of the subset are 0 and 1
  }),
                  lockstep::invalid_rank);
}

TEST_CASE("one-sided reads", "[core][one_sided][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{4}, on(choice)}.run([](processor& me) {
    std::vector<int> mine{10 * me.rank(), 10 * me.rank() + 1, 10 * me.rank() + 2};
    // Each reads from the next: one message a processor, all in step 1.
    return me.read((me.rank() + 1) % 4, 1, 2, mine);
  });
  CHECK(run.results()[0] == std::vector{11, 12});
  CHECK(run.results()[3] == std::vector{1, 2});
  CHECK(run.counts().steps == 1);
  CHECK(run.counts().messages == 4);
  CHECK(run.counts().volume == 8);
  CHECK(run.counts().words == 2);
  CHECK(run.processors()[1] == lockstep::processor_record{2, 2});
}

TEST_CASE("an owner serves one reader in a step", "[core][one_sided][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{5}, on(choice)}.run([](processor& me) {
    std::vector<double> mine(4, me.rank() == 0 ? 2.5 : 0.0);
    if (me.rank() > 0) return me.read(0, 0, static_cast<std::size_t>(me.rank()), mine);
    me.serve(mine);
    return std::vector<double>{};
  });
  for (std::size_t rank = 1; rank < 5; ++rank)
    CHECK(run.results()[rank] == std::vector<double>(rank, 2.5));
  CHECK(run.counts().steps == 4);
  CHECK(run.counts().messages == 4);
  CHECK(run.counts().volume == 1 + 2 + 3 + 4);
  CHECK(run.counts().words == 10);
}

TEST_CASE("one-sided writes", "[core][one_sided][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{4}, on(choice)}.run([](processor& me) {
    std::vector<int> mine(4, -1);
    std::vector<int> const values{me.rank(), me.rank() + 100};
    // Round 1: each writes to the next.
    me.write((me.rank() + 1) % 4, 2, values, mine);
    // Round 2: what was written is read back from the next.
    auto const seen = me.read((me.rank() + 1) % 4, 2, 2, mine);
    mine.insert(mine.end(), seen.begin(), seen.end());
    return mine;
  });
  CHECK(run.results()[0] == std::vector{-1, -1, 3, 103, 0, 100});
  CHECK(run.results()[2] == std::vector{-1, -1, 1, 101, 2, 102});
  CHECK(run.counts().messages == 8);
  CHECK(run.counts().volume == 16);
}

TEST_CASE("one-sided messages take ports by rank, reads before writes, with the receiver's pass",
          "[core][one_sided][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  class list : public lockstep::observer {
   public:
    std::vector<std::array<int, 4>> seen;  ///< step, from, to, pass
    void message(lockstep::message_record const& of) override {
      seen.push_back({static_cast<int>(of.step), of.from, of.to, of.pass});
    }
  } watching;
  auto const run = machine{crossbar{5}, on(choice, {.ports = lockstep::ports::per_pass})}.run(
      [](processor& me) {
        std::vector<int> mine(4, me.rank());
        me.pass(me.rank() + 10);
        if (me.rank() == 0) return me.serve(mine);
        if (me.rank() % 2 == 1) {
          auto const read = me.read(0, 0, 1, mine);
          return mine.assign(read.begin(), read.end());
        }
        me.write(0, 0, std::array{me.rank()}, mine);
      },
      watching);
  CHECK(watching.seen == std::vector<std::array<int, 4>>{
                             {1, 2, 0, 10}, {1, 0, 1, 11}, {2, 4, 0, 10}, {2, 0, 3, 13}});
  CHECK(run.messages_in(1)[0].pass == 10);
}

TEST_CASE("a read sees what the owner's memory holds in its round",
          "[core][one_sided][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{2}, on(choice)}.run([](processor& me) {
    std::vector<int> seen;
    std::array<int, 1> mine{0};
    for (int round = 0; round < 3; ++round) {
      mine[0] = round * round;
      if (me.rank() == 0) {
        me.serve(mine);
      } else {
        auto const read = me.read(0, 0, 1, mine);
        seen.push_back(read.at(0));
      }
      mine[0] = -1;  // after the round: nobody may see it
    }
    return seen;
  });
  CHECK(run.results()[1] == std::vector{0, 1, 4});
}

TEST_CASE("one-sided calls that cannot be", "[core][one_sided][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  std::vector<int> const two{1, 2};
  SECTION("the owner takes no part") {
    CHECK_THROWS_AS(three.run([&](processor& me) {
      if (me.rank() == 1) (void)me.read(0, 0, 1, two);
    }),
                    lockstep::barrier_mismatch);
  }
  SECTION("the owner has returned, and another error comes later") {
    try {
      (void)three.run([&](processor& me) {
        if (me.rank() == 0) (void)me.read(1, 0, 1, two);
        if (me.rank() == 2) me.idle(9);
        if (me.rank() == 2) throw std::runtime_error("in step 10");
      });
      FAIL("nothing was thrown");
    } catch (lockstep::barrier_mismatch const& thrown) {
      CHECK(thrown.step() == 1);
      CHECK(thrown.rank() == 0);
    }
  }
  SECTION("outside the owner's memory") {
    CHECK_THROWS_AS(three.run([&](processor& me) {
      std::vector<int> mine(2);
      if (me.rank() == 1)
        (void)me.read(0, 1, 2, mine);
      else
        me.serve(mine);
    }),
                    lockstep::size_mismatch);
  }
  SECTION("of another type") {
    CHECK_THROWS_AS(three.run([&](processor& me) {
      std::vector<int> mine(2);
      std::vector<float> others(2);
      if (me.rank() == 1)
        (void)me.read(0, 0, 2, others);
      else
        me.serve(mine);
    }),
                    lockstep::type_mismatch);
  }
  SECTION("from oneself") {
    CHECK_THROWS_AS(three.run([&](processor& me) { (void)me.read(me.rank(), 0, 1, two); }),
                    lockstep::invalid_rank);
  }
}

TEST_CASE("one-sided rounds of a strict machine do not look at the links of all rounds before",
          "[core][one_sided]") {
  constexpr std::uint64_t rounds = 20'000;  // took minutes when they did
  auto const run = machine{torus{{4, 4}}, {.strict = true, .workers = 1}}.run([](processor& me) {
    std::array<int, 1> const mine{me.rank()};
    for (std::uint64_t round = 0; round < rounds; ++round) (void)me.read(me.rank() ^ 1, 0, 1, mine);
  });
  CHECK(run.counts().steps == rounds);
  CHECK(run.counts().contention == 1);
}

TEST_CASE("one-sided messages have a channel of their own",
          "[core][one_sided][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  SECTION("beside messages of the same pair that wait to be received") {
    auto const run = machine{crossbar{2}, on(choice)}.run([](processor& me) {
      int const other = 1 - me.rank();
      std::array<int, 2> memory{100 + me.rank(), 0};
      std::vector<int> seen;
      me.send(other, 1);
      seen.push_back(me.read(other, 0, 1, memory).at(0));
      me.send(other, 2);
      me.write(other, 1, std::array{200 + me.rank()}, memory);
      seen.push_back(memory[1]);
      me.send(other, 3);
      seen.push_back(me.receive_value<int>(other));
      seen.push_back(me.read(other, 1, 1, memory).at(0));
      seen.push_back(me.receive_value<int>(other));
      seen.push_back(me.receive_value<int>(other));
      return seen;
    });
    CHECK(run.results()[0] == std::vector{101, 201, 1, 200, 2, 3});
    CHECK(run.results()[1] == std::vector{100, 200, 1, 201, 2, 3});
    CHECK(run.counts().messages == 12);
  }
  SECTION("beside messages of other types, which nobody takes for one of them") {
    auto const run = machine{crossbar{2}, on(choice)}.run([](processor& me) {
      std::array<int, 3> memory{7, 8, 9};
      if (me.rank() == 0) {
        me.send(1, 0.5);
        me.serve(memory);
        me.serve(memory);
        return 0;
      }
      auto const read = me.read(0, 0, 3, memory);
      me.write(0, 0, std::array{1, 2}, memory);
      return me.receive_value<double>(0) == 0.5 ? read.at(2) : -1;
    });
    CHECK(run.results()[1] == 9);
  }
  SECTION("whatever the pass") {
    constexpr int passes = 255;
    machine const pair{crossbar{2}, on(choice, {.ports = lockstep::ports::per_pass})};
    auto const run = pair.run([](processor& me) {
      std::array<int, 2> memory{-1, -1};
      int wrong = 0;
      for (int pass = 0; pass < passes; ++pass) {
        me.pass(pass);
        memory[0] = 1000 + pass;
        if (me.rank() == 0) {
          me.send(1, pass);
          me.serve(memory);
          me.serve(memory);
          wrong += memory[1] == 2000 + pass ? 0 : 1;
        } else {
          me.send(0, -pass);
          wrong += me.read(0, 0, 1, memory).at(0) == 1000 + pass ? 0 : 1;
          me.write(0, 1, std::array{2000 + pass}, memory);
        }
      }
      for (int pass = passes; pass-- > 0;) {
        me.pass(pass);
        int const sent = me.receive_value<int>(1 - me.rank());
        wrong += sent == (me.rank() == 0 ? -pass : pass) ? 0 : 1;
      }
      return wrong;
    });
    CHECK(run.results() == std::vector{0, 0});
    CHECK(run.counts().messages == 4 * passes);
    CHECK_THROWS_AS(pair.run([](processor& me) { me.pass(passes); }), lockstep::invalid_argument);
  }
}

TEST_CASE("a read goes from the owner, a write to it", "[core][one_sided][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  // Links 0 -> 1 -> 2 -> 3 -> 0: one link from 0 to 1, three back.
  lockstep::graph const one_way{4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
  using records = std::vector<lockstep::processor_record>;
  machine const ring{one_way, on(choice)};
  std::array<int, 5> const memory{1, 2, 3, 4, 5};
  auto const read = [&](int reader, int owner) {
    return ring.run([&, reader, owner](processor& me) {
      if (me.rank() == owner) me.serve(memory);
      if (me.rank() == reader) (void)me.read(owner, 1, 3, memory);
    });
  };
  auto const write = [&](int writer, int owner) {
    return ring.run([&, writer, owner](processor& me) {
      auto mine = memory;
      if (me.rank() == owner) me.serve(mine);
      if (me.rank() == writer) me.write(owner, 0, std::array{6, 7}, mine);
      return mine[1];
    });
  };
  SECTION("read") {
    auto const near = read(1, 0);
    CHECK(near.counts().hops == 1);
    CHECK(near.counts().volume == 3);
    CHECK(near.processors() == records{{3, 0}, {0, 3}, {0, 0}, {0, 0}});
    auto const far = read(0, 1);
    CHECK(far.counts().hops == 3);
    CHECK(far.counts().volume == 3);
    CHECK(far.processors() == records{{0, 3}, {3, 0}, {0, 0}, {0, 0}});
  }
  SECTION("write") {
    auto const near = write(0, 1);
    CHECK(near.counts().hops == 1);
    CHECK(near.counts().volume == 2);
    CHECK(near.processors() == records{{2, 0}, {0, 2}, {0, 0}, {0, 0}});
    CHECK(near.results() == std::vector{2, 7, 2, 2});
    auto const far = write(1, 0);
    CHECK(far.counts().hops == 3);
    CHECK(far.processors() == records{{0, 2}, {2, 0}, {0, 0}, {0, 0}});
  }
  SECTION("on the links of that way") {
    // 2 reads from 0 by 0 -> 1 -> 2; 0's message to 1 in another pass takes the first of them.
    machine const passes{one_way, on(choice, {.ports = lockstep::ports::per_pass})};
    auto const loads = [&](bool reads) {
      return passes
          .run([&, reads](processor& me) {
            auto mine = memory;
            if (me.rank() == 0) me.serve(mine);
            if (me.rank() == 2 && reads) (void)me.read(0, 0, 1, mine);
            if (me.rank() == 2 && !reads) me.write(0, 0, std::array{1}, mine);
            me.pass(1);
            if (me.rank() == 0) me.send(1, 1);
            if (me.rank() == 1) (void)me.receive<int>(0);
          })
          .counts();
    };
    CHECK(loads(true).contention == 2);
    CHECK(loads(true).steps == 1);
    CHECK(loads(false).contention == 1);
    CHECK(loads(false).volume == 2);
  }
  SECTION("between neighbours, the link that counts is that of the message") {
    auto const adjacent_only = on(choice, {.switching = lockstep::switching::neighbour});
    machine const strict{one_way, adjacent_only};
    auto const reading = [&](int reader, int owner) {
      strict.run([&](processor& me) {
        if (me.rank() == owner) me.serve(memory);
        if (me.rank() == reader) (void)me.read(owner, 0, 1, memory);
      });
    };
    auto const writing = [&](int writer, int owner) {
      strict.run([&](processor& me) {
        auto mine = memory;
        if (me.rank() == owner) me.serve(mine);
        if (me.rank() == writer) me.write(owner, 0, std::array{1}, mine);
      });
    };
    CHECK_NOTHROW(reading(1, 0));
    CHECK_THROWS_AS(reading(0, 1), lockstep::not_adjacent);
    CHECK_NOTHROW(writing(0, 1));
    CHECK_THROWS_AS(writing(1, 0), lockstep::not_adjacent);
  }
}
