// Errors inside a library name the line of the program that called it first, and the line inside second;
// those of a program's own calls name their own line.

#include <array>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <numeric>
#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/timeline.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;
using lockstep::library_call;
using std::source_location;

using program = std::function<void(processor&)>;

// --- a small library ---

constexpr int send_line = __LINE__ + 4;
void send_one(processor& me, int to, int value = 0,
              source_location where = source_location::current()) {
  library_call const call(me, where);
  me.send(to, value);
}

constexpr int receive_line = __LINE__ + 3;
int receive_one(processor& me, int from, source_location where = source_location::current()) {
  library_call const call(me, where);
  return me.receive_value<int>(from);
}

constexpr int phase_line = __LINE__ + 3;
void begin_merge(processor& me, source_location where = source_location::current()) {
  library_call const call(me, where);
  me.phase("merge");
}

constexpr int refusal_line = __LINE__ + 2;
void refuse(processor& me, source_location where = source_location::current()) {
  library_call const call(me, where);
  throw lockstep::invalid_argument("refused", call.where());
}

void refuse_deeper(processor& me, source_location where = source_location::current()) {
  library_call const call(me, where);
  refuse(me);
}

/// Calls another function of the library, and goes on itself.
constexpr int relay_line = __LINE__ + 4;
void relay(processor& me, int from, int to, source_location where = source_location::current()) {
  library_call const call(me, where);
  auto const value = receive_one(me, from);
  me.send(to, value);
}

// --- what an error says ---

struct named_places {
  std::string kind = "nothing was thrown";
  int line = 0;
  int line_inside = 0;
  std::string text;
  std::string nested_text;
  int nested_line = 0;
};

int line_of(source_location const& where) { return static_cast<int>(where.line()); }

named_places places_in(lockstep::error const& thrown) {
  named_places seen{.kind = reference::kind_of(thrown),
                    .line = line_of(thrown.where()),
                    .line_inside = thrown.inside() ? line_of(thrown.inside()->where) : 0,
                    .text = thrown.what(),
                    .nested_text = {}};
  try {
    std::rethrow_if_nested(thrown);
  } catch (lockstep::error const& nested) {
    seen.nested_text = nested.what();
    seen.nested_line = line_of(nested.where());
  } catch (std::exception const& nested) {
    seen.nested_text = nested.what();
  }
  return seen;
}

named_places places_of(machine const& on_machine, program const& body) {
  try {
    on_machine.run([&](processor& me) { body(me); });
  } catch (lockstep::error const& thrown) {
    return places_in(thrown);
  }
  return {};
}

std::string place(int line, std::string const& function, int line_inside) {
  return fmt::format("{}:{} (in {}, {}:{})", __FILE__, line, function, __FILE__, line_inside);
}

void check_inside(named_places const& seen, std::string const& kind, int line,
                  std::string const& function, int line_inside) {
  INFO(seen.text);
  CHECK(seen.kind == kind);
  CHECK(seen.line == line);
  CHECK(seen.line_inside == line_inside);
  CHECK(seen.text.find(place(line, function, line_inside)) != std::string::npos);
}

void check_own(named_places const& seen, std::string const& kind, int line) {
  INFO(seen.text);
  CHECK(seen.kind == kind);
  CHECK(seen.line == line);
  CHECK(seen.line_inside == 0);
  CHECK(seen.text.find("(in ") == std::string::npos);
}

/// Writes down the lines of each call of a processor: its own, and those of the calls around it.
class lines_log : public lockstep::observer {
 public:
  [[nodiscard]] bool wants_calls() const override { return true; }
  void call(lockstep::call_record const& made) override {
    std::vector<int> lines{line_of(made.where)};
    std::vector<std::string> functions{made.where.function_name()};
    for (auto const* at = made.frame; at != nullptr; at = at->caller) {
      lines.push_back(line_of(at->line));
      functions.emplace_back(at->line.function_name());
    }
    m_lines[made.rank].push_back(lines);
    m_functions[made.rank].push_back(functions);
  }
  [[nodiscard]] std::vector<std::vector<int>> const& lines(int rank) { return m_lines[rank]; }
  [[nodiscard]] std::vector<std::vector<std::string>> const& functions(int rank) {
    return m_functions[rank];
  }

 private:
  std::map<int, std::vector<std::vector<int>>> m_lines;
  std::map<int, std::vector<std::vector<std::string>>> m_functions;
};

}  // namespace

