#include <lockstep/traces/dot_trace.hpp>

#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/full_disk.hpp"
#include "core/machines.hpp"

namespace {

using namespace lockstep;
using strings = std::vector<std::string>;

template <class Program>
std::string dot_of(machine const& on, Program const& program, std::string const& title = "test") {
  std::ostringstream out;
  dot_trace trace(out, on, {.program = title});
  on.run(program, trace);
  trace.finish();
  return out.str();
}

/// The pictures, one by one.
strings pictures(std::string const& text) {
  strings found;
  for (auto begin = text.find("digraph"); begin != std::string::npos;) {
    auto const next = text.find("digraph", begin + 1);
    found.push_back(text.substr(begin, next - begin));
    begin = next;
  }
  return found;
}

/// "FROM -> TO: LABEL COLOUR" of each arrow.
strings arrows(std::string const& picture) {
  static std::regex const arrow(
      "  ([0-9]+ -> [0-9]+) \\[pos=\"e,[^\"]*\", label=\"([^\"]*)\", lp=\"[^\"]*\", "
      "color=\"(#[0-9a-f]*)\"");
  strings found;
  for (std::sregex_iterator at(picture.begin(), picture.end(), arrow), end; at != end; ++at)
    found.push_back((*at)[1].str() + ": " + (*at)[2].str() + " " + (*at)[3].str());
  return found;
}

/// Finds a processor's place.
std::string place(std::string const& picture, int rank) {
  std::regex const node("  " + std::to_string(rank) + " \\[pos=\"([^\"]*)\"\\]");
  std::smatch found;
  return std::regex_search(picture, found, node) ? found[1].str() : "nowhere";
}

std::string const blue = " #0b5394";
std::string const grey = " #888888";
std::string const red = " #cc0000";

}  // namespace

TEST_CASE("a picture for each step in which messages come in", "[trace][sanitize][threads]") {
  auto const choice = GENERATE(from_range(reference::all_engines()));
  auto const drawn =
      pictures(dot_of(machine{hypercube{2}, reference::on(choice)}, [](processor& me) {
        (void)me.exchange(me.rank() ^ 1, std::vector<int>(static_cast<std::size_t>(me.rank())));
        me.idle();
        me.phase("last");
        if (me.rank() == 0) me.send(2, 1);
        if (me.rank() == 2) (void)me.receive<int>(0);
      }));
  REQUIRE(drawn.size() == 2);
  CHECK(drawn[0].starts_with("digraph step_000001 {"));
  CHECK(drawn[0].ends_with("}\n"));
  CHECK(drawn[0].find("label=\"step 1\"") != std::string::npos);
  CHECK(drawn[0].find("label=\"3 messages of 6 words and 1 empty one\"") != std::string::npos);
  CHECK(arrows(drawn[0]) ==
        strings{"0 -> 1: 0" + grey, "1 -> 0: 1" + blue, "2 -> 3: 2" + blue, "3 -> 2: 3" + blue});
  CHECK(drawn[1].starts_with("digraph step_000003 {"));
  CHECK(drawn[1].find("label=\"step 3: last\"") != std::string::npos);
  CHECK(drawn[1].find("label=\"1 message of 1 word\"") != std::string::npos);
  CHECK(arrows(drawn[1]) == strings{"0 -> 2: 1" + blue});
  // Senders and receivers.
  CHECK(drawn[1].find("  0 [fillcolor=\"#fff2cc\"]") != std::string::npos);
  CHECK(drawn[1].find("  2 [fillcolor=\"#cfe2f3\"]") != std::string::npos);
  CHECK(drawn[0].find("  3 [fillcolor=\"#d9ead3\"]") != std::string::npos);
}

TEST_CASE("every link of a route is drawn, and red where messages share it", "[trace][sanitize]") {
  auto const drawn = dot_of(machine{torus{{1, 6}}}, [](processor& me) {
    me.phase("the long way");
    if (me.rank() == 0) me.send(along{1, -4}, std::vector<int>(9));
    if (me.rank() == 2) (void)me.receive<int>(0);
    if (me.rank() == 5) me.send(3, std::vector<int>(2));
    if (me.rank() == 3) (void)me.receive<int>(5);
  });
  CHECK(arrows(drawn) == strings{"0 -> 5: 9" + blue, "3 -> 2: 9" + blue, "4 -> 3: 9 + 2" + red,
                                 "5 -> 4: 9 + 2" + red});
  CHECK(drawn.find("label=\"2 messages of 11 words; 2 share a link\"") != std::string::npos);
}

TEST_CASE("messages that share a link with empty ones do not share it", "[trace][sanitize]") {
  auto const drawn = dot_of(machine{torus{{1, 6}}}, [](processor& me) {
    if (me.rank() < 2)
      me.send(2 + me.rank(), std::vector<int>(static_cast<std::size_t>(me.rank())));
    if (me.rank() > 1 && me.rank() < 4) (void)me.receive<int>(me.rank() - 2);
  });
  CHECK(arrows(drawn) == strings{"0 -> 1: 0" + grey, "1 -> 2: 0 + 1" + blue, "2 -> 3: 1" + blue});
}

