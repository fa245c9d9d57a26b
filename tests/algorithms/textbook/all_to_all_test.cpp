#include <lockstep/algorithms/textbook/all_to_all.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "exchange/exchanged_blocks.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"

using lockstep::along;
using lockstep::machine;
using lockstep::processor;
namespace textbook = lockstep::textbook;

namespace {

/// The counts but for rearrangements, which only the data arrays of the fast form need.
lockstep::counts without_rearrangements(lockstep::counts of) {
  of.rearrangements = 0;
  of.rearranged = 0;
  return of;
}

/// Runs the textbook form on a strict machine and compares it with a plain computation, and then
/// with the fast form: its results, its counts and those of its phases.
void check_against_fast_form(std::string const& spec, int m,
                             lockstep::machine_options options = {}) {
  INFO(spec << ", " << m << " elements a block");
  options.strict = true;
  machine const on{lockstep::parse(spec), options};
  auto const textbook =
      reference::exchanged_by<int>(on, m, [](processor& me, std::vector<int> const& blocks) {
        return textbook::all_to_all(me, blocks);
      });
  auto const fast =
      reference::exchanged_by<int>(on, m, [](processor& me, std::vector<int> const& blocks) {
        return lockstep::all_to_all(me, blocks);
      });
  CHECK(textbook.counts() == without_rearrangements(fast.counts()));
  CHECK(textbook.counts().contention <= 1);
  REQUIRE(textbook.phases().size() == fast.phases().size());
  for (std::size_t i = 0; i < fast.phases().size(); ++i) {
    CHECK(textbook.phases()[i].name == fast.phases()[i].name);
    CHECK(textbook.phases()[i].steps == fast.phases()[i].steps);
    CHECK(textbook.phases()[i].words == fast.phases()[i].words);
  }
}

std::string refusal_on(std::string const& spec) {
  return textbook::unsupported_reason(*lockstep::parse(spec));
}

}  // namespace

TEST_CASE("textbook: complete exchange on 2-D tori is that of the fast form") {
  for (int rows = 4; rows <= 16; rows += 4)
    for (int columns = 4; columns <= 16; columns += 4)
      check_against_fast_form("torus:" + std::to_string(rows) + "x" + std::to_string(columns), 1);
  check_against_fast_form("torus:8x12", 3);
}

TEST_CASE("textbook: complete exchange on 2-D meshes is that of the fast form") {
  for (int rows = 2; rows <= 10; rows += 2)
    for (int columns = 2; columns <= 10; columns += 2)
      check_against_fast_form("mesh:" + std::to_string(rows) + "x" + std::to_string(columns), 1);
  check_against_fast_form("mesh:6x4", 3);
}

TEST_CASE("textbook: complete exchange in more dimensions is that of the fast form") {
  auto const spec =
      GENERATE(as<std::string>{}, "torus:4x4x4", "torus:8x4x4", "torus:4x8x4", "torus:4x4x8",
               "torus:12x8x4", "torus:4x4x4x4", "mesh:4x4x4", "mesh:6x4x2", "mesh:2x4x6",
               "mesh:6x6x6", "mesh:2x4x4x6", "mesh:2x2x2x2x4");
  check_against_fast_form(spec, 1);
}

TEST_CASE("textbook: complete exchange on both engines", "[sanitize][threads]") {
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads})
    for (auto const* const spec : {"torus:4x8", "mesh:4x6", "torus:4x4x4"})
      check_against_fast_form(spec, 2, {.engine = engine});
}

TEST_CASE("textbook: complete exchange of no elements takes no step") {
  machine const on{lockstep::parse("torus:8x4"), {.strict = true}};
  auto const run =
      on.run([](processor& me) { return textbook::all_to_all(me, std::vector<int>{}); });
  CHECK(run.results()[31].empty());
  CHECK(run.counts().steps == 0);
}

TEST_CASE("textbook: conditions (1) to (8) of 3.1.2") {
  using textbook::ring_in_2d;
  CHECK(ring_in_2d({4, 8}, 1) == along{1, +4});  // (1)
  CHECK(ring_in_2d({4, 9}, 1) == along{0, +4});  // (2)
  CHECK(ring_in_2d({1, 1}, 1) == along{1, -4});  // (3)
  CHECK(ring_in_2d({3, 0}, 1) == along{0, -4});  // (4)
  CHECK(ring_in_2d({4, 8}, 2) == along{0, +4});  // (5)
  CHECK(ring_in_2d({4, 9}, 2) == along{1, +4});  // (6)
  CHECK(ring_in_2d({1, 1}, 2) == along{0, -4});  // (7)
  CHECK(ring_in_2d({3, 0}, 2) == along{1, -4});  // (8)
}

TEST_CASE("textbook: Phases 1 to 3 of 3.2.1 in an even and in an odd plane") {
  using textbook::ring_in_nd;
  CHECK(ring_in_nd({0, 1, 2}, 1) == along{1, +4});
  CHECK(ring_in_nd({0, 1, 2}, 2) == along{0, +4});
  CHECK(ring_in_nd({0, 1, 2}, 3) == along{2, -4});
  CHECK(ring_in_nd({0, 1, 1}, 1) == along{2, +4});
  CHECK(ring_in_nd({0, 1, 1}, 2) == along{1, +4});
  CHECK(ring_in_nd({0, 1, 1}, 3) == along{0, +4});
}

TEST_CASE("textbook: complete exchange refuses other networks and says which fit") {
  CHECK(refusal_on("torus:8x12").empty());
  CHECK(refusal_on("mesh:6x4x2").empty());
  CHECK(
      refusal_on("torus:6x8") ==
      "the dimensions of torus:6x8 have to be multiples of 4; for example torus:4x8 or torus:8x8; "
      "lockstep::all_to_all takes any sizes");
  CHECK(refusal_on("mesh:3x8") ==
        "the dimensions of mesh:3x8 have to be multiples of 2; for example mesh:2x8 or mesh:4x8; "
        "lockstep::all_to_all takes any sizes");
  CHECK(refusal_on("torus:16") ==
        "torus:16 has one dimension, and at least two are needed; for example torus:4x16; "
        "lockstep::all_to_all takes any sizes");
  CHECK(refusal_on("hypercube:4") ==
        "hypercube:4 is neither a torus nor a mesh; for example torus:12x12 or mesh:6x6");
  machine const on{lockstep::parse("torus:6x8")};
  CHECK_THROWS_WITH(on.run([](processor& me) {
    return textbook::all_to_all(me, reference::blocks_for_all<int>(me, 1));
  }),
                    has_text("textbook::all_to_all: the dimensions of torus:6x8"));
}

TEST_CASE("textbook: complete exchange refuses blocks that differ in size") {
  machine const on{lockstep::parse("mesh:2x2")};
  CHECK_THROWS_AS(
      on.run([](processor& me) { return textbook::all_to_all(me, std::vector<int>(7)); }),
      lockstep::processor_failed);
  CHECK_THROWS_WITH(on.run([](processor& me) {
    return textbook::all_to_all(me, std::vector<int>(me.rank() == 2 ? 8 : 4));
  }),
                    has_text("blocks are not of one size"));
}

TEST_CASE("textbook: exchange by the paper's rules refuses a ring") {
  machine const ring(lockstep::parse("torus:8"));
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(
                 ring,
                 [](processor& me) {
                   std::vector<lockstep::detail::labelled_element<int>> const none;
                   return textbook::exchange(me, none, textbook::torus_rules()).size();
                 }),
             has_text("the paper's rules need two dimensions or more"));
}
