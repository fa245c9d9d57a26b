#include <lockstep/topologies.hpp>

#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>

#include "../catch.hpp"
#include "message_of.hpp"

using lockstep::parse;

namespace {

std::string refusal(std::string const& spec) {
  return message_of<lockstep::invalid_topology>([&] { return parse(spec); });
}

}  // namespace

TEST_CASE("parse reads every specification back", "[parse]") {
  for (auto const* spec :
       {"torus:12x12", "torus:7", "torus:2x1x3x1x2x2x1x1", "mesh:6x10x4", "mesh:1", "hypercube:0",
        "hypercube:10", "hypercube:30", "shuffle-exchange:1", "shuffle-exchange:10", "tree:1",
        "tree:4", "tree:31", "crossbar:1", "crossbar:64", "crossbar:2147483647"})
    CHECK(parse(spec)->spec() == spec);
}

TEST_CASE("parse makes what the specification names", "[parse]") {
  auto const torus = std::dynamic_pointer_cast<lockstep::torus const>(parse("torus:3x5"));
  REQUIRE(torus);
  CHECK(torus->sizes() == std::vector{3, 5});
  auto const mesh = std::dynamic_pointer_cast<lockstep::mesh const>(parse("mesh:6x10x4"));
  REQUIRE(mesh);
  CHECK(mesh->sizes() == std::vector{6, 10, 4});
  CHECK(std::dynamic_pointer_cast<lockstep::hypercube const>(parse("hypercube:3")));
  CHECK(std::dynamic_pointer_cast<lockstep::shuffle_exchange const>(parse("shuffle-exchange:3")));
  CHECK(std::dynamic_pointer_cast<lockstep::binary_tree const>(parse("tree:3")));
  CHECK(std::dynamic_pointer_cast<lockstep::crossbar const>(parse("crossbar:3")));
  CHECK(parse("hypercube:3")->size() == 8);
  CHECK(parse("tree:3")->size() == 7);
}

TEST_CASE("specifications that cannot be read are refused", "[parse]") {
  for (auto const* spec :
       {"", ":", "torus", "star:4", "Ring:4", "Torus:4", " torus:4", "graph:4", "tree", "12x12"})
    CHECK(contains(refusal(spec), spec));
  CHECK(contains(refusal(""), "write torus:12x12, mesh:6x10x4, hypercube:10"));
  CHECK(contains(refusal("star:4"), "write torus:12x12, mesh:6x10x4, hypercube:10"));
  CHECK(contains(refusal("torus:12x"), "\"\" is not a whole number"));
  CHECK(contains(refusal("torus:x12"), "\"\" is not a whole number"));
  CHECK(contains(refusal("torus:axb"), "\"a\" is not a whole number"));
  CHECK(contains(refusal("torus:12x12 "), "\"12 \" is not a whole number"));
  CHECK(contains(refusal("torus:12X12"), "\"12X12\" is not a whole number"));
  CHECK(contains(refusal("torus:1.5"), "\"1.5\" is not a whole number"));
  CHECK(contains(refusal("torus:+4"), "\"+4\" is not a whole number"));
  CHECK(contains(refusal("mesh:4x4,"), "\"4,\" is not a whole number"));
  CHECK(contains(refusal("hypercube:"), "\"\" is not a whole number"));
  CHECK(contains(refusal("hypercube:3x3"), "\"3x3\" is not a whole number"));
  CHECK(contains(refusal("hypercube:3:4"), "\"3:4\" is not a whole number"));
  CHECK(contains(refusal("crossbar:64processors"), "\"64processors\" is not a whole number"));
  CHECK(contains(refusal("crossbar:99999999999999999999"), "at most 2147483647"));
}

TEST_CASE("impossible sizes in a specification are refused", "[parse]") {
  CHECK(contains(refusal("torus:0"), "at least 1, not 0"));
  CHECK(contains(refusal("torus:4x-4"), "at least 1, not -4"));
  CHECK(contains(refusal("torus:1x1x1x1x1x1x1x1x1"), "1 to 8 dimensions, not 9"));
  CHECK(contains(refusal("mesh:100000x100000"), "at most 2147483647 processors"));
  CHECK(contains(refusal("hypercube:31"), "0 to 30"));
  CHECK(contains(refusal("hypercube:-1"), "0 to 30"));
  CHECK(contains(refusal("shuffle-exchange:0"), "1 to 30"));
  CHECK(contains(refusal("shuffle-exchange:31"), "1 to 30"));
  CHECK(contains(refusal("tree:0"), "1 to 31"));
  CHECK(contains(refusal("tree:32"), "1 to 31"));
  CHECK(contains(refusal("crossbar:0"), "at least 1"));
}

TEST_CASE("a ring and a line are other names of a torus and a mesh of one dimension", "[parse]") {
  CHECK(parse("ring:8")->spec() == "torus:8");
  CHECK(parse("line:8")->spec() == "mesh:8");
  CHECK(parse("ring:1")->size() == 1);
  CHECK(contains(refusal("ring:4x4"), "\"4x4\" is not a whole number"));
  CHECK(contains(refusal("line:0"), "at least 1, not 0"));
  CHECK(contains(refusal("line"), "line"));
}

TEST_CASE("a machine is made from a specification", "[parse]") {
  lockstep::machine const plane{"torus:4x4"};
  CHECK(plane.topology().spec() == "torus:4x4");
  std::string const spec = "line:5";
  lockstep::machine const line{spec, {.strict = true}};
  CHECK(line.size() == 5);
  CHECK(line.options().strict);
  CHECK(lockstep::machine{std::string_view("hypercube:3")}.size() == 8);
  CHECK(plane.run([](lockstep::processor& me) { return me.rank(); }).results()[15] == 15);
}

TEST_CASE("a machine refuses a specification as parse does, and says where it was named",
          "[parse]") {
  auto const made_at = std::source_location::current().line() + 2;
  try {
    lockstep::machine const none{"torus:4xx"};
    FAIL("it was made");
  } catch (lockstep::invalid_topology const& refused) {
    CHECK(refused.where().line() == made_at);
    CHECK(contains(refused.what(), refusal("torus:4xx").substr(0, 30)));
  }
  CHECK_THROWS_AS(lockstep::machine("torus:4", {.packet = 0}), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::machine(nullptr), lockstep::invalid_argument);
}