TEST_CASE("library call: a broken rule names the program's line, and the one inside",
          "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const square{hypercube{2}, on(choice)};
  int const line = __LINE__ + 2;
  auto const seen = places_of(square, [](processor& me) {
    if (me.rank() == 0) send_one(me, 3);
  });
  check_inside(seen, "not_adjacent", line, "send_one", send_line);
}

TEST_CASE("library call: the outermost call counts, before and after the inner one",
          "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const square{hypercube{2}, on(choice)};
  int line = __LINE__ + 3;
  auto const before = places_of(square, [](processor& me) {
    if (me.rank() != 1) return;
    relay(me, 0, 2);
  });
  check_inside(before, "deadlock", line, "relay", receive_line);
  line = __LINE__ + 3;
  auto const after = places_of(square, [](processor& me) {
    if (me.rank() == 0) send_one(me, 1);
    if (me.rank() == 1) relay(me, 0, 2);
  });
  check_inside(after, "not_adjacent", line, "relay", relay_line);
}

TEST_CASE("library call: the program's own calls name their own line", "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const square{hypercube{2}, on(choice)};
  int line = __LINE__ + 4;
  auto const after = places_of(square, [](processor& me) {
    if (me.rank() > 1) return;
    send_one(me, 1 - me.rank());
    me.send(3 - me.rank(), receive_one(me, 1 - me.rank()));
  });
  check_own(after, "not_adjacent", line);
  line = __LINE__ + 6;
  auto const caught = places_of(square, [](processor& me) {
    try {
      refuse_deeper(me);
    } catch (lockstep::invalid_argument const&) {
    }
    if (me.rank() == 0) me.send(3, 1);
  });
  check_own(caught, "not_adjacent", line);
}

TEST_CASE("library call: in a subset") {
  machine const four{crossbar{4}};
  int const line = __LINE__ + 3;
  auto const seen = places_of(four, [](processor& me) {
    auto half = me.subset(me.rank() < 2 ? std::vector{0, 1} : std::vector{2, 3});
    if (me.rank() == 3) static_cast<void>(receive_one(half, 0));
  });
  check_inside(seen, "deadlock", line, "receive_one", receive_line);
}

TEST_CASE("library call: a deadlock names both lines of each that waits",
          "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  int const line = __LINE__ + 4;
  try {
    three.run([](processor& me) {
      if (me.rank() == 0) return;
      if (me.rank() == 1) static_cast<void>(me.receive_value<int>(2));
      if (me.rank() == 2) static_cast<void>(receive_one(me, 1));
    });
    FAIL("it ends in a deadlock");
  } catch (lockstep::deadlock const& caught) {
    CHECK(line_of(caught.where()) == line);
    CHECK_FALSE(caught.inside().has_value());
    auto const& waits = caught.details()->waits;
    REQUIRE(waits.size() == 2);
    CHECK_FALSE(waits[0].inside.has_value());
    CHECK(line_of(waits[1].where) == line + 1);
    REQUIRE(waits[1].inside.has_value());
    CHECK(line_of(waits[1].inside->where) == receive_line);
    CHECK(caught.message().find("since step 1, at " +
                                place(line + 1, "receive_one", receive_line)) != std::string::npos);
  }
}

TEST_CASE("library call: barriers that differ, or are never complete") {
  machine const two{crossbar{2}};
  int line = __LINE__ + 2;
  auto const never = places_of(two, [](processor& me) {
    if (me.rank() == 1) begin_merge(me);
  });
  check_inside(never, "barrier_mismatch", line, "begin_merge", phase_line);
  line = __LINE__ + 3;
  auto const differ = places_of(two, [](processor& me) {
    if (me.rank() == 0) me.phase("sort");
    if (me.rank() == 1) begin_merge(me);
  });
  check_inside(differ, "barrier_mismatch", line, "begin_merge", phase_line);
}

TEST_CASE("library call: a message that is left, and one of another size or type",
          "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const two{crossbar{2}, on(choice)};
  int line = __LINE__ + 3;
  auto const left = places_of(two, [](processor& me) {
    if (me.rank() != 0) return;
    send_one(me, 1);
    me.idle(3);
  });
  check_inside(left, "unreceived_message", line, "send_one", send_line);
  line = __LINE__ + 2;
  auto const size = places_of(two, [](processor& me) {
    if (me.rank() == 0) send_one(me, 1);
    if (me.rank() == 1) static_cast<void>(me.receive<int>(0, 2));
  });
  CHECK(size.kind == "size_mismatch");
  CHECK(size.line == line + 1);
  CHECK(size.line_inside == 0);
  CHECK(size.text.find("(at " + place(line, "send_one", send_line) + ")") != std::string::npos);
  line = __LINE__ + 3;
  auto const type = places_of(two, [](processor& me) {
    if (me.rank() == 0) me.send(1, 2.0);
    if (me.rank() == 1) static_cast<void>(receive_one(me, 0));
  });
  check_inside(type, "type_mismatch", line, "receive_one", receive_line);
}

