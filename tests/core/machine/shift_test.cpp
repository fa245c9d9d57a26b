// Shifts, neighbours, rows, columns and slices of grids.

#include <climits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/refusal_on.hpp"
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;
using lockstep::along;
using lockstep::counts;
using lockstep::dimensions;
using lockstep::mesh;
using reference::refusal_on;

}  // namespace

TEST_CASE("a shift on a torus receives from the other side", "[core][shift][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  int const offset = GENERATE(-3, -1, 1, 2, 6);
  auto const run = machine{torus{{3, 5}}, on(choice)}.run([&](processor& me) {
    return me.shift(along{1, offset}, 100 + me.rank());
  });
  for (int rank = 0; rank < 15; ++rank) {
    int const column = ((rank % 5 - offset) % 5 + 5) % 5;
    CHECK(run.results()[static_cast<std::size_t>(rank)] == 100 + rank / 5 * 5 + column);
  }
  CHECK(run.counts().steps == 1);
  CHECK(run.counts().messages == 15);
  CHECK(run.counts().volume == 15);
  CHECK(run.counts().hops == static_cast<std::uint64_t>(offset < 0 ? -offset : offset));
}

TEST_CASE("a shift on a mesh has nobody beyond the edge", "[core][shift][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  int const offset = GENERATE(-4, -3, -2, -1, 1, 2, 3, 4);
  auto const run = machine{mesh{{4, 3}}, on(choice)}.run([&](processor& me) {
    return me.shift(along{0, offset}, me.rank());
  });
  std::uint64_t messages = 0;
  for (int rank = 0; rank < 12; ++rank) {
    int const from = rank - offset * 3;
    bool const there = from >= 0 && from < 12;
    messages += there ? 1U : 0U;
    CHECK(run.results()[static_cast<std::size_t>(rank)] ==
          (there ? std::optional<int>(from) : std::nullopt));
  }
  CHECK(run.counts().messages == messages);
  CHECK(run.counts().steps == (messages == 0 ? 0 : 1));
}

TEST_CASE("a shift of a range returns a vector, empty at the edge", "[core][shift][sanitize]") {
  auto const run = machine{mesh{{3}}}.run([](processor& me) {
    std::vector<int> mine(static_cast<std::size_t>(me.rank() + 1), me.rank());
    auto const copied = me.shift(along{0, 1}, mine);
    auto const moved = me.shift(along{0, 1}, std::move(mine));
    return std::vector<std::vector<int>>{copied, moved};
  });
  CHECK(run.results()[0] == std::vector<std::vector<int>>{{}, {}});
  CHECK(run.results()[1] == std::vector<std::vector<int>>{{0}, {0}});
  CHECK(run.results()[2] == std::vector<std::vector<int>>{{1, 1}, {1, 1}});
  CHECK(run.counts().steps == 2);
  CHECK(run.counts().volume == 6);
}

TEST_CASE("a shift counts as the exchange by hand", "[core][shift]") {
  auto const by_shift = machine{torus{{6}}}.run([](processor& me) {
    return *me.shift(along{0, -2}, me.rank());
  });
  auto const by_hand = machine{torus{{6}}}.run([](processor& me) {
    return me.exchange(along{0, -2}, me.rank(), (me.rank() + 2) % 6);
  });
  CHECK(by_shift.results() == by_hand.results());
  CHECK(by_shift.counts() == by_hand.counts());
}

TEST_CASE("neighbours are ranks, or nobody", "[core][shift]") {
  static_cast<void>(machine{mesh{{2, 3}}}.run([](processor& me) {
    if (me.rank() != 1) return;
    CHECK(me.neighbour(along{1, 1}) == 2);
    CHECK(me.neighbour(along{1, -1}) == 0);
    CHECK(me.neighbour(along{0, 1}) == 4);
    CHECK(me.neighbour(along{0, -1}) == std::nullopt);
    CHECK(me.neighbour(along{1, 2}) == std::nullopt);
  }));
  static_cast<void>(machine{torus{{4, 1}}}.run([](processor& me) {
    if (me.rank() != 0) return;
    CHECK(me.neighbour(along{0, -1}) == 3);
    CHECK(me.neighbour(along{1, 1}) == std::nullopt);
  }));
}

