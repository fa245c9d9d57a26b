#include "report/bound_drawing.hpp"

#include <cstdint>
#include <set>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/torus.hpp>

#include "../catch.hpp"

using namespace lockstep;
using json = nlohmann::ordered_json;

TEST_CASE("a bound is drawn as the part of the machine that makes it", "[bound_drawing]") {
  machine const ring{torus{{4, 4}}};
  auto const run = ring.run([](processor& me) {
    if (me.rank() == 3) (void)me.receive<int>(5);
    if (me.rank() == 5) me.send(3, std::vector{1, 2});
  });
  auto const drawn = [&](bound_reason reason, std::uint64_t value) {
    return cli::drawing_of({"words", "", value, "", reason}, run);
  };
  CHECK(drawn(bound_reason::in_port, 2) == json{{"kind", "port"}, {"rank", 3}});
  CHECK(cli::drawing_of({"steps", "2 words into processor 7, each to go 1 link on", 3, "",
                         bound_reason::in_port},
                        run) == json{{"kind", "port"}, {"rank", 7}});
  CHECK(drawn(bound_reason::out_port, 2) == json{{"kind", "port"}, {"rank", 5}, {"out", true}});
  CHECK(drawn(bound_reason::moved, 2).is_null());
  auto const path = drawn(bound_reason::distance, 4);
  CHECK(path.at("kind") == "path");
  CHECK(path.at("ranks").size() == 5);
  CHECK(ring.topology().hops(path.at("ranks").front(), path.at("ranks").back()) == 4);
  auto const cut = drawn(bound_reason::halves, 2);
  CHECK(cut.at("kind") == "cut");
  std::set<int> const side = cut.at("side");
  CHECK(side.size() == 8);
  int crossing = 0;
  for (int const from : side)
    for (auto const& to : ring.topology().neighbours(from))
      crossing += side.contains(to.rank) ? 0 : 1;
  CHECK(crossing == ring.topology().bisection_width());
}
