#include "explain/in_port_log.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "../catch.hpp"
#include "explain/value_chart.hpp"

namespace {

using namespace lockstep;
using cli::in_port_log;
using cli::in_port_tally;
using cli::step_range;

message_record message(std::uint64_t step, int from, int to, std::uint64_t words = 1) {
  return {.step = step, .sent = step, .from = from, .to = to, .words = words, .hops = 1};
}

void tell(in_port_log& log, std::vector<message_record> const& messages) {
  for (auto const& one : messages) log.message(one);
}

std::vector<message_record> const some_messages{
    message(1, 0, 1), message(2, 2, 1, 5), message(2, 3, 1), message(4, 1, 2, 0), message(5, 3, 2)};

}  // namespace

TEST_CASE("what comes in is added up for each processor", "[in_port_log]") {
  in_port_log log(4, {}, {}, 100);
  tell(log, some_messages);
  CHECK(log.tallies() ==
        std::vector<in_port_tally>{{},
                                   {.words = 7, .messages = 3, .busy_steps = 2, .last_busy = 2},
                                   {.words = 1, .messages = 1, .busy_steps = 2, .last_busy = 5},
                                   {}});
  CHECK(log.kept() == some_messages);
  CHECK_FALSE(log.is_full());
}

TEST_CASE("messages of other processors and other steps are added up, not kept", "[in_port_log]") {
  in_port_log log(4, {2, 4}, {1, 3}, 100);
  tell(log, some_messages);
  CHECK(log.kept() == std::vector<message_record>{some_messages[1], some_messages[2]});
  CHECK(log.steps() == step_range{2, 4});
  CHECK(log.tallies()[2].messages == 1);
}

TEST_CASE("where messages are too many, whole steps are kept from the first on",
          "[in_port_log][sanitize]") {
  in_port_log log(4, {1, 2000}, {}, 2);
  tell(log, some_messages);
  CHECK(log.kept() == std::vector<message_record>{some_messages[0]});
  CHECK(log.steps() == step_range{1, 1});
  CHECK(log.is_full());
  CHECK(log.tallies()[1].messages == 3);
  CHECK(log.tallies()[2].last_busy == 5);
}

TEST_CASE("charts take no time for idle steps, however many they are", "[in_port_log]") {
  constexpr auto idle = std::uint64_t{1} << 61U;
  machine const pair{crossbar{2}, {.max_steps = 2 * idle}};
  in_port_log log(2, {1, 2000}, {}, 100);
  cli::shown_log shown;
  (void)pair.run(
      [](processor& me) {
        me.idle(idle);
        me.show("value", me.exchange(1 - me.rank(), me.rank()));
      },
      log, shown);
  CHECK(log.tallies()[1] ==
        in_port_tally{.words = 1, .messages = 1, .busy_steps = 1, .last_busy = idle + 1});
  CHECK(shown.take_values().size() == 2);
}

TEST_CASE("a first step that is too large leaves nothing", "[in_port_log]") {
  in_port_log log(4, {1, 2000}, {}, 1);
  tell(log, {message(1, 0, 1), message(1, 1, 2), message(2, 1, 2)});
  CHECK(log.kept().empty());
  CHECK(log.steps().count() == 0);
}

TEST_CASE("a log that is cut off says of what it was made", "[in_port_log]") {
  in_port_log log(4, {1, 2000}, {}, 1);
  CHECK_THROWS_WITH(log.cut_off("lacks all after step 3"), "the chart lacks all after step 3");
}