TEST_CASE("library call: messages that meet on a link of a strict machine") {
  int const line = __LINE__ + 4;
  try {
    machine const ring{torus{{8}}, {.strict = true}};
    ring.run([](processor& me) {
      if (me.rank() < 2) send_one(me, me.rank() + 2);
      if (me.rank() == 2) static_cast<void>(me.receive_value<int>(0));
      if (me.rank() == 3) static_cast<void>(me.receive_value<int>(1));
    });
    FAIL("two messages take the link from 1 to 2");
  } catch (lockstep::link_contention const& caught) {
    CHECK(line_of(caught.where()) == line);
    REQUIRE(caught.inside().has_value());
    CHECK(line_of(caught.inside()->where) == send_line);
    for (auto const& one : caught.details()->messages) {
      CHECK(line_of(one.where) == line);
      REQUIRE(one.inside.has_value());
      CHECK(line_of(one.inside->where) == send_line);
    }
  }
}

TEST_CASE("library call: what the library throws comes from the program's call",
          "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const two{crossbar{2}, on(choice)};
  int line = __LINE__ + 3;
  auto const refused = places_of(two, [](processor& me) {
    me.barrier();
    refuse(me);
  });
  check_inside(refused, "processor_failed", line, "refuse", refusal_line);
  CHECK(refused.nested_text == "refused");
  CHECK(refused.nested_line == line);
  line = __LINE__ + 1;
  auto const deeper = places_of(two, [](processor& me) { refuse_deeper(me); });
  CHECK(deeper.line == line);
  CHECK(deeper.nested_line == line);
}

TEST_CASE("library call: inside a library that runs rounds in a pipeline") {
  machine const two{crossbar{2}};
  auto const rounds = [](processor& me, source_location where) {
    library_call const call(me, where);
    me.pipelined([] { throw std::runtime_error("no more rounds"); });
  };
  auto const seen = places_of(two, [&](processor& me) { rounds(me, source_location::current()); });
  CHECK(seen.kind == "processor_failed");
  CHECK(seen.line == __LINE__ - 2);
  CHECK(seen.line_inside == __LINE__ - 5);
}

TEST_CASE("library call: an observer is told which calls a call was made in",
          "[core][observer][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const square{hypercube{2}, on(choice)};
  lines_log log;
  int const line = __LINE__ + 3;
  square.run(
      [](processor& me) {
        if (me.rank() == 0) send_one(me, 1);
        if (me.rank() == 1) relay(me, 0, 3);
        if (me.rank() == 3) static_cast<void>(me.receive_value<int>(1));
        if (me.rank() != 3) me.note("has sent");
      },
      log);
  using chains = std::vector<std::vector<int>>;
  CHECK(log.lines(0) == chains{{send_line, line}, {line + 3}});
  CHECK(log.lines(1) ==
        chains{{receive_line, relay_line - 1, line + 1}, {relay_line, line + 1}, {line + 3}});
  CHECK(log.lines(3) == chains{{line + 2}});
  auto const& inside = log.functions(1).front();
  REQUIRE(inside.size() == 3);
  CHECK(inside[0].find("receive_one") != std::string::npos);
  CHECK(inside[1].find("relay") != std::string::npos);
}

TEST_CASE("library call: calls that are caught are left", "[core][observer]") {
  machine const one{crossbar{1}};
  lines_log log;
  int const line = __LINE__ + 8;
  one.run(
      [](processor& me) {
        try {
          refuse_deeper(me);
        } catch (lockstep::invalid_argument const&) {
          me.note("refused");
        }
        begin_merge(me);
      },
      log);
  using chains = std::vector<std::vector<int>>;
  CHECK(log.lines(0) == chains{{line - 2}, {phase_line, line}});
}