TEST_CASE("arrows of empty messages are dashed, and it is said so", "[trace][sanitize]") {
  auto const words = [](std::size_t from_0, std::size_t from_1) {
    return dot_of(machine{hypercube{1}}, [=](processor& me) {
      (void)me.exchange(me.rank() ^ 1, std::vector<int>(me.rank() == 0 ? from_0 : from_1));
    });
  };
  auto const solid = std::string("style=solid];");
  auto const dashed = std::string("style=dashed];");
  auto const has = [](std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
  };
  auto const none_empty = words(2, 1);
  CHECK(has(none_empty, "label=\"2 messages of 3 words\""));
  CHECK(has(none_empty, solid));
  CHECK_FALSE(has(none_empty, "dashed"));
  auto const one_empty = words(0, 1);
  CHECK(has(one_empty, "label=\"1 message of 1 word and 1 empty one\""));
  CHECK(has(one_empty, solid));
  CHECK(has(one_empty, dashed));
  CHECK(has(one_empty, "   dashed: empty\""));
  auto const both_empty = words(0, 0);
  CHECK(has(both_empty, "label=\"2 empty messages\""));
  CHECK_FALSE(has(both_empty, solid));
  CHECK(has(both_empty, dashed));
}

TEST_CASE("processors stand where the network has them", "[trace][sanitize]") {
  auto const exchange = [](processor& me) {
    if (me.topology().adjacent(me.rank(), me.rank() ^ 1)) (void)me.exchange(me.rank() ^ 1, 1);
  };
  SECTION("rows and columns of a torus") {
    auto const drawn = dot_of(machine{torus{{2, 3}}},
                              [](processor& me) { (void)me.exchange((me.rank() + 3) % 6, 1); });
    CHECK(place(drawn, 0) == "0.0,80.0");
    CHECK(place(drawn, 2) == "160.0,80.0");
    CHECK(place(drawn, 3) == "0.0,0.0");
  }
  SECTION("a cube") {
    auto const drawn = dot_of(machine{hypercube{3}}, exchange);
    CHECK(place(drawn, 0) == "0.0,80.0");
    CHECK(place(drawn, 1) == "80.0,80.0");
    CHECK(place(drawn, 2) == "0.0,0.0");
    CHECK(place(drawn, 4) == "33.6,108.8");
  }
  SECTION("a tree, in order, by levels") {
    auto const drawn = dot_of(machine{binary_tree{2}}, [](processor& me) {
      if (me.rank() == 0) me.send(1, 1);
      if (me.rank() == 1) (void)me.receive<int>(0);
    });
    CHECK(place(drawn, 0) == "0.0,0.0");
    CHECK(place(drawn, 1) == "48.0,96.0");
    CHECK(place(drawn, 2) == "96.0,0.0");
  }
  SECTION("where a network of one's own places them") {
    class staircase : public topology {
     public:
      [[nodiscard]] int size() const override { return 4; }
      [[nodiscard]] std::string spec() const override { return "staircase"; }
      [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override {
        return {{rank ^ 1, "pair"}};
      }
      [[nodiscard]] std::vector<layout_point> layout() const override {
        std::vector<layout_point> places;
        for (int rank = 0; rank < size(); ++rank) places.push_back({1.0 * rank, 0.5 * rank - 3});
        return places;
      }
    };
    auto const drawn = dot_of(machine{staircase{}}, exchange);
    CHECK(place(drawn, 0) == "0.0,0.0");
    CHECK(place(drawn, 3) == "240.0,120.0");
  }
  SECTION("others on a circle") {
    auto const drawn = dot_of(machine{crossbar{4}}, exchange);
    CHECK(place(drawn, 0) == "64.0,128.0");
    CHECK(place(drawn, 1) == "128.0,64.0");
  }
}

TEST_CASE("a name is shown as it is", "[trace][sanitize]") {
  auto const drawn = dot_of(
      machine{hypercube{1}},
      [](processor& me) {
        me.phase("\"a\\N\n&lt; \xff");
        (void)me.exchange(me.rank() ^ 1, 1);
      },
      "\"p\"");
  CHECK(drawn.find("label=\"step 1: \\\"a\\\\N &amp;lt; \uFFFD\"") != std::string::npos);
  CHECK(drawn.find("label=\"\\\"p\\\" on hypercube:1\"") != std::string::npos);
}

TEST_CASE("a picture has room for 1,024 processors", "[trace]") {
  std::ostringstream out;
  CHECK_THROWS_AS(dot_trace(out, machine{hypercube{11}}), invalid_argument);
  CHECK(out.str().empty());
  CHECK_NOTHROW(dot_trace(out, machine{hypercube{10}}));
}

TEST_CASE("steps beyond the limit are left out, and it is said so", "[trace][sanitize]") {
  std::ostringstream out;
  machine const two{hypercube{1}};
  dot_trace trace(out, two, {.name = "run.dot"}, 2);
  (void)two.run(
      [](processor& me) {
        for (int step = 0; step < 3; ++step) (void)me.exchange(me.rank() ^ 1, step);
      },
      trace);
  CHECK_THROWS_WITH(trace.finish(),
                    Catch::Matchers::StartsWith(
                        "the trace is incomplete: run.dot has pictures of the first 2 steps"));
  CHECK(pictures(out.str()).size() == 2);
}

TEST_CASE("pictures that cannot be written are told of", "[trace][sanitize]") {
  reference::check_told_of_full_disk<dot_trace>(1000, "run.dot");
}
