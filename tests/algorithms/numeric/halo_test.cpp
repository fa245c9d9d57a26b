#include <lockstep/algorithms/numeric/halo.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/ring.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"

using lockstep::exchange_halo;
using lockstep::halo_shape;
using lockstep::machine;
using lockstep::mesh;
using lockstep::processor;
using lockstep::torus;

namespace {

/// What stands in a rim before the exchange, and outside of a mesh after it, too.
constexpr long untouched = -1;

/// The element of the whole field at these coordinates, which may lie beyond its ends: by them all, so that no
/// two are the same.
long element_at(std::vector<long> const& at, std::vector<long> const& sizes, bool wraps) {
  long number = 0;
  for (std::size_t d = 0; d < at.size(); ++d) {
    bool const inside = at[d] >= 0 && at[d] < sizes[d];
    if (!inside && !wraps) return untouched;
    number = number * sizes[d] + (at[d] + 2 * sizes[d]) % sizes[d];
  }
  return number;
}

/// Calls visit(place, coordinates) for each element of a field, in order.
void for_each_element(
    halo_shape const& shape,
    std::function<void(std::size_t, std::vector<std::size_t> const&)> const& visit) {
  std::size_t elements = 1;
  for (std::size_t d = 0; d < shape.inner.size(); ++d) elements *= shape.extent(d);
  for (std::size_t place = 0; place < elements; ++place) {
    std::vector<std::size_t> at(shape.inner.size());
    auto rest = place;
    for (std::size_t d = at.size(); d-- > 0; rest /= shape.extent(d))
      at[d] = rest % shape.extent(d);
    visit(place, at);
  }
}

/// The part of the whole field that a processor has, with its rim or with its block only.
std::vector<long> field_of(lockstep::topology const& grid, std::vector<int> const& processors,
                           halo_shape const& shape, int rank, bool wraps, bool with_rim) {
  auto const where = grid.coordinates(rank);
  std::vector<long> field;
  for_each_element(shape, [&](std::size_t, std::vector<std::size_t> const& at) {
    std::vector<long> global;
    std::vector<long> sizes;
    bool in_rim = false;
    for (std::size_t d = 0; d < at.size(); ++d) {
      auto const n = static_cast<long>(shape.inner[d]);
      auto const local = static_cast<long>(at[d]) - static_cast<long>(shape.width);
      in_rim = in_rim || local < 0 || local >= n;
      global.push_back(where[d] * n + local);
      sizes.push_back(processors[d] * n);
    }
    field.push_back(in_rim && !with_rim ? untouched : element_at(global, sizes, wraps));
  });
  return field;
}

template <class Network>
void check_halo(std::vector<int> const& processors, halo_shape const& shape,
                lockstep::machine_options options = {}) {
  constexpr bool wraps = std::derived_from<Network, torus>;
  Network const grid(processors);
  INFO(grid.spec() << ", width " << shape.width << ", first size " << shape.inner[0]);
  options.strict = true;
  auto const run = machine{grid, options}.run([&](processor& me) {
    auto field = field_of(grid, processors, shape, me.rank(), wraps, false);
    exchange_halo(me, shape, field);
    return field;
  });
  for (int rank = 0; rank < grid.size(); ++rank) {
    INFO("processor " << rank);
    CHECK(run.results()[static_cast<std::size_t>(rank)] ==
          field_of(grid, processors, shape, rank, wraps, true));
  }
  auto const joined = std::ranges::count_if(processors, [](int size) { return size > 1; });
  CHECK(run.counts().steps == 2 * static_cast<std::uint64_t>(joined));
  CHECK(run.counts().contention == (joined > 0 ? 1 : 0));
  for (auto const& claim : lockstep::halo_claims(grid, shape, options.packet)) {
    INFO(claim.figure);
    CHECK(claim.value() == static_cast<double>(lockstep::metric_value(run.counts(), claim.figure)));
  }
}

template <class Network>
void check_all(std::size_t dimensions, std::vector<int> const& sizes) {
  std::vector<std::size_t> at(dimensions);
  std::vector<std::size_t> const blocks{3, 2, 4, 2};
  for (;;) {
    std::vector<int> processors;
    for (auto const one : at) processors.push_back(sizes[one]);
    for (std::size_t const width : {1U, 2U})
      check_halo<Network>(
          processors,
          {{blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(dimensions)}, width});
    std::size_t d = 0;
    while (d < dimensions && ++at[d] == sizes.size()) at[d++] = 0;
    if (d == dimensions) return;
  }
}

template <class Grid>
void check_rims() {
  check_all<Grid>(1, {1, 2, 3, 4});
  check_all<Grid>(2, {1, 2, 3, 4});
  check_all<Grid>(3, {1, 2, 3});
  check_all<Grid>(4, {1, 2});
  check_halo<Grid>({3, 2, 1, 4}, {{2, 2, 2, 2}, 2});
}

template <class Refused>
std::string refusal_of(Refused const& network, halo_shape const& shape, std::size_t elements) {
  try {
    machine{network}.run([&](processor& me) {
      std::vector<int> field(elements);
      exchange_halo(me, shape, field);
    });
  } catch (lockstep::processor_failed const& failed) {
    return failed.what();
  }
  return {};
}

}  // namespace