TEST_CASE(
    "each of several calls of a library is named by its own line, the last one by a message left "
    "over",
    "[threads]") {
  for (auto const& engine : all_engines()) {
    CAPTURE(engine);
    int const second = __LINE__ + 7;
    machine const pair{crossbar{2}, on(engine)};
    auto const calls = [](int sends_of_second, int to) {
      return [=](processor& me) {
        if (me.rank() == 0) send_one(me, 1);
        if (me.rank() == 0) send_one(me, 1);
        for (int i = 0; i < sends_of_second; ++i)
          if (me.rank() == 0) send_one(me, to);
        for (int i = 0; i < 2; ++i)
          if (me.rank() == 1) (void)receive_one(me, 0);
      };
    };
    check_inside(places_of(pair, calls(1, 1)), "unreceived_message", second, "send_one", send_line);
    check_inside(places_of(pair, calls(2, 7)), "invalid_rank", second, "send_one", send_line);
  }
}

namespace {

int receive_in_library(processor& me, int from,
                       source_location where = source_location::current()) {
  library_call const call(me, where);
  return me.receive_value<int>(from);
}

void phase_in_library(processor& me, source_location where = source_location::current()) {
  library_call const call(me, where);
  me.phase("of the library");
}

void serve_in_library(processor& me, std::vector<long>& memory,
                      source_location where = source_location::current()) {
  library_call const call(me, where);
  me.serve(memory);
}

/// Makes a call from another depth of the stack than the others' calls.
template <class Call>
long from_below(Call const& call) {
  std::array<unsigned char, 4'000> filled{};
  std::memset(filled.data(), 0x41, filled.size());
  call();
  return std::accumulate(filled.begin(), filled.end(), 0L);  // it is there during the call
}

std::string error_with(lockstep::stacks kept, program const& calls) {
  try {
    static_cast<void>(machine{crossbar{4}, {.workers = 1, .stacks = kept}}.run(calls));
  } catch (lockstep::error const& found) {
    return found.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("errors name calls of libraries where stacks are copied, from any depth",
          "[core][sanitize]") {
  std::vector<program> const programs{
      [](processor& me) {
        if (me.rank() == 0)
          static_cast<void>(receive_in_library(me, 1));
        else
          from_below([&] { static_cast<void>(me.receive_value<int>(0)); });
      },
      [](processor& me) {
        if (me.rank() == 0)
          phase_in_library(me);
        else
          from_below([&] { me.phase("of the program"); });
      }};
  for (auto const& one : programs) {
    auto const text = error_with(lockstep::stacks::own, one);
    CHECK(text.find("_in_library, ") != std::string::npos);
    CHECK(error_with(lockstep::stacks::copied, one) == text);
  }
}

TEST_CASE("a clock has the lines of calls of libraries where stacks are copied",
          "[core][sanitize]") {
  auto const lines = [](lockstep::stacks kept) {
    machine const four{crossbar{4}, {.workers = 1, .stacks = kept, .clocked = true}};
    auto const run = four.run([](processor& me) {
      std::vector<long> memory(4, me.rank());
      for (int round = 0; round < 2; ++round)
        if (me.rank() == 0)
          serve_in_library(me, memory);
        else
          from_below([&] { static_cast<void>(me.read(0, 0, 1, memory)); });
    });
    std::vector<unsigned> all;
    for (auto const& one : run.timeline(lockstep::loggp_clock{.latency_us = 5}).critical_path)
      all.push_back(one.where.line());
    return all;
  };
  auto const expected = lines(lockstep::stacks::own);
  CHECK(!expected.empty());
  CHECK(lines(lockstep::stacks::copied) == expected);
}

TEST_CASE("unreceived_message names receives inside of libraries, and no other calls",
          "[core][errors]") {
  auto const text = error_with(lockstep::stacks::own, [](processor& me) {
    if (me.rank() == 0)
      for (int message = 0; message < 2; ++message) me.send(1, message);
    if (me.rank() == 1) static_cast<void>(receive_in_library(me, 0));
  });
  auto const received = text.find("received others of it at");
  REQUIRE(received != std::string::npos);
  CHECK(text.find("(in receive_in_library, ", received) != std::string::npos);

  auto const one_sided = error_with(lockstep::stacks::own, [](processor& me) {
    std::vector<long> memory(4, me.rank());
    if (me.rank() == 0) me.send(1, 5L);
    if (me.rank() == 1)
      static_cast<void>(me.read(0, 0, 1, memory));
    else
      me.serve(memory);
    me.post(1, 7L);
    static_cast<void>(me.deliver<long>());
  });
  CHECK(one_sided.find("left in that channel: 1 message") != std::string::npos);
  CHECK(one_sided.find("received others") == std::string::npos);
}