TEST_CASE("rows, columns and slices are subsets", "[core][shift][subset]") {
  static_cast<void>(machine{torus{{3, 4}}}.run([](processor& me) {
    if (me.rank() != 6) return;  // row 1, column 2
    CHECK(me.row().size() == 4);
    CHECK(me.row().rank() == 2);
    CHECK(me.row().topology().spec() == "torus:4");
    CHECK(me.column().size() == 3);
    CHECK(me.column().rank() == 1);
    CHECK(me.slice(0).size() == 4);
    CHECK(me.slice(1).size() == 3);
  }));
  static_cast<void>(machine{mesh{{2, 3, 4}}}.run([](processor& me) {
    auto plane = me.slice(1);
    if (me.rank() != 17) return;  // at (1, 1, 1)
    CHECK(plane.topology().spec() == "mesh:2x4");
    CHECK(plane.rank() == 5);
    CHECK(plane.row().size() == 4);
    CHECK(plane.column().size() == 2);
    CHECK(me.slice(0).slice(0).topology().spec() == "mesh:4");
  }));
}

TEST_CASE("shifts in a subset go along its own dimensions", "[core][shift][subset][threads]") {
  auto const run = machine{mesh{{3, 4}}}.run([](processor& me) {
    auto column = me.column();
    auto const above = column.shift(along{0, 1}, me.rank());
    return std::vector<int>{above.value_or(-1), column.neighbour(along{0, 1}).value_or(-1)};
  });
  for (int rank = 0; rank < 12; ++rank)
    CHECK(run.results()[static_cast<std::size_t>(rank)] ==
          std::vector<int>{rank < 4 ? -1 : rank - 4, rank >= 8 ? -1 : rank / 4 + 1});
  CHECK(run.counts().steps == 1);
}

TEST_CASE("grids' calls say what they need", "[core][shift][errors]") {
  CHECK_THAT(refusal_on<lockstep::invalid_argument>(machine{lockstep::hypercube{3}},
                                                    [](processor& me) { return me.row().size(); }),
             has_text("row on hypercube:3") && has_text("for example torus:4x4"));
  CHECK_THAT(refusal_on<lockstep::invalid_argument>(
                 machine{torus{{2, 2, 2}}}, [](processor& me) { return me.column().size(); }),
             has_text("column on torus:2x2x2"));
  CHECK_THAT(refusal_on<lockstep::invalid_argument>(
                 machine{lockstep::crossbar{4}}, [](processor& me) { return me.slice(0).size(); }),
             has_text("slice(0) on crossbar:4"));
  CHECK_THAT(refusal_on<lockstep::invalid_argument>(
                 machine{torus{{2, 2}}}, [](processor& me) { return me.slice(2).size(); }),
             has_text("slice(2) on torus:2x2: its dimensions are 0 to 1"));
  CHECK(refusal_on<lockstep::invalid_argument>(machine{lockstep::crossbar{4}}, [](processor& me) {
          return me.shift(along{0, 1}, 1);
        }) != "no such error");
  CHECK(refusal_on<lockstep::invalid_argument>(machine{torus{{4}}}, [](processor& me) {
          return me.neighbour(along{1, 1});
        }) != "no such error");
  CHECK_THAT(refusal_on<lockstep::invalid_argument>(machine{torus{{4}}},
                                                    [](processor& me) {
                                                      return me.shift(along{0, INT_MIN}, 1);
                                                    }),
             has_text("offsets are -2147483647 to 2147483647"));
  CHECK(refusal_on<lockstep::invalid_rank>(machine{torus{{4}}}, [](processor& me) {
          return me.shift(along{0, 4}, 1);
        }) != "no such error");
}
