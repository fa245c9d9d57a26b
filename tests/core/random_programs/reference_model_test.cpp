// The model that judges the engines is itself checked against examples worked out by hand.

#include "reference_model.hpp"

#include <memory>

#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"

namespace {

using namespace reference;

operation send(int to, std::size_t count = 1) {
  outgoing const out{.to = to,
                     .way = {},
                     .type = element_type::integer,
                     .count = count,
                     .seed = 1,
                     .how = giving::span};
  return {.what = action::send, .out = out, .in = {}, .number = 1, .name = {}};
}

operation receive(int from) {
  incoming const in{.from = from, .type = element_type::integer, .count = 1, .how = taking::vector};
  return {.what = action::receive, .out = {}, .in = in, .number = 1, .name = {}};
}

operation call(action what, std::uint64_t number = 1, std::string const& name = {}) {
  return {.what = what, .out = {}, .in = {}, .number = number, .name = name};
}

/// Makes subset 1 of these members.
operation subset(std::vector<int> const& members) {
  auto made = call(action::subset);
  made.of.members = members;
  return made;
}

operation through_subset(operation made) {
  made.through = 1;
  return made;
}

/// A one-sided call on memory of four integers.
operation one_sided(action what, int owner = 0, std::size_t offset = 0, std::size_t count = 1) {
  auto made = call(what);
  made.asked = {owner, offset, count, element_type::integer, 5};
  made.mine = {element_type::integer, 4, 7, false};
  return made;
}

outcome on_crossbar(program const& calls, lockstep::machine_options const& options = {}) {
  auto const size = static_cast<int>(calls.size());
  return interpret({std::make_shared<lockstep::crossbar>(size), options, calls});
}

}  // namespace

TEST_CASE("model: a message that is asked for late waits for the in-port", "[core][model]") {
  // 2 sends in step 5, which 0 asks for first; the message of 1, stamped 1, arrives in step 6.
  auto const seen =
      on_crossbar({{receive(2), receive(1)}, {send(0)}, {call(action::idle, 4), send(0, 3)}});
  REQUIRE_FALSE(seen.error);
  CHECK(seen.total.steps == 6);
  CHECK(seen.total.queued == 5);
  CHECK(seen.total.words == 3 + 1);
  CHECK(seen.total.startups == 2);
  CHECK(seen.results[0][1] == 6);  // now after the first receive
  CHECK(seen.results[0][3] == 7);
  CHECK(seen.results[2] == std::vector<std::uint64_t>{5, 5});
}

TEST_CASE("model: a message may come in before the processor's own step", "[core][model]") {
  auto const seen = on_crossbar({{call(action::idle, 9), receive(1)}, {send(0)}});
  REQUIRE_FALSE(seen.error);
  CHECK(seen.total.steps == 1);
  CHECK(seen.results[0][0] == 10);
  CHECK(seen.results[0][2] == 10);
}

TEST_CASE("model: pipelined rounds pay one start-up", "[core][model]") {
  // Steps 1 and 2 of 2 and 3 words in one run; step 3 of 4 words outside.
  auto const seen = on_crossbar({{call(action::pipelined_begin), send(1, 2), send(1, 3),
                                  call(action::pipelined_end), send(1, 4)},
                                 {call(action::pipelined_begin), receive(0), receive(0),
                                  call(action::pipelined_end), receive(0)}});
  REQUIRE_FALSE(seen.error);
  CHECK(seen.total.steps == 3);
  CHECK(seen.total.startups == 2);
  CHECK(seen.total.words == 5 + 4);
  CHECK(seen.steps[0].words == 5);
  CHECK(seen.steps[1].words == 0);
}

TEST_CASE("model: phases, rearrangements and idle steps", "[core][model]") {
  // "a" begins in step 1 and has messages in steps 1 and 3; "b" begins in step 6 and has none.
  auto const seen = on_crossbar({{call(action::phase, 1, "a"), send(1), call(action::idle, 2),
                                  send(1, 7), call(action::rearrange, 5), call(action::idle, 3),
                                  call(action::phase, 1, "b"), call(action::rearrange, 6)},
                                 {call(action::phase, 1, "a"), receive(0), receive(0),
                                  call(action::rearrange, 9), call(action::phase, 1, "b")}});
  REQUIRE_FALSE(seen.error);
  REQUIRE(seen.phases.size() == 2);
  CHECK(seen.phases[0].steps == 3);
  CHECK(seen.phases[0].barriers == 2);
  CHECK(seen.phases[0].port_words == 8);
  CHECK(seen.phases[0].rearranged == 9);
  CHECK(seen.phases[1].first_step == 6);
  CHECK(seen.phases[1].steps == 0);
  CHECK(seen.phases[1].rearrangements == 1);
  CHECK(seen.total.rearrangements == 2);
  CHECK(seen.total.rearranged == 9 + 6);
  REQUIRE(seen.steps.size() == 3);
  CHECK(seen.steps[1] == lockstep::step_record{{}, 2, 0, 0});
  CHECK(seen.processors[0].words_sent == 8);
  CHECK(seen.processors[1].words_received == 8);
}

