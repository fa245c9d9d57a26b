#include <lockstep/algorithms/sorting/odd_even_transposition_sort.hpp>

#include <lockstep/topologies/crossbar.hpp>

#include "sorting/mesh_sorts.hpp"

namespace {

constexpr auto by_transpositions = [](lockstep::processor& me, auto values, auto const& order) {
  return lockstep::odd_even_transposition_sort(me, std::move(values), order);
};

/// Sorts on a line, and compares the costs with the claims.
template <class Order = std::less<>>
std::vector<int> sorted_on_line(int p, std::vector<int> const& values, Order order = {},
                                lockstep::engine by = lockstep::engine::fibers) {
  auto const k = values.size() / static_cast<std::size_t>(p);
  return joined(sorted_on_mesh(lockstep::mesh{{p}}, values, order, by_transpositions,
                               lockstep::odd_even_transposition_sort_claims(p, k), by));
}

}  // namespace

TEST_CASE("odd-even transposition sort sorts all sequences of 0 and 1", "[sorting]") {
  for (int p = 1; p <= 9; ++p)
    for (unsigned word = 0; word < 1U << static_cast<unsigned>(p); ++word) {
      auto const values = bits_of(word, p);
      CHECK(sorted_on_line(p, values) == sorted(values));
    }
}

TEST_CASE("odd-even transposition sort sorts k values a processor, on both engines",
          "[sorting][threads]") {
  std::mt19937 random(7);
  for (int const p : {1, 2, 3, 4, 7, 16})
    for (int const k : {0, 1, 2, 5})
      for (auto const& values : values_to_sort(static_cast<std::size_t>(p * k), random))
        for (auto const by : {lockstep::engine::fibers, lockstep::engine::threads})
          CHECK(sorted_on_line(p, values, std::greater<>{}, by) ==
                sorted(values, std::greater<>{}));
}

TEST_CASE("odd-even transposition sort needs all of its p rounds", "[sorting]") {
  // The least value is last, and its processor waits in round 0.
  CHECK(sorted_on_line(3, {2, 3, 1}) == std::vector{1, 2, 3});
  CHECK(lockstep::detail::transposition_rounds(3) == 3);
}

TEST_CASE("odd-even transposition sort sorts a row of a mesh as a subset", "[sorting]") {
  lockstep::machine const on(lockstep::mesh{{2, 4}}, {.strict = true});
  auto const run = on.run([](lockstep::processor& me) {
    auto row = me.subset(lockstep::dimensions{1});
    return lockstep::odd_even_transposition_sort(row, std::vector{8 - me.rank()}).front();
  });
  CHECK(run.results() == std::vector{5, 6, 7, 8, 1, 2, 3, 4});
  CHECK(run.counts().steps == 4);
}

TEST_CASE("claims of odd-even transposition sort refuse a line without processors", "[sorting]") {
  CHECK_THROWS_AS(lockstep::odd_even_transposition_sort_claims(0, 1), lockstep::invalid_argument);
}
