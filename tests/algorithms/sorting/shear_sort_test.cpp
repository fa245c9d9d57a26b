#include <lockstep/algorithms/sorting/shear_sort.hpp>

#include <lockstep/topologies/crossbar.hpp>

#include "sorting/mesh_sorts.hpp"

namespace {

constexpr auto by_shearing = [](lockstep::processor& me, auto values, auto const& order) {
  return lockstep::shear_sort(me, std::move(values), order);
};

/// Sorts on a mesh, compares the costs with the claims, and puts the values in the snake's order.
template <class Order = std::less<>>
std::vector<int> sorted_on(lockstep::mesh_shape const& shape, std::vector<int> const& values,
                           Order order = {}, lockstep::engine by = lockstep::engine::fibers) {
  auto const p = static_cast<std::size_t>(shape.rows * shape.columns);
  auto const blocks =
      sorted_on_mesh(lockstep::mesh{{shape.rows, shape.columns}}, values, order, by_shearing,
                     lockstep::shear_sort_claims(shape, values.size() / p), by);
  std::vector<std::vector<int>> along_snake(p);
  for (std::size_t rank = 0; rank < p; ++rank)
    along_snake[static_cast<std::size_t>(shape.place_of(static_cast<int>(rank)))] = blocks[rank];
  return joined(along_snake);
}

}  // namespace

TEST_CASE("shear sort sorts all sequences of 0 and 1 on a 4x4 mesh", "[sorting]") {
  lockstep::machine const on(lockstep::mesh{{4, 4}}, {.strict = true});
  constexpr unsigned at_once = 1024;  // one after the other, in one run
  for (unsigned first = 0; first < 1U << 16U; first += at_once) {
    auto const run = on.run([&](lockstep::processor& me) {
      std::vector<int> found;
      for (unsigned word = first; word < first + at_once; ++word)
        found.push_back(
            lockstep::shear_sort(me, std::vector{bits_of(word, 16)[std::size_t(me.rank())]})[0]);
      return found;
    });
    for (unsigned i = 0; i < at_once; ++i) {
      auto const expected = sorted(bits_of(first + i, 16));
      for (int rank = 0; rank < 16; ++rank) {
        auto const place = lockstep::mesh_shape{4, 4}.place_of(rank);
        if (run.results()[std::size_t(rank)][i] != expected[std::size_t(place)])
          FAIL("sequence " << first + i << " is not sorted at rank " << rank);
      }
    }
  }
}

TEST_CASE("shear sort sorts k values a processor, on both engines", "[sorting][threads]") {
  std::mt19937 random(11);
  using lockstep::mesh_shape;
  for (auto const& shape :
       {mesh_shape{1, 1}, {1, 5}, {5, 1}, {2, 2}, {2, 3}, {3, 2}, {4, 4}, {5, 6}})
    for (int const k : {0, 1, 3})
      for (auto const& values :
           values_to_sort(static_cast<std::size_t>(shape.rows * shape.columns * k), random))
        for (auto const by : {lockstep::engine::fibers, lockstep::engine::threads})
          CHECK(sorted_on(shape, values, std::greater<>{}, by) == sorted(values, std::greater<>{}));
}

TEST_CASE("shear sort on 4 rows needs both of its phases of columns", "[sorting]") {
  CHECK(lockstep::mesh_shape{1, 3}.halvings() == 0);
  CHECK(lockstep::mesh_shape{4, 3}.halvings() == 2);
  CHECK(lockstep::mesh_shape{5, 3}.halvings() == 3);
}

TEST_CASE("the snake of shear sort goes back on odd rows", "[sorting]") {
  std::vector<int> places;
  for (int rank = 0; rank < 6; ++rank) places.push_back(lockstep::mesh_shape{2, 3}.place_of(rank));
  CHECK(places == std::vector{0, 1, 2, 5, 4, 3});
}

TEST_CASE("shear sort refuses networks without rows and columns", "[sorting]") {
  lockstep::machine const on(lockstep::crossbar{4});
  CHECK_THROWS_AS(on.run([](lockstep::processor& me) { return shear_sort(me, std::vector{1}); }),
                  lockstep::processor_failed);
  CHECK_THROWS_AS(lockstep::mesh_shape::of(lockstep::mesh{{8}}), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::shear_sort_claims({0, 3}, 1), lockstep::invalid_argument);
}