TEST_CASE("model: packets, empty messages and link loads", "[core][model]") {
  // On a ring of six: 0 -> 2 and 1 -> 3 share the link 1 -> 2; 4 sends an empty message on to 5.
  experiment const ring{std::make_shared<lockstep::torus>(std::vector<int>{6}),
                        {.packet = 4},
                        {{send(2, 5)},
                         {send(3, 1)},
                         {receive(0)},
                         {receive(1)},
                         {call(action::idle, 6), send(5, 0)},
                         {receive(4)}}};
  auto const seen = interpret(ring);
  REQUIRE_FALSE(seen.error);
  CHECK(seen.total.steps == 1);
  CHECK(seen.total.rounds == 7);
  CHECK(seen.total.startups == 1);
  CHECK(seen.total.words == 8);
  CHECK(seen.total.volume == 8 + 4);
  CHECK(seen.total.messages == 2);
  CHECK(seen.total.hops == 2);
  CHECK(seen.total.contention == 2);
  CHECK(seen.total.serialised_steps == 2);
  CHECK(seen.total.link_words == 8 + 4);
  CHECK(seen.steps.size() == 7);
}

TEST_CASE("model: the error of the least step and rank", "[core][model]") {
  auto const late = on_crossbar({{call(action::idle, 2), call(action::fail)},
                                 {receive(2)},
                                 {call(action::idle, 10), send(1, 0), send(7)}});
  REQUIRE(late.error);
  CHECK(late.error->kinds.front() == "processor_failed");
  CHECK(late.error->step == 3);
  CHECK(late.error->rank == 0);

  auto const circle = on_crossbar({{call(action::idle), receive(1)}, {receive(0)}, {}});
  REQUIRE(circle.error);
  CHECK(circle.error->kinds.front() == "deadlock");
  CHECK(circle.error->step == 1);
  CHECK(circle.error->rank == 1);

  auto const left = on_crossbar({{call(action::idle), send(1)}, {}, {send(1)}});
  REQUIRE(left.error);
  CHECK(left.error->kinds.front() == "unreceived_message");
  CHECK(left.error->step == 1);
  CHECK(left.error->rank == 2);

  auto const barriers =
      on_crossbar({{call(action::barrier)}, {call(action::idle, 3), call(action::phase, 1, "x")}});
  REQUIRE(barriers.error);
  CHECK(barriers.error->kinds.front() == "barrier_mismatch");
  CHECK(barriers.error->step == 4);
  CHECK(barriers.error->rank == 1);

  // 1 asks in step 1 for what 2 sends in step 11; what 0 does in step 3 is earlier.
  auto other_type = send(1);
  other_type.out.type = element_type::real;
  auto const asked_early = on_crossbar({{call(action::idle, 2), call(action::fail)},
                                        {receive(2)},
                                        {call(action::idle, 10), other_type}});
  REQUIRE(asked_early.error);
  CHECK(asked_early.error->kinds.front() == "processor_failed");
  CHECK(asked_early.error->step == 3);
}

TEST_CASE("model: a strict machine has no buffers", "[core][model]") {
  auto const queued =
      on_crossbar({{receive(1), receive(2)}, {send(0)}, {send(0)}}, {.strict = true});
  REQUIRE(queued.error);
  CHECK(queued.error->kinds.front() == "port_conflict");
  CHECK(queued.error->rank == 0);
  CHECK(queued.error->step == 2);

  experiment const ring{std::make_shared<lockstep::torus>(std::vector<int>{6}),
                        {.strict = true},
                        {{send(2)}, {send(3)}, {receive(0)}, {receive(1)}, {}, {}}};
  auto const shared = interpret(ring);
  REQUIRE(shared.error);
  CHECK(shared.error->kinds.front() == "link_contention");
  CHECK(shared.error->rank == 1);
  CHECK(shared.error->step == 1);
}

TEST_CASE("model: pipelined runs that overlap pay together, also for others' words",
          "[core][model]") {
  auto const rounds = [](int rank) {
    return std::vector{subset({rank}), through_subset(call(action::pipelined_begin)), receive(2)};
  };
  // 2 sends 3 words in step 1 and 4 in step 2, each into a run of its own: 1's run is [1, 3).
  auto const overlapping = on_crossbar({rounds(0), rounds(1), {send(0, 3), send(1, 4)}});
  REQUIRE_FALSE(overlapping.error);
  CHECK(overlapping.total.startups == 1);
  CHECK(overlapping.total.words == 7);
  CHECK(overlapping.steps[0].words == 7);

  // Where 1 begins in step 2, 0's run is [1, 2) and 1's [2, 3).
  auto later = rounds(1);
  later.insert(later.begin(), call(action::idle));
  auto const apart = on_crossbar({rounds(0), later, {send(0, 3), send(1, 4)}});
  REQUIRE_FALSE(apart.error);
  CHECK(apart.total.startups == 2);
  CHECK(apart.steps[0].words == 3);
  CHECK(apart.steps[1].words == 4);
}

