// Tags of messages: each is a channel of its own between two processors.

#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "core/refusal_on.hpp"
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;
using reference::refusal_on;

}  // namespace

TEST_CASE("a receive takes the oldest message with its own tag", "[core][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{2}, on(choice)}.run([](processor& me) {
    std::vector<int> got;
    if (me.rank() == 0) {
      me.tagged(7)->send(1, 70);
      me.send(1, 1);
      me.tagged(254)->send(1, std::vector<int>{2'540, 2'541});
      me.tagged(7)->send(1, 71);
    } else {
      got.push_back(me.receive_value<int>(0));
      got.push_back(me.tagged(254)->receive<int>(0).back());
      auto const seven = me.tagged(7);
      got.push_back(me.receive_value<int>(0));
      got.push_back(me.receive_value<int>(0));
    }
    return got;
  });
  CHECK(run.results()[1] == std::vector<int>{1, 2'541, 70, 71});
  // The in-port takes them one after another, in the order of the receives.
  CHECK(run.counts().steps == 5);  // they arrive in steps 2, 3, 4 and 5
  CHECK(run.counts().messages == 4);
  CHECK(run.counts().words == 5);
  CHECK(run.counts().queued == 3);  // the first of tag 7, sent in step 1, arrives in step 4
}

TEST_CASE("a tag ends with what gave it, also by an exception, and the one around it is back",
          "[core][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{2}, on(choice)}.run([](processor& me) {
    int const other = 1 - me.rank();
    auto const outer = me.tagged(1);
    try {
      auto const inner = me.tagged(2);
      static_cast<void>(me.exchange(other, 20));
      throw std::runtime_error("left");
    } catch (std::runtime_error const&) {
      me.send(other, 10);
    }
    bool const has_two = me.tagged(2)->pending(other);
    me.idle(2);
    auto const waiting = me.pending(other);
    return std::vector<int>{int{has_two}, static_cast<int>(waiting), me.receive_value<int>(other)};
  });
  CHECK(run.results()[0] == std::vector<int>{0, 1, 10});
}

TEST_CASE("whoever comes first is asked for one tag", "[core][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{3}, on(choice)}.run([](processor& me) {
    int from = -1;
    if (me.rank() == 0) {
      from = me.tagged(3)->receive_any<int>().from;
      static_cast<void>(me.receive_value<int>(1));
    } else {
      if (me.rank() == 2) me.idle(5);
      auto const tag = me.tagged(me.rank() == 2 ? 3 : 0);
      me.send(0, me.rank());
    }
    return from;
  });
  CHECK(run.results()[0] == 2);
}

TEST_CASE("errors name the tag of a message", "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const two{crossbar{2}, on(choice)};
  auto const left = refusal_on<lockstep::unreceived_message>(two, [](processor& me) {
    if (me.rank() == 0) me.tagged(5)->send(1, 1);
  });
  CHECK(left.find("that processor 0 sent to processor 1 in step 1 with tag 5 was still in") !=
        std::string::npos);
  auto const waits = refusal_on<lockstep::deadlock>(two, [](processor& me) {
    if (me.rank() == 0) me.send(1, 1);
    if (me.rank() == 1) static_cast<void>(me.tagged(6)->receive_value<int>(0));
  });
  CHECK(waits.find("processor 1 waits for processor 0 (which has finished) with tag 6 since") !=
        std::string::npos);
}

TEST_CASE("a tag that there is not, or beside passes, is refused", "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const tag = [](int number) {
    return [number](processor& me) { me.tagged(number)->send(1 - me.rank(), 1); };
  };
  machine const two{crossbar{2}, on(choice)};
  for (int const number : {-1, 255, 1'000'000})
    CHECK(refusal_on<lockstep::invalid_argument>(two, tag(number))
              .find(std::to_string(number) + ": tags are numbered 0 to 254") != std::string::npos);
  auto options = on(choice);
  options.ports = lockstep::ports::per_pass;
  CHECK(refusal_on<lockstep::invalid_argument>(machine{crossbar{2}, options}, tag(1))
            .find("call processor::pass") != std::string::npos);
}
