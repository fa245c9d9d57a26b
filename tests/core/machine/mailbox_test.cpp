// post and deliver: rule 12 by hand, on every engine, and what programs get wrong.

#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"
#include "core/refusal_on.hpp"
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;
using lockstep::message_from;
using reference::error_place;
using reference::step_and_rank;

using mail = std::vector<message_from<int>>;

/// 0 posts 3 words to 1 and a word to 2, 3 two words to 1; 1 posts a word to itself.
mail post_and_deliver(processor& me) {
  if (me.rank() == 0) {
    me.post(1, std::vector{1, 2});
    me.post(2, 4);
    me.post(1, 3);
  }
  if (me.rank() == 3) me.post(1, std::vector{5, 6});
  if (me.rank() == 1) me.post(1, 9);
  return me.deliver<int>();
}

}  // namespace

TEST_CASE("rule 12: posts of a superstep come sorted by sender, in posting order",
          "[core][rules][mailbox][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{4}, on(choice)}.run(post_and_deliver);
  CHECK(run.results()[0].empty());
  CHECK(run.results()[1] == mail{{0, {1, 2, 3}}, {1, {9}}, {3, {5, 6}}});
  CHECK(run.results()[2] == mail{{0, {4}}});
  CHECK(run.results()[3].empty());
  auto const& counts = run.counts();
  CHECK(counts.steps == 2);  // 0 sends to 1, then to 2; 1 takes in of 0, then of 3
  CHECK(counts.startups == 1);
  CHECK(counts.words == 5);  // that 1 takes in
  CHECK(counts.messages == 3);
  CHECK(counts.volume == 6);
  CHECK(counts.queued == 1);
}

TEST_CASE("rule 12: messages go by ascending (to - me), and come in by ascending (me - from)",
          "[core][rules][mailbox]") {
  auto const choice = GENERATE(from_range(all_engines()));
  reference::call_log log;
  auto const run = machine{crossbar{4}, on(choice)}.run(
      [](processor& me) {
        for (int const to : {1, 0, 3, 2}) me.post(to, me.rank());
        auto const delivered = me.deliver<int>();
        return delivered.size() == 4 && delivered[2].from == 2 && me.now() == 4;
      },
      log);
  CHECK(run.results() == std::vector<bool>(4, true));
  CHECK(run.counts().steps == 3);
  CHECK(run.counts().contention == 1);
  CHECK(run.counts().queued == 0);
  for (int rank = 0; rank < 4; ++rank)
    for (std::uint64_t step = 1; step <= 3; ++step) {
      auto const messages = run.messages_in(step);
      REQUIRE(messages.size() == 4);
      auto const& one = messages[static_cast<std::size_t>(rank)];
      CHECK(one.to == rank);
      CHECK((one.from + static_cast<int>(step)) % 4 == rank);
    }
}

TEST_CASE("rule 12: the members of a subset count, in its own order",
          "[core][rules][mailbox][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{6}, on(choice)}.run([](processor& me) -> mail {
    if (me.rank() % 2 == 1) return {};
    auto part = me.subset(std::vector{4, 0, 2});
    part.post(1, part.rank());
    part.post(1, me.rank());
    return part.deliver<int>({.announced = true});
  });
  CHECK(run.results()[0] == mail{{0, {0, 4}}, {1, {1, 0}}, {2, {2, 2}}});
  CHECK(run.results()[2].empty());
  CHECK(run.counts().messages == 8);
  CHECK(run.counts().startups == 2);
  CHECK(run.counts().words == 6);  // 2 of the announcement, 4 that the second member takes in
}

TEST_CASE("rule 12: an announcement is a run of its own, also if nobody posts",
          "[core][rules][mailbox][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const announce = [](processor& me) { (void)me.deliver<int>({.announced = true}); };
  auto const counts = machine{crossbar{5}, on(choice)}.run(announce).counts();
  CHECK(counts.messages == 20);
  CHECK(counts.steps == 4);
  CHECK(counts.startups == 1);
  CHECK(counts.words == 4);
  CHECK(machine{crossbar{1}, on(choice)}.run(announce).counts().messages == 0);
  auto const packets = machine{crossbar{2}, on(choice, {.packet = 4})}.run(announce).counts();
  CHECK(packets.words == 4);
}

