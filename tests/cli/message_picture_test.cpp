#include "report/message_picture.hpp"

#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "../catch.hpp"
#include "core/call_log.hpp"

using namespace lockstep;

TEST_CASE("a picture has a line for each message with words, in the colour of its phase",
          "[message_picture]") {
  reference::call_log log;
  auto const run = machine{crossbar{3}}.run(
      [](processor& me) {
        for (auto const* const name : {"first", "second", "first"}) {
          me.phase(name);
          if (me.rank() == 0) me.send(2, 1);
          if (me.rank() == 2) (void)me.receive_value<int>(0);
        }
        if (me.rank() == 2) me.send(1, std::vector<int>{});
        if (me.rank() == 1) (void)me.receive<int>(2);
      },
      log);
  REQUIRE(run.counts().rounds == 4);
  CHECK(cli::message_picture(run, log.messages) ==
        "<svg viewBox=\"0 0 40 30\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
        "<path class=\"row\" d=\"M0 5h40M0 15h40M0 25h40\"/>"
        "<path class=\"p0\" d=\"M1 5l8 20M21 5l8 20\"/><path class=\"p1\" d=\"M11 5l8 20\"/>"
        "</svg>");
}

TEST_CASE("a run without messages has a picture of its processors", "[message_picture]") {
  auto const run = machine{crossbar{1}}.run([](processor&) {});
  CHECK(cli::message_picture(run, {}) ==
        "<svg viewBox=\"0 0 10 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
        "<path class=\"row\" d=\"M0 5h10\"/></svg>");
}
