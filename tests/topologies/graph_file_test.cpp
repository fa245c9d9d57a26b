#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/graph.hpp>
#include <lockstep/topologies/parse.hpp>

#include "../catch.hpp"
#include "message_of.hpp"

using lockstep::graph;
using lockstep::invalid_topology;

namespace {

/// A file with that text, for as long as this lives.
class links_file {
 public:
  explicit links_file(std::string_view text)
      : m_path(std::filesystem::temp_directory_path() /
               ("lockstep-links-" + std::to_string(::getpid()) + ".txt")) {
    std::ofstream(m_path) << text;
  }
  links_file(links_file const&) = delete;
  links_file& operator=(links_file const&) = delete;
  ~links_file() { std::filesystem::remove(m_path); }

  [[nodiscard]] std::string path() const { return m_path.string(); }

 private:
  std::filesystem::path m_path;
};

std::vector<lockstep::link> links_of(lockstep::topology const& network) {
  std::vector<lockstep::link> links;
  for (lockstep::link_number number = 0; number < network.links(); ++number)
    links.push_back(network.link_at(number));
  return links;
}

/// What is said of a file with that text, behind its name.
std::string refusal_of(std::string_view text) {
  links_file const file(text);
  auto const said = message_of<invalid_topology>([&] { return graph::from_file(file.path()); });
  auto const name = "graph:" + file.path();
  CHECK(said.starts_with(name));
  return said.substr(std::min(name.size(), said.size()));
}

}  // namespace

TEST_CASE("a graph is read from a file of links", "[graph]") {
  links_file const file(
      "# a triangle with a tail\n"
      "0 1\n"
      "1,2   # both ways, too\n"
      "\n"
      "\t2 , 0\r\n"
      "2 -> 3\n"
      "3->4");
  auto const network = graph::from_file(file.path());
  CHECK(network.size() == 5);
  CHECK(network.spec() == "graph:" + file.path());
  CHECK(links_of(network) == std::vector<lockstep::link>{
                                 {0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}, {2, 3}, {3, 4}});
  auto const parsed = lockstep::parse(network.spec());
  CHECK(parsed->spec() == network.spec());
  CHECK(links_of(*parsed) == links_of(network));
}

TEST_CASE("links can stand in the specification of a graph", "[graph]") {
  auto const network = lockstep::parse("graph:0-1,1>2");
  CHECK(network->spec() == "graph:0-1,1>2");
  CHECK(links_of(*network) == std::vector<lockstep::link>{{0, 1}, {1, 0}, {1, 2}});
  CHECK(message_of<invalid_topology>([] { return lockstep::parse("graph:0-1,12"); }) ==
        "graph:0-1,12 is not a list of links; write \"graph:0-1,1>2\": - is both ways, > is one");
  CHECK(message_of<invalid_topology>([] { return lockstep::parse("graph:1-1"); }) ==
        "graph:1-1: processor 1 cannot be linked to itself");
  CHECK(message_of<invalid_topology>([] { return lockstep::parse("graph:0-2147483647"); }) ==
        "graph:0-2147483647: \"2147483647\" is not a processor; write links as \"graph:0-1,1>2\"");
  CHECK(links_of(*lockstep::parse("graph:0->1")) == std::vector<lockstep::link>{{0, 1}});
  CHECK(message_of<invalid_topology>([] { return lockstep::parse("graph"); }) ==
        "graph is not a topology: name a file of links, or write them: graph:0-1,1>2");
  for (auto const* wrong :
       {"graph:0-", "graph:-1", "graph:>", "graph:,", "graph:0--1", "graph:0-1,",
        "graph:0-99999999999", "graph:0-2147483647", "graph:", "graph"}) {
    INFO(wrong);
    CHECK_THROWS_AS(lockstep::parse(wrong), invalid_topology);
  }
}