TEST_CASE("model: a phase in a subset is a barrier of it", "[core][model]") {
  auto const both = [](std::uint64_t steps) {
    return std::vector{subset({0, 1}), call(action::idle, steps),
                       through_subset(call(action::phase, 1, "a"))};
  };
  auto const seen = on_crossbar({both(2), both(4), {}});
  REQUIRE_FALSE(seen.error);
  CHECK(seen.phases.empty());
  CHECK(seen.results[0].back() == 5);
  CHECK(seen.results[1].back() == 5);
}

TEST_CASE("model: one-sided rounds", "[core][model]") {
  // 2 answers 0 in step 1 and 1 in step 2; 3 writes in its step 6.
  auto const seen = on_crossbar({{one_sided(action::read, 2, 1, 2)},
                                 {one_sided(action::read, 2, 0, 4)},
                                 {one_sided(action::serve)},
                                 {call(action::idle, 5), one_sided(action::write, 2, 1, 2)}});
  REQUIRE_FALSE(seen.error);
  auto const before = [](std::size_t index) { return code_of(7, index); };
  CHECK(seen.results[0].front() == digest({before(1), before(2)}));
  CHECK(seen.results[0].back() == 2);
  CHECK(seen.results[1].front() == digest({before(0), before(1), before(2), before(3)}));
  CHECK(seen.results[1].back() == 3);
  CHECK(seen.results[2].front() == digest({before(0), code_of(5, 0), code_of(5, 1), before(3)}));
  CHECK(seen.results[2].back() == 7);
  CHECK(seen.results[3].back() == 6);
  CHECK(seen.total.steps == 6);
  CHECK(seen.total.words == 2 + 4 + 2);
}

TEST_CASE("model: an owner that takes no part", "[core][model]") {
  auto const alone = on_crossbar({{call(action::idle, 3), one_sided(action::read, 1)},
                                  {},
                                  {call(action::idle, 2), one_sided(action::write, 1)}});
  REQUIRE(alone.error);
  CHECK(alone.error->kinds.front() == "barrier_mismatch");
  CHECK(alone.error->step == 3);
  CHECK(alone.error->rank == 2);

  // Another error is known when the round is served.
  auto const failed =
      on_crossbar({{one_sided(action::read, 1)}, {call(action::idle, 7), call(action::fail)}});
  REQUIRE(failed.error);
  CHECK(failed.error->kinds.front() == "processor_failed");
  CHECK(failed.error->step == 8);
}

TEST_CASE("model: others go on when different barriers meet", "[core][model]") {
  auto const seen = on_crossbar(
      {{subset({0, 1}), through_subset(call(action::barrier))},
       {subset({0, 1}), call(action::idle, 3), through_subset(call(action::phase, 1, "x"))},
       {call(action::idle), call(action::fail)}});
  REQUIRE(seen.error);
  CHECK(seen.error->kinds.front() == "processor_failed");
  CHECK(seen.error->step == 2);
  CHECK(seen.error->rank == 2);
}

TEST_CASE("model: each pass has ports of its own, but links are shared", "[core][model]") {
  lockstep::machine_options const options{.ports = lockstep::ports::per_pass, .strict = true};
  auto const two_passes = [&](int second) {
    program calls{{send(1), call(action::pass, 1), send(second)}, {receive(0)}, {}};
    auto& last = calls[static_cast<std::size_t>(second)];
    last.push_back(call(action::pass, 1));
    last.push_back(receive(0));
    return on_crossbar(calls, options);
  };
  auto const apart = two_passes(2);
  REQUIRE_FALSE(apart.error);
  CHECK(apart.total.steps == 1);
  CHECK(apart.messages[1].pass == 1);

  auto const shared = two_passes(1);
  REQUIRE(shared.error);
  CHECK(shared.error->kinds.front() == "link_contention");
  CHECK(shared.error->step == 1);
  CHECK(shared.error->rank == 0);
}

TEST_CASE("model: memory is counted at its peak", "[core][model]") {
  auto const seen = on_crossbar(
      {{call(action::allocate, 9), call(action::free_memory), call(action::allocate, 8)},
       {call(action::allocate, 4), call(action::allocate, 5)}});
  REQUIRE_FALSE(seen.error);
  CHECK(seen.processors[0].memory == 2);
  CHECK(seen.processors[1].memory == 2);
  CHECK(seen.total.memory == 2);
}
