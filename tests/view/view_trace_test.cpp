#include <lockstep/traces/view_trace.hpp>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <source_location>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/json.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>
#include <lockstep/traces/chrome_trace.hpp>
#include <lockstep/traces/csv_trace.hpp>
#include <lockstep/traces/dot_trace.hpp>
#include <lockstep/traces/goal_trace.hpp>

#include <fmt/format.h>

#include "catch.hpp"
#include "core/machines.hpp"
#include "run_json.hpp"
#include "run_recording.hpp"
#include "view/page_data.hpp"
#include "view_page.hpp"

using namespace std::string_literals;
using lockstep::processor;
using nlohmann::json;

namespace {

using numbers = std::vector<std::int64_t>;

/// The data of the page of that program, whose error does not matter here.
template <class Program>
json viewed(lockstep::machine const& on, Program const& program, lockstep::view_notes notes = {},
            std::size_t most_messages = lockstep::view_trace::default_most_messages) {
  std::ostringstream out;
  lockstep::view_trace trace(out, on, {.program = "sample"}, most_messages);
  trace.describe(std::move(notes));
  try {
    (void)on.run(program, trace);
  } catch (lockstep::error const&) {
  }
  try {
    trace.finish();
  } catch (lockstep::incomplete_trace const&) {
  }
  auto const data = reference::page_data(out.str());
  CHECK(data.at("format") == 1);
  return data.at("runs").at(0);
}

void sum_on_cube(processor& me) {
  int sum = me.rank();
  me.show("sum", sum);
  me.phase("first");
  for (int dimension = 0; dimension < 2; ++dimension) {
    sum += me.exchange(me.rank() ^ (1 << dimension), sum);
    me.show("sum", sum);
  }
}

void sum_on_edge(processor& me) {
  me.phase("first");
  me.show("sum", me.rank() + me.exchange(1 - me.rank(), me.rank()));
}

std::filesystem::path file_for(std::string const& name) {
  return std::filesystem::temp_directory_path() / ("lockstep_view_test_" + name);
}

std::string text_of(std::filesystem::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a page has the span, the makespan and the labels of its run") {
  auto const run = viewed(lockstep::machine{lockstep::hypercube{1}}, [](processor& me) {
    me.label("around", [&] {
      me.label("work");
      me.work(3);
      static_cast<void>(me.exchange(me.rank() ^ 1, 1L));
      me.work(me.rank());
    });
    me.idle(4);
  });
  CHECK(run.at("span") == 4);
  CHECK(run.at("makespan") == 5);
  auto const& labels = run.at("labels");
  REQUIRE(labels.size() == 2);
  CHECK(labels.at(0).at("name") == "around");
  CHECK_FALSE(labels.at(0).contains("inside"));
  CHECK(labels.at(1).at("inside") == 0);
  CHECK(labels.at(1).at("messages") == 2);
  CHECK(labels.at(1).at("operations") == 7);
  auto const plain = viewed(lockstep::machine{lockstep::hypercube{1}}, [](processor& me) {
    static_cast<void>(me.exchange(me.rank() ^ 1, 1L));
  });
  for (auto const* name : {"span", "makespan", "labels"}) CHECK_FALSE(plain.contains(name));
}

TEST_CASE("a page has the machine, the counts and the messages of its run") {
  lockstep::machine const cube{lockstep::hypercube{2}, {.strict = true, .packet = 2}};
  auto const run = viewed(cube, sum_on_cube);
  CHECK(reference::contradictions(run).empty());
  CHECK(run.at("title") == "sample on hypercube:2");
  CHECK(run.at("algorithm") == "sample");
  auto const& machine = run.at("machine");
  CHECK(machine.at("spec") == "hypercube:2");
  CHECK(machine.at("kind") == "hypercube");
  CHECK(machine.at("processors") == 4);
  CHECK(machine.at("ports") == "one");
  CHECK(machine.at("switching") == "neighbour");
  CHECK(machine.at("strict") == true);
  CHECK(machine.at("packet") == 2);
  CHECK(machine.at("axes").empty());
  CHECK(machine.at("layout").size() == 8);
  CHECK(machine.at("coordinates").at(2).get<numbers>() == numbers{0, 1});
  CHECK(machine.at("links").size() == 16);
  CHECK(run.at("counts").at("words") == 4);
  CHECK(run.at("complete") == true);
  CHECK(run.at("failure").is_null());
  CHECK(run.at("phases").at(0).at("name") == "first");
  CHECK(run.at("phases").at(0).at("first") == 1);
  CHECK(run.at("phases").at(0).at("steps") == 2);
  auto const& steps = run.at("steps");
  CHECK(steps.at("phase").get<numbers>() == numbers{0, 0});
  CHECK(steps.at("startups").get<numbers>() == numbers{1, 1});
  CHECK(steps.at("pipelined").get<numbers>() == numbers{0, 0});
  CHECK(steps.at("totals").at("words").get<numbers>() == numbers{2, 4});
  auto const& messages = run.at("messages");
  CHECK(reference::summed(messages.at("step")) == numbers{1, 1, 1, 1, 2, 2, 2, 2});
  CHECK(messages.at("from").get<numbers>() == numbers{1, 0, 3, 2, 2, 3, 0, 1});
  CHECK(messages.at("route").get<numbers>() == numbers(8, -1));
  CHECK_FALSE(messages.contains("pass"));
}

TEST_CASE("a page has labels, and each note with the step of what its call does") {
  auto const program = [](processor& me) {
    if (me.rank() == 0) {
      for (int from = 1; from < 4; ++from) {
        me.note("sends its part");
        me.send(from, 1L);
      }
      me.idle(4);
      for (int from = 1; from < 4; ++from) {
        me.note("takes a part");
        static_cast<void>(me.receive_value<long>(from));
      }
      me.note("is done");
    } else {
      me.label("answers", [&] {
        me.note("waits");
        static_cast<void>(me.receive_value<long>(0));
        me.label("back");
        me.note("answers");
        me.work(3);
        me.send(0, 2L);
      });
      me.note("tidies up");
      me.rearrange(5);
    }
  };
  auto const run = viewed(lockstep::machine{lockstep::crossbar{4}}, program);
  CHECK(reference::contradictions(run).empty());
  auto const& calls = run.at("calls");
  auto const ranks = reference::summed(calls.at("rank"));
  std::map<std::string, numbers> steps_of;  // in the order of ranks
  for (std::size_t at = 0; at < ranks.size(); ++at) {
    auto const kind = calls.at("kind")[at].get<int>();
    if (kind != 11 && kind != 12) continue;
    auto const text = run.at("texts").at(calls.at("other")[at].get<std::size_t>());
    steps_of[(kind == 11 ? "label " : "") + text.get<std::string>()].push_back(
        calls.at("end")[at].get<std::int64_t>());
  }
  // Parts go out in steps 1, 2, 3, and come back in the steps after: those are the steps of the page.
  CHECK(steps_of == std::map<std::string, numbers>{{"sends its part", {1, 2, 3}},
                                                   {"takes a part", {2, 3, 4}},
                                                   {"is done", {4}},
                                                   {"waits", {1, 2, 3}},
                                                   {"answers", {2, 3, 4}},
                                                   {"tidies up", {2, 3, 4}},
                                                   {"label answers", {1, 1, 1}},
                                                   {"label answers > back", {2, 3, 4}},
                                                   {"label ", {2, 3, 4}}});
  CHECK_FALSE(viewed(lockstep::machine{lockstep::crossbar{2}}, sum_on_edge).contains("texts"));
}

TEST_CASE("a page has the steps and words in turns where messages share links, and only there") {
  auto const shift = [](processor& me) {
    for (int step = 0; step < 2; ++step)
      (void)me.exchange((me.rank() + 2) % me.size(), std::vector<int>(3),
                        (me.rank() + me.size() - 2) % me.size());
  };
  auto const shared = viewed(lockstep::machine{lockstep::torus{{8}}}, shift);
  CHECK(reference::contradictions(shared).empty());
  auto const& totals = shared.at("steps").at("totals");
  CHECK(totals.at("serialised_steps").get<numbers>() == numbers{2, 4});
  CHECK(totals.at("link_words").get<numbers>() == numbers{6, 12});
  auto const apart = viewed(lockstep::machine{lockstep::crossbar{8}}, shift);
  CHECK_FALSE(apart.at("steps").at("totals").contains("serialised_steps"));
  CHECK_FALSE(apart.at("steps").at("totals").contains("link_words"));
}

TEST_CASE("a page says at which line each message was sent and received, with the source") {
  auto const run = viewed(lockstep::machine{lockstep::hypercube{2}}, sum_on_cube);
  auto const& messages = run.at("messages");
  auto const& places = run.at("places");
  auto const& sources = run.at("sources");
  for (auto const* const column : {"sendPlace", "receivePlace"})
    for (auto const& one : messages.at(column)) {
      auto const& place = places.at(one.get<std::size_t>());
      auto const& source = sources.at(place.at("file").get<std::size_t>());
      CHECK(source.at("name") == "view_trace_test.cpp");
      std::istringstream lines(source.at("text").get<std::string>());
      std::string line;
      for (auto at = place.at("line").get<int>(); at > 0; --at) std::getline(lines, line);
      CHECK(line.find("me.exchange(me.rank() ^ (1 << dimension), sum)") != std::string::npos);
    }
  auto const notes = lockstep::view_notes{.source = [](std::string const& file) {
    return std::optional<std::string>("text of " + file.substr(file.rfind('/') + 1));
  }};
  auto const found = viewed(lockstep::machine{lockstep::hypercube{2}}, sum_on_cube, notes);
  CHECK(found.at("sources").at(0).at("text") == "text of view_trace_test.cpp");
}

TEST_CASE("a page says in which calls of a library a call was made") {
  constexpr int send_line = __LINE__ + 3;
  auto const send_on = [](lockstep::processor& me, std::source_location where) {
    lockstep::library_call const call(me, where);
    me.send(1 - me.rank(), me.rank());
  };
  constexpr int line = __LINE__ + 2;
  auto const run = viewed(lockstep::machine{lockstep::crossbar{2}}, [&](lockstep::processor& me) {
    send_on(me, std::source_location::current());
    return me.receive_value<int>(1 - me.rank());
  });
  CHECK(reference::contradictions(run).empty());
  auto const& places = run.at("places");
  auto const place_at = [&](nlohmann::json const& number) {
    return places.at(number.get<std::size_t>());
  };
  auto const sent = place_at(run.at("messages").at("sendPlace")[0]);
  CHECK(sent.at("line") == send_line);
  auto const from = place_at(sent.at("from"));
  CHECK(from.at("line") == line);
  CHECK_FALSE(from.contains("from"));
  CHECK_FALSE(place_at(run.at("messages").at("receivePlace")[0]).contains("from"));
}

TEST_CASE("a page has the calls of each processor, and what it showed") {
  auto const run = viewed(lockstep::machine{lockstep::hypercube{2}}, sum_on_cube);
  auto const& calls = run.at("calls");
  // show, phase, and twice: send, receive, show
  CHECK(numbers{9, 3, 0, 1, 9, 0, 1, 9} ==
        numbers(calls.at("kind").begin(), calls.at("kind").begin() + 8));
  CHECK(reference::summed(calls.at("rank")).at(8) == 1);
  CHECK(calls.at("begin")[5] == 2);
  CHECK(calls.at("end")[6] == 3);
  CHECK(calls.at("other")[6] == 2);
  auto const& shows = run.at("shows");
  CHECK(reference::summed(shows.at("rank")) == numbers{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3});
  CHECK(numbers(shows.at("step").begin(), shows.at("step").begin() + 3) == numbers{0, 1, 2});
  CHECK(run.at("showNames") == json{"sum"});
  CHECK(shows.at("value").at(2) == json{{"number", 6}});
}

TEST_CASE("a page writes every kind of value that can be shown") {
  auto const run = viewed(lockstep::machine{lockstep::crossbar{1}}, [](processor& me) {
    me.show("a", std::vector{1, -2});
    me.show("b", std::vector{0.5, std::numeric_limits<double>::infinity()});
    me.show("c", "a \"text\" with </script>");
    me.show("d", std::vector{lockstep::block_label{1, 2}, lockstep::block_label{}});
    me.show("e", lockstep::rank_interval{0, 3});
    me.show("f", lockstep::matrix_view{2, std::vector{1, 2, 3, 4}});
    me.show("g", std::uint64_t{1} << 60U);
    me.show("h", std::int64_t{-(1LL << 60)});
    me.show("i", std::int64_t{1} << 53U);
  });
  auto const& values = run.at("shows").at("value");
  CHECK(values.at(0) == json{{"numbers", {1, -2}}});
  CHECK(values.at(1) == json{{"numbers", {0.5, nullptr}}});
  CHECK(values.at(2) == json{{"text", "a \"text\" with </script>"}});
  CHECK(values.at(3) == json{{"blocks", {{1, -2}, {2, -3}}}});
  CHECK(values.at(4) == json{{"intervals", {0, 3}}});
  CHECK(values.at(5) == json{{"matrix", {{"columns", 2}, {"numbers", {1, 2, 3, 4}}}}});
  CHECK(values.at(6) == json{{"number", "1152921504606846976"}});
  CHECK(values.at(7) == json{{"number", "-1152921504606846976"}});
  CHECK(values.at(8) == json{{"number", std::int64_t{1} << 53U}});
}

TEST_CASE("a page has the routes of messages that cross several links, each once") {
  auto const run = viewed(lockstep::machine{lockstep::torus{{8}}}, [](processor& me) {
    for (int i = 0; i < 2; ++i) {
      if (me.rank() == 0) me.send(3, 1);
      if (me.rank() == 3) (void)me.receive_value<int>(0);
    }
    if (me.rank() == 0) me.send(lockstep::along{0, -5}, 1);
    if (me.rank() == 3) (void)me.receive_value<int>(0);
  });
  CHECK(run.at("routes") == json{{0, 1, 2, 3}, {0, 7, 6, 5, 4, 3}});
  CHECK(run.at("messages").at("route").get<numbers>() == numbers{0, 0, 1});
  CHECK(run.at("machine").at("axes").at(0) == json{{"size", 8}, {"ring", true}});
}

TEST_CASE("a page numbers pipelined runs, and has passes where there are any") {
  auto const run =
      viewed(lockstep::machine{lockstep::crossbar{2}, {.ports = lockstep::ports::per_pass}},
             [](processor& me) {
               (void)me.exchange(1 - me.rank(), 1);
               for (int i = 0; i < 2; ++i)
                 me.pipelined([&] {
                   for (int round = 0; round < 2; ++round) (void)me.exchange(1 - me.rank(), 1);
                 });
               me.pass(3);
               (void)me.exchange(1 - me.rank(), 1);
             });
  CHECK(reference::contradictions(run).empty());
  CHECK(run.at("steps").at("pipelined").get<numbers>() == numbers{0, 1, 1, 2, 2, 0});
  CHECK(run.at("steps").at("startups").get<numbers>() == numbers{1, 1, 0, 1, 0, 1});
  CHECK(run.at("messages").at("pass").back() == 3);
}

TEST_CASE("the page of a run that failed says of what, up to the step of the error") {
  SECTION("deadlock") {
    auto const run = viewed(lockstep::machine{lockstep::crossbar{3}}, [](processor& me) {
      (void)me.exchange((me.rank() + 1) % 3, 1, (me.rank() + 2) % 3);
      (void)me.receive_value<int>((me.rank() + 1) % 3);
    });
    CHECK(reference::contradictions(run).empty());
    auto const& failure = run.at("failure");
    CHECK(failure.at("kind") == "deadlock");
    CHECK(failure.at("step") == 2);
    CHECK(failure.at("cycle") == json{0, 1, 2});
    CHECK(failure.at("waits").at(2).at("for") == 0);
    CHECK(failure.at("waits").at(2).at("since") == 2);
    auto const place = failure.at("waits").at(2).at("place").get<std::size_t>();
    CHECK(run.at("places").at(place).at("line") ==
          run.at("places").at(failure.at("place").get<std::size_t>()).at("line"));
    CHECK(run.at("counts").at("steps") == 1);
    CHECK(run.at("counts").at("messages") == 3);
  }
  SECTION("link contention") {
    auto const run =
        viewed(lockstep::machine{lockstep::torus{{8}}, {.strict = true}}, [](processor& me) {
          if (me.rank() < 2) me.send(me.rank() + 2, std::vector{1, 2});
          if (me.rank() == 2 || me.rank() == 3) (void)me.receive<int>(me.rank() - 2);
        });
    auto const& failure = run.at("failure");
    CHECK(failure.at("kind") == "link_contention");
    CHECK(failure.at("messages").at(0).at("route") == json{0, 1, 2});
    CHECK(failure.at("messages").at(1).at("route") == json{1, 2, 3});
    CHECK(failure.at("messages").at(1).at("step") == 1);
  }
  SECTION("a message that is left") {
    auto const run = viewed(lockstep::machine{lockstep::crossbar{2}}, [](processor& me) {
      if (me.rank() == 0) me.send(1, std::vector{1, 2, 3});
    });
    auto const& left = run.at("failure").at("messages").at(0);
    CHECK(left.at("from") == 0);
    CHECK(left.at("to") == 1);
    CHECK(left.at("words") == 3);
  }
  SECTION("the program's own exception") {
    auto const run = viewed(lockstep::machine{lockstep::crossbar{2}}, [](processor& me) {
      me.phase("only");
      (void)me.exchange(1 - me.rank(), 1);
      if (me.rank() == 1) throw std::runtime_error("<b>enough</b>");
    });
    CHECK(run.at("failure").at("kind") == "processor_failed");
    CHECK(run.at("failure").at("phase") == "only");
    CHECK(run.at("phases").at(0).at("steps") == 1);
  }
}

TEST_CASE("a page that has no room for all messages says where it ends, and so does finish") {
  lockstep::machine const two{lockstep::crossbar{2}};
  auto const program = [](processor& me) {
    for (int step = 0; step < 10; ++step) (void)me.exchange(1 - me.rank(), step);
  };
  auto const run = viewed(two, program, {}, 7);
  CHECK(run.at("complete") == false);
  CHECK(run.at("incomplete_why") ==
        "The page ends after step 3: a page has room for 7 messages and 262,144 steps.");
  CHECK(run.at("messages").at("from").size() == 6);
  CHECK(run.at("steps").at("volume").size() == 3);
  CHECK(run.at("counts").at("steps") == 10);
  std::ostringstream out;
  lockstep::view_trace trace(out, two, {.name = "run.html"}, 7);
  (void)two.run(program, trace);
  CHECK_THROWS_WITH(trace.finish(),
                    "the trace is incomplete: run.html ends after step 3: a page has room for 7 "
                    "messages and 262,144 steps");
}

TEST_CASE("a page shows what processors hold up to the last step whose numbers all fit") {
  constexpr std::size_t most_shown = 1'200;
  auto const recorded = [](std::size_t numbers_at_first, bool steps_come_backwards = false) {
    lockstep::detail::run_recording recording(lockstep::machine{lockstep::crossbar{4}}, "sample", 1,
                                              most_shown);
    for (int rank = 0; rank < 4; ++rank)
      for (std::uint64_t at = 0; at < 5; ++at) {
        auto const step = steps_come_backwards ? 4 - at : at;
        std::vector<std::int64_t> const held(step == 0 ? numbers_at_first : 100);
        recording.shown({rank, step, "held", lockstep::shown_numbers(held), {}});
      }
    recording.ended({});
    std::map<std::uint64_t, int> at_step;
    for (auto const& one : recording.shows()) ++at_step[one.step];
    return std::pair(at_step, recording.left_out());
  };
  using by_step = std::map<std::uint64_t, int>;
  std::string const after_2 = "lacks what processors showed after step 2: 1,200 numbers fit";
  CHECK(recorded(100) == std::pair(by_step{{0, 4}, {1, 4}, {2, 4}}, after_2));
  CHECK(recorded(100, true) == std::pair(by_step{{0, 4}, {1, 4}, {2, 4}}, after_2));
  CHECK(recorded(0) == std::pair(by_step{{0, 4}, {1, 4}, {2, 4}, {3, 4}},
                                 "lacks what processors showed after step 3: 1,200 numbers fit"s));
  CHECK(
      recorded(300) ==
      std::pair(by_step{{0, 4}}, "lacks what processors showed after step 0: 1,200 numbers fit"s));
  CHECK(recorded(301) == std::pair(by_step{}, "lacks what processors showed: 1,200 numbers fit"s));
}

TEST_CASE("a page without calls says that all are missing, whatever else is") {
  lockstep::detail::run_recording recording(lockstep::machine{lockstep::crossbar{2}}, "sample", 1);
  recording.cut_off("lacks the messages after step 3");
  recording.ended(
      {.calls_left_out = "lacks what processors called and showed: that takes more than 512 MiB"});
  CHECK(recording.left_out() ==
        "lacks the messages after step 3; it lacks all that processors called and showed: that "
        "takes more than 512 MiB");
}

TEST_CASE("what is shown after a page's last step is not on it") {
  auto const run = viewed(
      lockstep::machine{lockstep::crossbar{2}},
      [](processor& me) {
        for (int step = 0; step < 5; ++step) {
          (void)me.exchange(1 - me.rank(), step);
          me.show("step", step);
        }
      },
      {}, 4);
  CHECK(run.at("shows").at("step").get<numbers>() == numbers{1, 2, 1, 2});
}

TEST_CASE("what comes from a program cannot end the page's elements") {
  std::ostringstream out;
  lockstep::machine const two{lockstep::crossbar{2}};
  lockstep::view_trace trace(out, two, {.program = "</title><script>alert(1)</script>"});
  trace.describe({.members = {{"parameters", R"({"x":"</script>"})"}}});
  (void)two.run([](processor& me) { me.phase("<script>"); }, trace);
  trace.finish();
  auto const page = out.str();
  CHECK(page.find("alert(1)</script>") == std::string::npos);
  CHECK(page.find("&lt;/title&gt;&lt;script&gt;alert(1)") != std::string::npos);
  auto const run = reference::page_data(page).at("runs").at(0);
  CHECK(run.at("title") == "</title><script>alert(1)</script> on crossbar:2");
  CHECK(run.at("parameters").at("x") == "</script>");
  CHECK(lockstep::detail::viewer_script().find("</script") == std::string_view::npos);
  CHECK(page.find(lockstep::detail::viewer_script()) != std::string::npos);
  CHECK(page.find(lockstep::detail::viewer_style()) != std::string::npos);
}

TEST_CASE("claims of a program are on its page, judged") {
  lockstep::machine const cube{lockstep::hypercube{2}, {.recorded = true}};
  auto const run = cube.run([](processor& me) { (void)me.exchange(me.rank() ^ 1, me.rank()); });
  std::vector<lockstep::claim> const claims{
      {.figure = "steps", .formula = "1", .value = 1, .source = "by hand"},
      {.figure = "words",
       .formula = "log2 p - 2",
       .value = [](lockstep::problem_instance const& at) { return std::log2(at.p()) - 2; }},
      {.figure = "startups", .formula = "0", .value = 0, .where = {{"p = 1", false}}}};
  auto const json =
      lockstep::claims_as<nlohmann::ordered_json>(claims, run.counts(), {.parameters = {{"p", 4}}});
  auto const file = file_for("claims.html");
  run.view(file, {.members = {{"claims", json.dump()}}});
  std::ifstream in(file);
  std::string const page(std::istreambuf_iterator<char>(in), {});
  auto const shown = reference::page_data(page).at("runs").at(0).at("claims");
  REQUIRE(shown.size() == 3);
  CHECK(shown[0].at("verdict") == "equal");
  CHECK(shown[0].at("source") == "by hand");
  CHECK(shown[1].at("value") == 0);
  CHECK(shown[1].at("verdict") == "our program exceeds");
  CHECK(shown[2].at("where").at(0).at("met") == false);
  CHECK(shown[2].at("verdict") == "outside the claim");
}

TEST_CASE("two runs stand on one page") {
  std::ostringstream out;
  std::ostringstream unused;
  lockstep::machine const cube{lockstep::hypercube{2}};
  lockstep::machine const row{lockstep::mesh{{4}}};
  lockstep::view_trace first(out, cube, {.program = "cube"});
  lockstep::view_trace second(unused, row, {.program = "row"});
  (void)cube.run(sum_on_cube, first);
  (void)row.run(
      [](processor& me) {
        if (me.rank() > 0) (void)me.receive_value<int>(me.rank() - 1);
        if (me.rank() < 3) me.send(me.rank() + 1, 1);
      },
      second);
  first.put_beside(second);
  first.finish();
  auto const runs = reference::page_data(out.str()).at("runs");
  REQUIRE(runs.size() == 2);
  CHECK(runs.at(1).at("title") == "row on mesh:4");
  CHECK(runs.at(1).at("counts").at("steps") == 3);
  CHECK(out.str().find("<title>cube on hypercube:2 beside row on mesh:4</title>") !=
        std::string::npos);
}

TEST_CASE("run.view shows all of a recorded run, and says what others lack") {
  auto const file = file_for("run.html");
  lockstep::machine const recorded{lockstep::hypercube{2}, {.recorded = true}};
  lockstep::machine const plain{lockstep::hypercube{2}};
  auto const run = recorded.run(sum_on_cube);
  CHECK(run.counts() == plain.run(sum_on_cube).counts());
  run.view(file);
  auto const all = reference::page_data(text_of(file)).at("runs").at(0);
  CHECK(reference::contradictions(all).empty());
  CHECK(all.at("title") == "a run on hypercube:2");
  CHECK(all.at("complete") == true);
  CHECK(all.at("shows").at("step").size() == 12);

  plain.run(sum_on_cube).view(file, {.title = "a sum"});
  auto const some = reference::page_data(text_of(file)).at("runs").at(0);
  CHECK(some.at("title") == "a sum");
  CHECK(reference::contradictions(some).empty());
  CHECK(some.at("messages").at("from") == all.at("messages").at("from"));
  CHECK(some.at("incomplete_why") ==
        "The page lacks what processors called and showed: set machine_options::recorded, or give "
        "the run a view_trace.");
  CHECK_FALSE(some.contains("calls"));
  std::filesystem::remove(file);
}

TEST_CASE("idle steps are cheap on a page, however many they are") {
  constexpr auto idle = std::uint64_t{1} << 61U;
  lockstep::machine const pair{lockstep::crossbar{2}, {.max_steps = idle * 2, .recorded = true}};
  auto const run = pair.run([](processor& me) {
    for (std::uint64_t const steps : {std::uint64_t{0}, idle, std::uint64_t{1000}}) {
      me.idle(steps);
      me.show("value", me.exchange(1 - me.rank(), me.rank()));
    }
    me.idle(idle - 5'000);  // after which nothing comes
  });
  CHECK(run.counts().steps == idle + 1003);
  auto const file = std::filesystem::temp_directory_path() / "lockstep-idle-page.html";
  run.view(file);
  std::ifstream in(file);
  std::string const text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::filesystem::remove(file);
  auto const page = reference::page_data(text)["runs"][0];

  // One step with messages, one that stands for all the idle ones, a step with messages, a thousand
  // idle ones, and one with messages.
  auto const& steps = page["steps"];
  REQUIRE(steps["messages"].size() == 1003 + 1);
  CHECK(page["stretches"] == json::parse(R"([[2, "2305843009213693952"]])"));
  CHECK(page["complete"] == true);
  CHECK(reference::summed(page["messages"]["step"]) == numbers{1, 1, 3, 3, 1004, 1004});
  CHECK(reference::summed(page["messages"]["sent"]) == numbers{1, 1, 3, 3, 1004, 1004});
  CHECK(steps["messages"][0] == 2);
  CHECK(steps["messages"][1] == 0);
  CHECK(steps["messages"][2] == 2);
  CHECK(steps["totals"]["steps"][2] == "2305843009213693954");
  CHECK(page["shows"]["step"].get<numbers>() == numbers{1, 3, 1004, 1, 3, 1004});
  CHECK(reference::contradictions(page).empty());
  // The call that idles begins before the stretch and ends behind it; the last ends behind the page.
  auto const& calls = page["calls"];
  std::vector<std::pair<std::int64_t, std::int64_t>> idles;
  for (std::size_t at = 0; at < calls["kind"].size() / 2; ++at)
    if (calls["kind"][at] == static_cast<int>(lockstep::call_kind::idle))
      idles.emplace_back(calls["begin"][at], calls["end"][at]);
  CHECK(idles == std::vector<std::pair<std::int64_t, std::int64_t>>{
                     {1, 1}, {2, 3}, {4, 1004}, {1005, 1004 + 1000}});
}

TEST_CASE("a page of a run that is not recorded has room for idle steps, too") {
  constexpr auto idle = std::uint64_t{1} << 61U;
  lockstep::machine const pair{lockstep::crossbar{2}, {.max_steps = idle * 2}};
  auto const run = pair.run([](processor& me) {
    me.phase("before");
    (void)me.exchange(1 - me.rank(), me.rank());
    me.idle(2'000);
    me.phase("after");
    me.idle(idle);
    (void)me.exchange(1 - me.rank(), me.rank());
  });
  lockstep::detail::run_recording const kept(run);
  REQUIRE(kept.steps().size() == 4);
  CHECK(kept.steps()[1].steps == 2'000);
  CHECK(kept.steps()[1].first.phase == 0);
  CHECK(kept.steps()[2].steps == idle);
  CHECK(kept.steps()[2].first.phase == 1);
  CHECK(kept.last_step() == run.counts().steps);
}

namespace {

/// What a page records of a program that goes 400 times through a stretch of idle steps and an
/// exchange.
lockstep::detail::run_recording recorded_stretches(std::uint64_t idle) {
  lockstep::machine const pair{lockstep::crossbar{2}};
  lockstep::detail::run_recording kept(pair, "waits", 1'000);
  (void)pair.run(
      [idle](processor& me) {
        for (int time = 0; time < 400; ++time) {
          me.idle(idle);
          (void)me.exchange(1 - me.rank(), me.rank());
        }
      },
      kept);
  return kept;
}

}  // namespace

TEST_CASE("a page that would be full of idle steps shows those in a row as one") {
  auto const kept = recorded_stretches(900);
  CHECK(kept.left_out().empty());
  CHECK(kept.last_step() == 400 * 901);
  CHECK(kept.messages().size() == 800);
  REQUIRE(kept.steps().size() == 800);
  for (std::size_t at = 0; at < 800; at += 2) {
    REQUIRE(kept.steps()[at].steps == 900);
    REQUIRE(kept.steps()[at].first.messages == 0);
    REQUIRE(kept.steps()[at + 1].steps == 1);
    REQUIRE(kept.steps()[at + 1].first.step == (at / 2 + 1) * 901);
    REQUIRE(kept.steps()[at + 1].first.messages == 2);
  }
  CHECK(recorded_stretches(600).steps().size() == 400 * 601);  // which fit one by one
}

TEST_CASE("a page of a run that is not recorded joins idle steps alike") {
  lockstep::machine const pair{lockstep::crossbar{2}};
  auto const run = pair.run([](processor& me) {
    for (int time = 0; time < 400; ++time) {
      me.idle(900);
      (void)me.exchange(1 - me.rank(), me.rank());
    }
  });
  lockstep::detail::run_recording const kept(run);
  CHECK(kept.steps().size() == 800);
  CHECK(kept.last_step() == 400 * 901);
}

TEST_CASE("idle steps of two phases are not one step of a page, however full it is") {
  lockstep::machine const pair{lockstep::crossbar{2}};
  lockstep::detail::run_recording kept(pair, "waits", 10);
  (void)pair.run(
      [](processor& me) {
        for (int time = 0; time < 400; ++time) {
          me.phase("p" + std::to_string(time));
          me.idle(900);
        }
        (void)me.exchange(1 - me.rank(), me.rank());
      },
      kept);
  CHECK(kept.left_out().empty());
  REQUIRE(kept.steps().size() == 401);
  for (std::size_t at = 0; at < 400; ++at) {
    REQUIRE(kept.steps()[at].first.phase == at);
    REQUIRE(kept.steps()[at].steps == 900);
  }
}

TEST_CASE("a page ends where busy steps and stretches of idle ones are more than it has room for") {
  constexpr auto room = lockstep::view_trace::most_steps;
  lockstep::machine const pair{lockstep::crossbar{2}};
  lockstep::detail::run_recording kept(pair, "busy", 4 * room);
  (void)pair.run(
      [](processor& me) {
        me.idle(900);
        for (std::size_t time = 0; time < room + 5; ++time)
          (void)me.exchange(1 - me.rank(), me.rank());
        me.idle(2);
        (void)me.exchange(1 - me.rank(), me.rank());
      },
      kept);
  CHECK(kept.steps().size() == room);
  CHECK(kept.steps().front().steps == 900);
  CHECK(kept.last_step() == 900 + room - 1);
  CHECK(kept.messages().size() == 2 * (room - 1));
  CHECK_THAT(kept.left_out(),
             Catch::StartsWith("ends after step 263043: a page has room for 1,048,576 "
                               "messages and 262,144 steps"));
}

TEST_CASE("the data of a page with joined idle steps are true") {
  lockstep::machine const pair{lockstep::crossbar{2}, {.recorded = true}};
  auto const run = pair.run([](processor& me) {
    for (int time = 0; time < 400; ++time) {
      me.idle(900);
      me.show("value", me.exchange(1 - me.rank(), time));
    }
  });
  auto const file = file_for("waits.html");
  run.view(file);
  auto const page = reference::page_data(text_of(file))["runs"][0];
  std::filesystem::remove(file);
  CHECK(page["complete"] == true);
  CHECK(page["steps"]["messages"].size() == 800);
  REQUIRE(page["stretches"].size() == 400);
  CHECK(page["stretches"][0] == json::parse("[1, 900]"));
  CHECK(page["stretches"][399] == json::parse("[799, 900]"));
  CHECK(page["steps"]["totals"]["steps"].back() == 400 * 901);
  CHECK(reference::contradictions(page).empty());
}

TEST_CASE("the step of a page that shows a step of the run") {
  lockstep::step_record first;
  std::vector<lockstep::step_stretch> shown;
  for (auto const& [step, equal] :
       std::map<std::uint64_t, std::uint64_t>{{1, 1}, {2, 5'000}, {5'002, 1}}) {
    first.step = step;
    shown.push_back({first, equal});
  }
  std::map<std::uint64_t, std::uint64_t> const expected{
      {0, 0},         {1, 1},
      {2, 2},         {3, 2},
      {5'001, 2},     {5'002, 3},
      {5'003, 4},     {6'002, 1'003},
      {6'003, 1'003}, {std::numeric_limits<std::uint64_t>::max(), 1'003}};
  for (auto const& [step, on_page] : expected) {
    INFO(step);
    CHECK(lockstep::detail::step_of_page(shown, step) == on_page);
  }
  CHECK(lockstep::detail::step_of_page({}, 0) == 0);
  CHECK(lockstep::detail::step_of_page({}, 7) == 7);
}

TEST_CASE("every trace is told of idle steps at once") {
  constexpr auto idle = std::uint64_t{1} << 61U;
  lockstep::machine const pair{lockstep::crossbar{2}, {.max_steps = idle * 2}};
  std::ostringstream rows;
  std::ostringstream events;
  std::ostringstream pictures;
  std::ostringstream schedule;
  lockstep::csv_trace csv(rows);
  lockstep::chrome_trace chrome(events, pair);
  lockstep::dot_trace dot(pictures, pair);
  lockstep::goal_trace goal(schedule, pair);
  auto const run = pair.run(
      [](processor& me) {
        (void)me.exchange(1 - me.rank(), me.rank());
        me.idle(idle);
        (void)me.exchange(1 - me.rank(), me.rank());
      },
      csv, chrome, dot, goal);
  for (lockstep::trace* each : std::initializer_list<lockstep::trace*>{&csv, &chrome, &dot, &goal})
    each->finish();
  CHECK(run.counts().steps == idle + 2);
  CHECK(rows.str().find("\n2305843009213693954,2305843009213693954,1,0,") != std::string::npos);
  CHECK(events.str().find(R"("steps":2305843009213693954)") != std::string::npos);
  CHECK(pictures.str().find("step_2305843009213693954") != std::string::npos);
}

TEST_CASE("an observer that looks at each step sees each idle one") {
  struct step_log : lockstep::observer {
    std::vector<std::uint64_t> steps;
    void step(lockstep::step_record const& seen) override { steps.push_back(seen.step); }
  } log;
  (void)lockstep::machine{lockstep::crossbar{2}}.run(
      [](processor& me) {
        me.idle(2);
        (void)me.exchange(1 - me.rank(), me.rank());
        me.idle(1'500);
        (void)me.exchange(1 - me.rank(), me.rank());
      },
      log);
  REQUIRE(log.steps.size() == 1504);
  for (std::size_t at = 0; at < log.steps.size(); ++at) REQUIRE(log.steps[at] == at + 1);
}

TEST_CASE("run.view refuses a file that cannot be written, and a record of no machine") {
  auto const run = lockstep::machine{lockstep::crossbar{2}}.run([](processor&) {});
  CHECK_THROWS_AS(run.view(file_for("no_such_folder") / "run.html"), lockstep::incomplete_trace);
  CHECK_THROWS_AS(run.view(""), lockstep::incomplete_trace);
  if (std::filesystem::exists("/dev/full"))
    CHECK_THROWS_AS(run.view("/dev/full"), lockstep::incomplete_trace);
  CHECK_THROWS_AS(lockstep::run_record().view(file_for("none.html")), lockstep::invalid_argument);
}

TEST_CASE("where a page cannot be written, the file that has its name stays") {
  auto const folder = file_for("whole");
  std::filesystem::create_directory(folder);
  auto const file = folder / "run.html";
  std::ofstream(file) << "an older page";
  auto const run = lockstep::machine{lockstep::hypercube{1}, {.recorded = true}}.run(sum_on_edge);
  auto const no_source = [](std::string const&) -> std::optional<std::string> {
    throw std::runtime_error("no source");
  };
  CHECK_THROWS_WITH(run.view(file, {.source = no_source}), "no source");
  CHECK(text_of(file) == "an older page");
  run.view(file);
  CHECK_FALSE(reference::page_data(text_of(file)).empty());
  auto const files = std::filesystem::directory_iterator(folder);
  CHECK(std::distance(begin(files), end(files)) == 1);
  std::filesystem::create_directory(folder / "taken.html");
  CHECK_THROWS_AS(run.view(folder / "taken.html"), lockstep::incomplete_trace);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a process that ends while it writes a page leaves nothing of it behind") {
  auto const folder = file_for("ended");
  std::filesystem::create_directory(folder);
  auto const run = lockstep::machine{lockstep::hypercube{1}, {.recorded = true}}.run(sum_on_edge);
  for (char const* const before : {"", "an older page"}) {
    auto const file = folder / "run.html";
    if (*before != 0) std::ofstream(file) << before;
    auto const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {  // whose first 64 KiB are written, and which no handler sees end
      rlimit const least{std::uint64_t{1} << 16U, std::uint64_t{1} << 16U};
      rlimit const no_core{};
      ::setrlimit(RLIMIT_FSIZE, &least);
      ::setrlimit(RLIMIT_CORE, &no_core);
      ::signal(SIGXFSZ, SIG_DFL);
      run.view(file);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    auto const files = std::filesystem::directory_iterator(folder);
    CHECK(std::distance(begin(files), end(files)) == (*before == 0 ? 0 : 1));
    if (*before != 0) CHECK(text_of(file) == before);
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("a page's data have as many characters as browsers read") {
  lockstep::machine const two{lockstep::crossbar{2}};
  lockstep::detail::run_recording recording(two, "sample", 100);
  (void)two.run(
      [](processor& me) {
        for (int step = 0; step < 20; ++step) {
          me.show("random", std::vector(50, 0.1234567890123 + step));
          me.show("words", std::string(50, '\x01'));
          (void)me.exchange(1 - me.rank(), step);
        }
      },
      recording);
  auto const no_sources = lockstep::view_notes{
      .source = [](std::string const&) -> std::optional<std::string> { return std::nullopt; }};
  auto const written = [&](std::size_t characters) {
    return lockstep::detail::run_json(recording, no_sources, {.characters = characters});
  };
  auto const whole = written(std::size_t{1} << 20U);
  CHECK(whole.left_out.empty());
  CHECK(json::parse(whole.json).at("complete") == true);
  bool calls_gave_way = false;
  std::uint64_t steps_shown = 0;
  for (auto most = whole.json.size() + 1'500; !calls_gave_way && most > 1'000; most -= 500) {
    CAPTURE(most);
    auto const part = written(most);
    CHECK(part.json.size() < most + 500);  // with the sentence that says so
    auto const run = json::parse(part.json);
    CHECK(reference::contradictions(run).empty());
    CHECK(run.at("messages").at("sendPlace") == json::parse(whole.json)["messages"]["sendPlace"]);
    auto const shown = run.at("shows").at("step").get<std::vector<std::uint64_t>>();
    if (run.contains("calls")) {
      steps_shown = shown.empty() ? 0 : 1 + *std::ranges::max_element(shown);
      CHECK(shown.size() == 4 * steps_shown);
      CHECK(run.at("complete") == (steps_shown == 20));
      if (steps_shown > 0 && steps_shown < 20)
        CHECK(part.left_out ==
              fmt::format("lacks what processors showed after step {}: its data have {} characters "
                          "at most",
                          steps_shown - 1, lockstep::detail::grouped(most)));
    } else {
      calls_gave_way = true;
      CHECK(steps_shown == 0);  // what was shown gave way before
      CHECK(part.left_out.starts_with("lacks all that processors called: its data have "));
    }
    CHECK(run.at("incomplete_why") ==
          (part.left_out.empty() ? "" : fmt::format("The page {}.", part.left_out)));
  }
  CHECK(calls_gave_way);
  CHECK(
      written(100).left_out.ends_with("it is longer than a browser may read: its data have 100 "
                                      "characters at most"));
}

TEST_CASE("a page ends before the step whose routes it has no room for") {
  lockstep::machine const ring{lockstep::torus{{16}}};
  lockstep::detail::run_recording recording(ring, "sample", 1'000);
  (void)ring.run(
      [](processor& me) {
        for (int repeated = 0; repeated < 2; ++repeated)
          for (int by = 1; by < 8; ++by) {
            me.send((me.rank() + by) % 16, by);
            (void)me.receive_value<int>((me.rank() + 16 - by) % 16);
            me.show("by", by);
          }
      },
      recording);
  auto const written = [&](std::size_t characters) {
    return lockstep::detail::run_json(recording, {}, {.route_characters = characters});
  };
  auto const whole = json::parse(lockstep::detail::run_json(recording, {}).json);
  CHECK(whole.at("complete") == true);
  auto routes = whole.at("routes");
  REQUIRE(routes.size() == 6 * 16);  // by 2 links to 7, each once
  auto const all = routes.dump().size() - 1;
  CHECK(written(all).left_out.empty());
  CHECK(json::parse(written(all).json) == whole);
  routes.erase(routes.begin() + 5 * 16, routes.end());
  for (auto const characters : {all - 1, routes.dump().size() - 1}) {
    auto const part = written(characters);
    CHECK(part.left_out ==
          fmt::format("ends after step 6: a page has room for routes of {} characters",
                      lockstep::detail::grouped(characters)));
    auto const run = json::parse(part.json);
    CHECK(run.at("steps").at("words").size() == 6);
    CHECK(run.at("messages").at("from").size() == 6 * 16);
    CHECK(run.at("routes") == routes);
    CHECK(run.at("shows").at("step").size() == 6 * 16);
    CHECK(run.at("counts").at("steps") == 14);
  }
  CHECK(json::parse(written(0).json).at("steps").at("words").size() == 1);
}

TEST_CASE("browsers read the data of a page, of two runs, too") {
  constexpr std::size_t longest_text = 0x1fffffe8;  // of V8, in UTF-16
  CHECK(lockstep::detail::limits_of_each(1).characters < longest_text);
  CHECK(2 * lockstep::detail::limits_of_each(2).characters < longest_text);
  CHECK(lockstep::detail::limits_of_each(2).route_characters <
        lockstep::detail::limits_of_each(2).characters);
}

TEST_CASE("labels of any rank are written, whatever their differences") {
  auto const run = viewed(lockstep::machine{lockstep::crossbar{1}}, [](processor& me) {
    me.show("blocks", std::vector<lockstep::block_label>{{2147483647, 0}, {-2, 0}});
  });
  CHECK(run.at("shows").at("value").at(0) ==
        json{{"blocks", {{2147483647, -2147483649LL}, {0, 0}}}});
}

TEST_CASE("a view_trace is of one run, of its own machine") {
  lockstep::machine const two{lockstep::crossbar{2}};
  lockstep::machine const cube{lockstep::hypercube{2}};
  lockstep::machine const row{lockstep::mesh{{4}}};
  auto const program = [](processor& me) { (void)me.exchange(me.rank() ^ 1, 1); };
  std::ostringstream out;
  SECTION("a second run") {
    lockstep::view_trace trace(out, two);
    (void)two.run(program, trace);
    auto const again =
        "a view_trace that was told of a second run: a page has room for one; give each run a "
        "view_trace of its own";
    CHECK_THROWS_WITH(two.run(program, trace), Catch::StartsWith(again));
    CHECK_THROWS_AS(two.run([](processor&) {}, trace), lockstep::invalid_argument);
    trace.finish();
    auto const run = reference::page_data(out.str()).at("runs").at(0);
    CHECK(reference::contradictions(run).empty());
    CHECK(run.at("counts").at("messages") == 2);
    CHECK(run.at("complete") == true);
  }
  SECTION("a larger machine") {
    lockstep::view_trace trace(out, two);
    CHECK_THROWS_WITH(
        cube.run(program, trace),
        Catch::StartsWith("a view_trace for crossbar:2 that was told of processor 3: give it the "
                          "machine that runs"));
    CHECK_THROWS_WITH(trace.finish(),
                      Catch::StartsWith("the trace is incomplete: the trace lacks all that"));
    auto const run = reference::page_data(out.str()).at("runs").at(0);
    CHECK(run.at("failure").at("kind") == "invalid_argument");
  }
  SECTION("a machine of the same size") {
    lockstep::view_trace trace(out, cube);
    CHECK_THROWS_WITH(row.run(program, trace),
                      Catch::StartsWith("a view_trace for hypercube:2 that was told of a run on "
                                        "mesh:4: give it the machine that runs"));
  }
  SECTION("no run") {
    lockstep::view_trace trace(out, two, {.name = "run.html"});
    CHECK_THROWS_WITH(
        trace.finish(),
        Catch::StartsWith("the trace is incomplete: run.html has no run, for none has "
                          "ended that was told to it"));
    auto const run = reference::page_data(out.str()).at("runs").at(0);
    CHECK(run.at("complete") == false);
    CHECK(run.at("incomplete_why") ==
          "The page has no run, for none has ended that was told to it.");
  }
}

TEST_CASE("of many numbers a page has every n-th, and how all are spread") {
  std::vector<std::int64_t> const few(256, 7);
  std::vector<std::int64_t> many(1'000);
  std::iota(many.begin(), many.end(), -1);
  std::vector<double> const wild{std::numeric_limits<double>::max(),
                                 std::numeric_limits<double>::lowest(), 0, 1,
                                 std::numeric_limits<double>::infinity()};
  std::vector<double> repeated;
  for (int times = 0; times < 60; ++times)
    repeated.insert(repeated.end(), wild.begin(), wild.end());
  auto const run = viewed(lockstep::machine{lockstep::crossbar{1}}, [&](processor& me) {
    me.show("few", few);
    me.show("many", many);
    me.show("wild", repeated);
    me.show("none", std::vector(300, std::numeric_limits<double>::quiet_NaN()));
    me.show("same", std::vector<std::uint64_t>(257, ~std::uint64_t{0}));
    me.show("digits", std::vector<int>(many.begin() + 1, many.begin() + 301));
  });
  auto const& values = run.at("shows").at("value");
  CHECK(values.at(0) == json{{"numbers", few}});
  auto const& sample = values.at(1).at("sample");
  CHECK(sample.at("count") == 1'000);
  CHECK(sample.at("every") == 4);
  REQUIRE(sample.at("numbers").size() == 250);
  for (std::size_t at = 0; at < 250; ++at) CHECK(sample.at("numbers")[at] == many[4 * at]);
  CHECK(sample.at("least") == -1);
  CHECK(sample.at("most") == 998);
  CHECK(sample.at("mean") == 498.5);
  CHECK(sample.at("notFinite") == 0);
  auto const parts = sample.at("histogram").get<numbers>();
  CHECK(parts.size() == 32);
  CHECK(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}) == 1'000);
  for (auto const part : parts) CHECK((part == 31 || part == 32));
  auto const& extreme = values.at(2).at("sample");
  CHECK(extreme.at("notFinite") == 60);
  CHECK(std::abs(extreme.at("mean").get<double>()) <= 1);  // no sum was beyond the range
  CHECK(extreme.at("histogram")[0] == 60);
  CHECK(extreme.at("histogram")[16] == 120);
  CHECK(extreme.at("histogram")[31] == 60);
  auto const& none = values.at(3).at("sample");
  CHECK(none.at("least").is_null());
  CHECK(none.at("notFinite") == 300);
  CHECK(none.at("histogram").empty());
  CHECK(values.at(4).at("sample").at("histogram") == json{257});
  CHECK(values.at(4).at("sample").at("most") == "18446744073709551615");
  CHECK(values.at(5).at("sample").at("histogram").size() == 32);
}

TEST_CASE("each whole number of few has a part of its own in a histogram") {
  auto const run = viewed(lockstep::machine{lockstep::crossbar{1}}, [](processor& me) {
    std::vector<int> digits;
    for (int at = 0; at < 300; ++at) digits.push_back(at % 10 - 3);
    me.show("digits", digits);
  });
  CHECK(run.at("shows").at("value").at(0).at("sample").at("histogram") == json(numbers(10, 30)));
}

TEST_CASE("of a large matrix a page has every n-th row and column") {
  std::vector<int> whole(90 * 100);
  std::iota(whole.begin(), whole.end(), 0);
  auto const run = viewed(lockstep::machine{lockstep::crossbar{1}}, [&](processor& me) {
    me.show("whole", lockstep::matrix_view{100, whole});
    me.show("row", lockstep::matrix_view{9'000, whole});
    me.show("small", lockstep::matrix_view{40, std::span(whole).first(1'600)});
  });
  auto const& values = run.at("shows").at("value");
  auto const& matrix = values.at(0).at("matrix");
  CHECK(matrix.at("of") == json{90, 100});
  CHECK(matrix.at("every") == 3);
  CHECK(matrix.at("columns") == 34);
  REQUIRE(matrix.at("numbers").size() == 30 * 34);
  for (std::size_t row = 0; row < 30; ++row)
    for (std::size_t column = 0; column < 34; ++column)
      CHECK(matrix.at("numbers")[34 * row + column] == 300 * row + 3 * column);
  CHECK(values.at(1).at("matrix").at("numbers").size() == 1'500);
  CHECK(values.at(1).at("matrix").at("every") == 6);
  CHECK_FALSE(values.at(2).at("matrix").contains("every"));
  CHECK(values.at(2).at("matrix").at("numbers").size() == 1'600);
}

TEST_CASE("what a prepared page has in bytes is what is written") {
  lockstep::machine const two{lockstep::crossbar{2}};
  std::ostringstream out;
  lockstep::view_trace trace(out, two);
  (void)two.run(sum_on_edge, trace);
  auto const before = trace.prepare();
  trace.describe({.title = std::string(1'000, 'x')});
  auto const bytes = trace.prepare();
  CHECK(bytes > before + 1'000);
  CHECK(out.str().empty());
  trace.finish();
  CHECK(out.str().size() == bytes);
}

TEST_CASE("members of notes are JSON, of the kind that a page reads there") {
  std::filesystem::remove(file_for("members.html"));
  std::map<std::string, std::string> const right{
      {"claims", R"([{"figure":"steps"}])"},
      {"bounds", "[]"},
      {"explanation", R"(["One.", "Two \u00e9"])"},
      {"call", "\"f(x)\""},
      {"header", R"("")"},
      {"parameters", R"({"n": [1, -2.5e+3, {"a": null}]})"},
      {"figures", "{}"},
      {"of my own", " [true, false] "}};
  lockstep::machine const two{lockstep::crossbar{2}, {.recorded = true}};
  std::ostringstream out;
  lockstep::view_trace trace(out, two);
  CHECK_NOTHROW(trace.describe({.members = right}));
  auto const record = two.run(sum_on_edge);
  std::vector<std::string> const malformed{"",
                                           "nul",
                                           "nulll",
                                           "null, 1",
                                           "[1,]",
                                           "[1",
                                           "]",
                                           "{\"a\"}",
                                           "{a:1}",
                                           "{1:2}",
                                           "{\"a\":1,}",
                                           "\"a",
                                           "\"\n\"",
                                           "\"\\x\"",
                                           "\"\\u12g4\"",
                                           "'a'",
                                           "01",
                                           "1.",
                                           ".5",
                                           "1e",
                                           "+1",
                                           "-",
                                           "NaN",
                                           "undefined",
                                           "1 2",
                                           "[]]",
                                           "{}}",
                                           "[\"a\" \"b\"]",
                                           "1\0"s,
                                           std::string(300, '['),
                                           std::string(300, '[') + std::string(300, ']')};
  auto const refuses = [&](std::string const& name, std::string const& text) {
    CAPTURE(name, text);
    lockstep::view_notes const notes{.members = {{name, text}}};
    CHECK_THROWS_AS(trace.describe(notes), lockstep::invalid_argument);
    CHECK_THROWS_AS(record.view(file_for("members.html"), notes), lockstep::invalid_argument);
  };
  std::map<std::string, std::string> const kinds{
      {"null", "null"},    {"truth", "true"},     {"number", "1"},     {"text", R"("a")"},
      {"object", "{}"},    {"texts", R"(["a"])"}, {"objects", "[{}]"}, {"lists", "[[]]"},
      {"nulls", "[null]"}, {"numbers", "[1]"}};
  std::map<std::string, std::set<std::string>> const read{
      {"claims", {"objects"}}, {"bounds", {"objects"}}, {"explanation", {"texts"}},
      {"call", {"text"}},      {"header", {"text"}},    {"parameters", {"object"}},
      {"figures", {"object"}}};
  for (auto const& [name, takes] : read) {
    for (auto const& text : malformed) refuses(name, text);
    for (auto const& [kind, text] : kinds) {
      if (takes.contains(kind))
        CHECK_NOTHROW(trace.describe({.members = {{name, text}}}));
      else
        refuses(name, text);
    }
  }
  for (auto const& text : malformed) refuses("of my own", text);
  CHECK_THROWS_WITH(trace.describe({.members = {{"claims", "null"}}}),
                    Catch::StartsWith("view_notes with a member claims that is null: a page reads "
                                      "there a list of objects; give it that, or leave it out"));
  CHECK_FALSE(std::filesystem::exists(file_for("members.html")));
}

TEST_CASE("a page lists the sentences of an explanation") {
  std::filesystem::remove(file_for("explained.html"));
  lockstep::machine const two{lockstep::crossbar{2}, {.recorded = true}};
  auto const listed = [&](std::string const& explanation) {
    return viewed(two, sum_on_edge, {.explanation = explanation}).at("explanation");
  };
  using list = std::vector<std::string>;
  CHECK(listed("").empty());
  CHECK(listed(" \n").empty());
  CHECK(listed("Each sends its own.") == json(list{"Each sends its own."}));
  CHECK(listed("It takes 1.5 steps. Then \"all\" add.\n\n  Done, i.e.\\ over\n") ==
        json(list{"It takes 1.5 steps.", "Then \"all\" add.", "Done, i.e.\\ over"}));
  CHECK(viewed(two, sum_on_edge, {.members = {{"explanation", R"(["One. Two."])"}}})
            .at("explanation") == json(list{"One. Two."}));

  lockstep::view_notes const both{.members = {{"explanation", R"(["One."])"}},
                                  .explanation = "One."};
  auto const said = Catch::Equals(
      "view_notes with an explanation, and with a member explanation too: give one of them");
  std::ostringstream out;
  lockstep::view_trace trace(out, two);
  auto const record = two.run(sum_on_edge);
  CHECK_THROWS_WITH(trace.describe(both), said);
  CHECK_THROWS_WITH(record.view(file_for("explained.html"), both), said);
  CHECK_FALSE(std::filesystem::exists(file_for("explained.html")));
}

TEST_CASE("notes may add members to a run, and replace none") {
  std::filesystem::remove(file_for("members.html"));
  lockstep::machine const two{lockstep::crossbar{2}, {.recorded = true}};
  auto const named = [](std::string const& name) {
    std::map<std::string, std::string> const read{{"claims", "[]"},      {"bounds", "[]"},
                                                  {"explanation", "[]"}, {"call", R"("")"},
                                                  {"header", R"("")"},   {"parameters", "{}"}};
    return lockstep::view_notes{.members = {{name, read.contains(name) ? read.at(name) : "1"}}};
  };
  auto const run = viewed(
      two, [](processor&) {}, named("a \"quoted\" name\n"));
  CHECK(run.at("a \"quoted\" name\n") == 1);
  std::ostringstream out;
  lockstep::view_trace trace(out, two);
  auto const record = two.run(sum_on_edge);
  std::set<std::string> const of_notes{"claims",      "bounds", "parameters",
                                       "explanation", "call",   "header"};
  auto const recorded = viewed(two, sum_on_edge);
  CHECK(recorded.contains("calls"));
  for (auto const& [name, unused] : recorded.items()) {
    CAPTURE(name);
    if (of_notes.contains(name)) {
      CHECK_NOTHROW(trace.describe(named(name)));
    } else {
      CHECK_THROWS_AS(trace.describe(named(name)), lockstep::invalid_argument);
      CHECK_THROWS_AS(record.view(file_for("members.html"), named(name)),
                      lockstep::invalid_argument);
    }
  }
  CHECK_FALSE(std::filesystem::exists(file_for("members.html")));
}

TEST_CASE("the counts of a run that failed are those of what it did, or are left out") {
  auto const program = [](processor& me) {
    me.phase("only");
    me.rearrange(me.rank() == 0 ? 5 : 7);
    (void)me.exchange(1 - me.rank(), 1);
    if (me.rank() == 0) me.rearrange(3);
    (void)me.exchange(1 - me.rank(), 1);
    throw std::runtime_error("enough");
  };
  lockstep::machine const two{lockstep::crossbar{2}};
  auto const run = viewed(two, program);
  CHECK(run.at("counts").at("rearrangements") == 2);
  CHECK(run.at("counts").at("rearranged") == 7 + 3);
  auto const& phase = run.at("phases").at(0);
  CHECK(phase.at("words") == 2);
  CHECK_FALSE(phase.contains("rearranged"));
  CHECK_FALSE(phase.contains("port_words"));

  lockstep::detail::run_recording without_calls(two, "sample", 10);
  without_calls.ended({.failure = std::make_exception_ptr(std::runtime_error("enough")),
                       .calls_left_out = "lacks what processors called"});
  auto const counts = json::parse(lockstep::detail::run_json(without_calls, {}).json).at("counts");
  CHECK(counts.contains("words"));
  CHECK_FALSE(counts.contains("rearrangements"));
  CHECK_FALSE(counts.contains("rearranged"));
}

TEST_CASE("pages are the same on each engine", "[threads]") {
  std::vector<json> pages;
  for (auto const& engine : reference::all_engines())
    pages.push_back(
        viewed(lockstep::machine{lockstep::hypercube{2}, reference::on(engine)}, [](processor& me) {
          sum_on_cube(me);
          if (me.rank() == 3) me.send(3, 1);
          (void)me.receive_value<int>(me.rank() ^ 1);
        }));
  for (auto const& page : pages) CHECK(page == pages.front());
}

TEST_CASE("base64 is what RFC 4648 says") {
  CHECK(lockstep::detail::in_base64("") == "");
  CHECK(lockstep::detail::in_base64("f") == "Zg==");
  CHECK(lockstep::detail::in_base64("fo") == "Zm8=");
  CHECK(lockstep::detail::in_base64("foo") == "Zm9v");
  CHECK(lockstep::detail::in_base64("foobar") == "Zm9vYmFy");
  CHECK(lockstep::detail::in_base64("\xFF\xFE") == "//4=");
}

TEST_CASE("a page has the work of each step, and what each processor works", "[view]") {
  auto const run = viewed(lockstep::machine(lockstep::crossbar{2}), [](processor& me) {
    me.work(4 + me.rank());
    static_cast<void>(me.exchange(1 - me.rank(), 1L));
    me.work(7);
  });
  CHECK(reference::contradictions(run).empty());
  CHECK(run["steps"]["work"] == json{5, 7});
  CHECK(run["steps"]["totals"]["work"] == json{5, 12});
  CHECK(run["steps"]["totals"]["operations"] == json{9, 23});
  CHECK(run["counts"]["work"] == 12);
  auto const& calls = run["calls"];
  std::vector<std::int64_t> worked;
  for (std::size_t at = 0; at < calls["kind"].size(); ++at)
    if (calls["kind"][at] == static_cast<int>(lockstep::call_kind::work))
      worked.push_back(calls["other"][at]);
  CHECK(worked == std::vector<std::int64_t>{4, 7, 5, 7});
}