TEST_CASE("rule 12: posts to one member are rounded to packets once", "[core][rules][mailbox]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const counts = machine{crossbar{2}, on(choice, {.packet = 4})}
                          .run([](processor& me) {
                            for (int post = 0; post < 3; ++post) me.post(1 - me.rank(), post);
                            (void)me.deliver<int>();
                          })
                          .counts();
  CHECK(counts.words == 4);
  CHECK(counts.messages == 2);
}

TEST_CASE("rule 12: a message without words is delivered, and counts nothing",
          "[core][rules][mailbox]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{3}, on(choice)}.run([](processor& me) {
    if (me.rank() == 0) me.post(2, std::vector<int>());
    if (me.rank() == 0) me.post(0, std::vector<int>());
    return me.deliver<int>();
  });
  CHECK(run.results()[2] == mail{{0, {}}});
  CHECK(run.results()[0] == mail{{0, {}}});
  CHECK(run.counts().steps == 0);
  CHECK(run.counts().rounds == 1);
  CHECK(run.counts().startups == 0);
}

TEST_CASE("supersteps follow each other, and leave messages in channels alone",
          "[core][mailbox][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  constexpr int processors = 40;
  auto const run = machine{crossbar{processors}, on(choice)}.run([](processor& me) {
    me.send((me.rank() + 1) % processors, std::vector<double>(2, me.rank()));
    long sum = 0;
    for (int round = 0; round < 20; ++round) {
      for (int post = 0; post < round; ++post)
        me.post((me.rank() * 7 + post * post) % processors, round + me.rank());
      for (auto const& [from, values] : me.deliver<int>())
        for (int const value : values) sum += value - from - round + 1;
    }
    auto const before = (me.rank() + processors - 1) % processors;
    return std::pair(sum, me.receive<double>(before) == std::vector<double>(2, before));
  });
  long posts = 0;
  for (auto const& [sum, is_right] : run.results()) {
    posts += sum;
    CHECK(is_right);
  }
  CHECK(posts == processors * 190L);
}

TEST_CASE("a member posts more than others hold: long runs of one receiver",
          "[core][mailbox][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{3}, on(choice)}.run([](processor& me) {
    for (int post = 0; post < 5'000; ++post) me.post(post % 2 == 0 ? 0 : 2, post);
    auto const delivered = me.deliver<int>();
    bool in_order = true;
    for (auto const& [from, values] : delivered)
      for (std::size_t at = 0; at < values.size(); ++at)
        in_order = in_order && values[at] == static_cast<int>(2 * at) + (me.rank() == 0 ? 0 : 1);
    return std::pair(delivered.size(), in_order);
  });
  CHECK(run.results() ==
        std::vector<std::pair<std::size_t, bool>>{{3, true}, {0, true}, {3, true}});
  CHECK(run.counts().words == 5'000);
}

TEST_CASE("posts to processors that a link does not join are refused", "[core][mailbox]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const cube{lockstep::hypercube{2}, on(choice)};
  CHECK(error_place<lockstep::not_adjacent>(cube, [](processor& me) {
          me.idle(2);
          if (me.rank() == 1) me.post(2, 5);
          (void)me.deliver<int>();
        }) == step_and_rank{3, 1});
  CHECK(error_place<lockstep::not_adjacent>(cube, [](processor& me) {
          (void)me.deliver<int>({.announced = true});
        }) == step_and_rank{1, 1});
  auto const run = cube.run([](processor& me) {
    me.post(me.rank() ^ 2, me.rank());
    me.post(me.rank(), me.rank());
    return me.deliver<int>().size();
  });
  CHECK(run.results() == std::vector<std::size_t>(4, 2));
}