TEST_CASE("a file of links places processors, or springs do", "[graph]") {
  links_file const placed("0 1\nat 1 2.5 -1e1\nat 0 0 0\n");
  auto const places = graph::from_file(placed.path()).layout();
  REQUIRE(places.size() == 2);
  CHECK(std::pair(places[1].x, places[1].y) == std::pair(2.5, -10.0));

  // A path of six lies along a line, whatever its numbers.
  auto const path = lockstep::parse("graph:3-0,0-5,5-1,1-4,4-2");
  auto const laid = path->layout();
  auto const apart = [&](std::size_t one, std::size_t other) {
    return std::hypot(laid[one].x - laid[other].x, laid[one].y - laid[other].y);
  };
  CHECK(apart(3, 0) < apart(3, 5));
  CHECK(apart(3, 5) < apart(3, 1));
  CHECK(apart(3, 1) < apart(3, 4));
  CHECK(apart(3, 4) < apart(3, 2));
  auto const again = lockstep::parse("graph:3-0,0-5,5-1,1-4,4-2")->layout();
  for (std::size_t rank = 0; rank < laid.size(); ++rank)
    CHECK(std::pair(laid[rank].x, laid[rank].y) == std::pair(again[rank].x, again[rank].y));

  for (auto const* spec : {"graph:0-49", "graph:0-300", "graph:0>1,2>3,4-5"}) {
    INFO(spec);
    auto const network = lockstep::parse(spec);
    std::set<std::pair<double, double>> taken;
    for (auto const& [x, y] : network->layout()) CHECK(taken.emplace(x, y).second);
  }
}

TEST_CASE("what is wrong in a file of links is said with its line", "[graph]") {
  CHECK(refusal_of("") == " has no links; write one a line, for example \"0 1\"");
  CHECK(refusal_of("0 1\n1 x\n") ==
        ", line 2: \"x\" is not a processor; write a link as \"0 1\", or \"0 -> 1\" for one way");
  CHECK(refusal_of("0 1\n\n1 2 3\n") ==
        ", line 3: \"3\" is more than a link or a place; write one a line");
  CHECK(refusal_of("7\n").starts_with(", line 1: \"\" is not a processor"));
  CHECK(refusal_of("0-1\n").starts_with(", line 1: \"0-1\" is not a processor"));
  CHECK(refusal_of("-1 0\n").starts_with(", line 1: \"-1\" is not a processor"));
  CHECK(refusal_of("0 2147483647\n").starts_with(", line 1: \"2147483647\" is not a processor"));
  CHECK(refusal_of("5 5\n") == ", line 1: processor 5 cannot be linked to itself");
  CHECK(refusal_of("0 1\nat 0 1\n") == ", line 2: \"\" is not a coordinate; write \"at 0 1.5 2\"");
  CHECK(refusal_of("0 1\nat 0 1 2\nat 0 1 3\n") == ", line 3: processor 0 has a place already");
  CHECK(refusal_of("0 1\nat 0 1 2\n") == " places some processors, and not 1; place all or none");
  CHECK(refusal_of("0 1\nat 0 1 2\nat 1 2 2\nat 2 3 3\n") ==
        " places processor 2, to which no link leads");
  CHECK(refusal_of("0 1\nat 0 1 2\nat 1 1 2\n") ==
        ": processors 0 and 1 are placed at the same point; give each a place of its own");
  CHECK(refusal_of("0 1\nat 0 nan 2\nat 1 1 2\n") ==
        ": processor 0 is placed at (nan, 2); give finite numbers");
}

TEST_CASE("a file that is called like a list of links has a specification of its own", "[graph]") {
  auto const before = std::filesystem::current_path();
  auto const folder = std::filesystem::temp_directory_path() /
                      ("lockstep-links-" + std::to_string(::getpid()) + ".d");
  std::filesystem::create_directory(folder);
  std::filesystem::current_path(folder);
  std::ofstream("1-2") << "0 1\n1 2\n2 3\n";
  auto const network = graph::from_file("1-2");
  CHECK(network.spec() == "graph:./1-2");
  CHECK(lockstep::parse(network.spec())->size() == 4);
  CHECK(lockstep::parse("graph:1-2")->size() == 3);
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a file of links that cannot be read is refused", "[graph]") {
  auto const said = [](std::string const& spec) {
    return message_of<invalid_topology>([&] { return lockstep::parse(spec); });
  };
  CHECK(said("graph:no such file") ==
        "graph:no such file cannot be read: No such file or directory; name a file of links, one a "
        "line, or write them: graph:0-1,1-2,2-0");
  CHECK(said("graph:/").starts_with("graph:/ cannot be read: Is a directory; "));
}

TEST_CASE("a graph is placed as it is told", "[graph]") {
  graph pair{2, {{0, 1}}, "pair"};
  pair.place({{0, 0}, {3, 4}});
  CHECK(pair.layout()[1].y == 4);
  CHECK(message_of<invalid_topology>([&] {
          pair.place({{0, 0}});
        }) == "pair: 1 places for 2 processors; give one for each, in rank order");
}