TEST_CASE("rims are filled as the whole field has them, on a torus", "[halo]") {
  check_rims<torus>();
}

TEST_CASE("rims are filled as the whole field has them, on a mesh, whose outside stays", "[halo]") {
  check_rims<mesh>();
}

TEST_CASE("rims are filled in packets, without a rim, and on threads", "[halo][threads]") {
  check_halo<torus>({3, 4}, {{5, 2}, 2}, {.packet = 8});
  check_halo<mesh>({3, 4}, {{5, 2}, 2}, {.packet = 8});
  check_halo<mesh>({2, 3}, {{2, 3}, 1}, {.engine = lockstep::engine::threads});
  auto const run = machine{torus{2, 2}}.run([](processor& me) {
    std::vector<int> field(6, me.rank());
    exchange_halo(me, {{2, 3}, 0}, field);
    return field;
  });
  CHECK(run.counts().rounds == 0);
  CHECK(run.results()[3] == std::vector<int>(6, 3));
}

TEST_CASE("rims of a row's blocks are filled in the row", "[halo]") {
  auto const run = machine{torus{2, 3}, {.strict = true}}.run([](processor& me) {
    auto row = me.row();
    std::vector<int> field{-1, me.rank(), -1};
    exchange_halo(row, {{1}, 1}, std::span(field));
    return field;
  });
  CHECK(run.results()[0] == std::vector{2, 0, 1});
  CHECK(run.results()[5] == std::vector{4, 5, 3});
  CHECK(run.counts().steps == 2);
}

TEST_CASE("rims: the example", "[halo]") {
  machine ring{lockstep::ring{4}};
  auto run = ring.run([](processor& me) {
    std::vector<int> field{0, 2 * me.rank(), 2 * me.rank() + 1, 0};  // two elements, a rim of one
    lockstep::exchange_halo(me, {.inner = {2}}, field);
    return field;
  });
  CHECK(run.results()[0] == std::vector{7, 0, 1, 2});
  CHECK(run.counts().steps == 2);
}

TEST_CASE("rims: other networks, widths and sizes are refused", "[halo]") {
  CHECK(refusal_of(lockstep::crossbar{4}, {{2}, 1}, 4).find("is not a torus or mesh") !=
        std::string::npos);
  CHECK(refusal_of(torus{2, 2}, {{2}, 1}, 4).find("2 dimensions, and the shape has 1") !=
        std::string::npos);
  CHECK(refusal_of(lockstep::ring{4}, {{2}, 3}, 8).find("a rim of width 3") != std::string::npos);
  CHECK(refusal_of(lockstep::ring{4}, {{2}, 1}, 5).find("5 elements is not of its shape") !=
        std::string::npos);
  CHECK_THROWS_AS(lockstep::halo_claims(lockstep::crossbar{4}, {{2}, 1}),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::halo_claims(torus{4}, {{2}, 1}, 0), lockstep::invalid_argument);
  CHECK_THROWS_AS(machine{lockstep::ring{3}}.run([](processor& me) {
    std::vector<int> field(me.rank() == 1 ? 12 : 8);
    halo_shape const shape{{field.size() / 2}, field.size() / 4};
    exchange_halo(me, shape, field);
  }),
                  lockstep::size_mismatch);
}