TEST_CASE("mail that programs get wrong", "[core][mailbox][errors][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  CHECK(error_place<lockstep::invalid_argument>(three, [](processor& me) {
          me.idle();
          me.pipelined([&] { (void)me.deliver<int>(); });
        }) == step_and_rank{2, 0});
  CHECK(error_place<lockstep::invalid_rank>(three, [](processor& me) {
          if (me.rank() == 2) me.post(3, 1);
        }) == step_and_rank{1, 2});
  CHECK(error_place<lockstep::type_mismatch>(three, [](processor& me) {
          if (me.rank() == 1) me.post(2, 1), me.post(0, 1.0);
          (void)me.deliver<int>();
        }) == step_and_rank{1, 1});
  CHECK(error_place<lockstep::type_mismatch>(three, [](processor& me) {
          if (me.rank() == 1) me.post(2, 1);
          (void)me.deliver<double>();
        }) == step_and_rank{1, 2});
  CHECK(error_place<lockstep::type_mismatch>(three, [](processor& me) {
          if (me.rank() == 1) me.post(1, 1);
          (void)me.deliver<double>();
        }) == step_and_rank{1, 1});
  CHECK(error_place<lockstep::barrier_mismatch>(three, [](processor& me) {
          if (me.rank() == 0) return me.barrier();
          (void)me.deliver<double>();
        }).second == 1);
  CHECK(error_place<lockstep::barrier_mismatch>(three, [](processor& me) {
          (void)me.deliver<double>({.announced = me.rank() == 2});
        }).second == 2);
  CHECK(error_place<lockstep::barrier_mismatch>(three, [](processor& me) {
          if (me.rank() != 1) (void)me.deliver<double>();
        }).second == 0);
}

TEST_CASE("posts that nobody delivers are messages that are not received",
          "[core][mailbox][errors][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  CHECK(error_place<lockstep::unreceived_message>(three, [](processor& me) {
          me.idle(3);
          if (me.rank() == 1) me.post(1, 1);
        }) == step_and_rank{4, 1});
  // Through a subset, which is not what the machine delivers.
  CHECK(error_place<lockstep::unreceived_message>(three, [](processor& me) {
          auto part = me.subset(std::vector{0, 1, 2});
          if (me.rank() == 2) part.post(1, 1);
          (void)me.deliver<int>();
        }) == step_and_rank{1, 2});
  // The earliest of all that is left.
  CHECK(error_place<lockstep::unreceived_message>(three, [](processor& me) {
          if (me.rank() == 0) me.idle(), me.send(1, 1);
          if (me.rank() == 2) me.post(1, 1);
        }) == step_and_rank{1, 2});
}

TEST_CASE("an error in a superstep is that of the least step",
          "[core][mailbox][errors][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  // 0 cannot send its third message in time; 1 finds out before that a type is wrong.
  machine const limited{crossbar{4}, on(choice, {.max_steps = 2})};
  auto const program = [](bool other_type) {
    return [=](processor& me) {
      if (me.rank() == 0)
        for (int const to : {1, 2, 3}) me.post(to, to);
      if (me.rank() == 1 && other_type) return void(me.deliver<double>());
      (void)me.deliver<int>();
    };
  };
  CHECK(error_place<lockstep::step_limit>(limited, program(false)) == step_and_rank{3, 0});
  CHECK(error_place<lockstep::type_mismatch>(limited, program(true)) == step_and_rank{1, 1});
}

TEST_CASE("an error of mail names the call, and a strict machine has no queue for it",
          "[core][mailbox][errors]") {
  auto const line = std::source_location::current().line() + 4;
  try {
    (void)machine{crossbar{3}, {.strict = true}}.run([](processor& me) {
      if (me.rank() > 0) me.post(0, 1);
      return me.deliver<int>().size();
    });
    FAIL("two messages come to 0 in step 1, one has to wait");
  } catch (lockstep::port_conflict const& caught) {
    CHECK(caught.where().line() == line);
  }
}

TEST_CASE("mail has the passes of its processors", "[core][mailbox]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const passes{crossbar{2}, on(choice, {.ports = lockstep::ports::per_pass})};
  auto const run = passes.run([](processor& me) {
    me.pass(me.rank());
    me.post(1 - me.rank(), me.rank());
    return me.deliver<int>().front().values.front();
  });
  CHECK(run.results() == std::vector{1, 0});
  CHECK(run.counts().steps == 1);
}

TEST_CASE("mail on a mesh counts routes and shared links", "[core][mailbox]") {
  auto const run = machine{lockstep::mesh{{4}}}.run([](processor& me) {
    if (me.rank() < 2) me.post(me.rank() + 2, std::vector(3, 1));
    return me.deliver<int>().size();
  });
  CHECK(run.counts().hops == 2);
  CHECK(run.counts().contention == 2);
  CHECK(run.counts().words == 3);
  CHECK(run.counts().link_words == 6);
}
